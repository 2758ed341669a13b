import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds objects of known number and age, for who counts its heap. Commands on stdin, a line each, answered by one line:
 *
 *   hold METHOD N     makes and keeps N objects by Holdings.METHOD (older, first, second, bytes, vast)
 *   drop METHOD N     lets go of every N-th of them
 *   collect N         allocates until N young collections have been, or for a while
 *   churn             goes on allocating in a thread of its own; rest: no more
 *   classes N         loads N classes, makes objects of each, keeps one in two, and lets go of the rest and of their loaders
 *   warm              runs all of it, until it is compiled
 *   hash              remembers the identity hash of many of the objects; check: how many are another one now
 *   lock              locks and inflates some of them: they are held by a thread that waits
 *   end
 */
public class Holdings {
	static class Item {
		long number;
		Object mate;
	}
	static final class Older extends Item { }
	static final class First extends Item { }
	static final class Second extends Item { int more; }

	static final int METHODS = 5, OLDER = 0, FIRST = 1, SECOND = 2, BYTES = 3, VAST = 4;
	static final List<String> NAMES = Arrays.asList("older", "first", "second", "bytes", "vast");
	static final Object[][] held = new Object[METHODS][];
	static final int[][] hashes = new int[METHODS][0];
	static volatile Object sink;
	static volatile boolean churning;
	static final List<Object> loaded = new ArrayList<>();

	static Object older() { return new Older(); }
	static Object first() { return new First(); }
	static Object second() { return new Second(); }
	static Object bytes(int n) { return new byte[40 + n % 3 * 8]; }
	static Object vast() { return new long[200_000]; }

	static Object make(int method, int i) {
		switch (method) {
		case OLDER:
			return older();
		case FIRST:
			return first();
		case SECOND:
			return second();
		case BYTES:
			return bytes(i);
		default:
			return vast();
		}
	}

	static void hold(int method, int n) {
		int had = held[method] == null ? 0 : held[method].length;
		Object[] all = had == 0 ? new Object[n] : Arrays.copyOf(held[method], had + n);
		held[method] = all;
		for (int i = had; i < all.length; i++)
			all[i] = make(method, i);
	}

	static void drop(int method, int every) {
		for (int i = 0; i < held[method].length; i += every)
			held[method][i] = null;
	}

	static int count(int method) {
		int n = 0;
		for (Object o : held[method] == null ? new Object[0] : held[method])
			n += o != null ? 1 : 0;
		return n;
	}

	/** The compilers have seen it all, so that the probes are in what follows. */
	static void warm() {
		for (int round = 0; round < 30; round++)
			for (int method = 0; method < METHODS; method++)
				for (int i = 0; i < (method == VAST ? 20 : 20_000); i++)
					sink = make(method, i);
		sink = null;
	}

	static long collections() {
		long n = 0;
		for (java.lang.management.GarbageCollectorMXBean b :
				java.lang.management.ManagementFactory.getGarbageCollectorMXBeans())
			n += b.getCollectionCount();
		return n;
	}

	static void collect(int n) {
		long until = collections() + n, end = System.nanoTime() + 20_000_000_000L;
		while (collections() < until && System.nanoTime() < end)
			for (int i = 0; i < 1000; i++)
				sink = new char[500];
	}

	static void churn() {
		churning = true;
		Thread t = new Thread(() -> {
			while (churning)
				sink = new char[500];
		});
		t.setDaemon(true);
		t.start();
	}

	/** The bytes of a class of that name: the pattern's with another name, of the same length. */
	static byte[] renamed(byte[] pattern, String from, String to) {
		byte[] out = pattern.clone(), was = from.getBytes(), is = to.getBytes();
		for (int i = 0; i + was.length <= out.length; i++)
			if (Arrays.equals(Arrays.copyOfRange(out, i, i + was.length), was))
				System.arraycopy(is, 0, out, i, is.length);
		return out;
	}

	static class Loader extends ClassLoader {
		Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
	}

	static class Pattern00000 implements java.util.function.Supplier<Object> {
		long a, b, c, d;
		Pattern00000 next;
		public Object get() { return new Pattern00000(); }
	}

	static void classes(int n) throws Exception {
		byte[] pattern;
		try (java.io.InputStream in = Holdings.class.getResourceAsStream("Holdings$Pattern00000.class")) {
			pattern = in.readAllBytes();
		}
		loaded.removeIf(o -> o.hashCode() % 2 == 0);
		for (int i = 0; i < n; i++) {
			String name = String.format("Holdings$Pattern%05d", i + 1);
			byte[] b = renamed(pattern, "Holdings$Pattern00000", name);
			Class<?> c = new Loader().define(name, b);
			java.lang.reflect.Constructor<?> made = c.getDeclaredConstructor();
			made.setAccessible(true);
			java.util.function.Supplier<?> s = (java.util.function.Supplier<?>)made.newInstance();
			Object[] some = new Object[100];
			for (int k = 0; k < some.length; k++)
				some[k] = s.get();
			loaded.add(some);
		}
	}

	static void hash() {
		for (int method = 0; method < METHODS; method++) {
			hashes[method] = new int[held[method] == null ? 0 : held[method].length];
			for (int i = 0; i < hashes[method].length; i += 3)
				hashes[method][i] = System.identityHashCode(held[method][i]);
		}
	}

	/** Of those that are still there. */
	static int wrong() {
		int n = 0;
		for (int method = 0; method < METHODS; method++)
			for (int i = 0; i < hashes[method].length; i += 3)
				if (held[method][i] != null)
					n += System.identityHashCode(held[method][i]) != hashes[method][i] ? 1 : 0;
		return n;
	}

	static void lock() throws InterruptedException {
		Object[] some = {held[FIRST][1], held[FIRST][5], held[SECOND][1]}; /* that no `drop` of 2, 3 or 4 lets go of */
		for (Object o : some) {
			Thread t = new Thread(() -> {
				synchronized (o) {
					try {
						o.wait();
					} catch (InterruptedException e) {
						return;
					}
				}
			});
			t.setDaemon(true);
			t.start();
			while (t.getState() != Thread.State.WAITING)
				Thread.sleep(1);
		}
	}

	static String run(String[] words) throws Exception {
		int method = words.length > 2 ? NAMES.indexOf(words[1]) : -1, n = words.length > 1 ? Integer.parseInt(words[words.length - 1]) : 0;
		switch (words[0]) {
		case "hold":
			hold(method, n);
			return "ok " + count(method);
		case "drop":
			drop(method, n);
			return "ok " + count(method);
		case "warm":
			warm();
			return "ok";
		case "collect":
			collect(n);
			return "ok";
		case "churn":
			churn();
			return "ok";
		case "rest":
			churning = false;
			return "ok";
		case "classes":
			classes(n);
			return "ok";
		case "hash":
			hash();
			return "ok";
		case "check":
			return "ok " + wrong();
		case "lock":
			lock();
			return "ok";
		default:
			return "what?";
		}
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		System.out.println("ready");
		for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine())
			System.out.println(run(line.split(" ")));
	}
}
