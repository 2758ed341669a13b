import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Constructors that show their object to others in all ways there are, and some that don't. A thread hashes, locks and inflates what
 * it is shown while constructors still run: whatever is lost is counted. It says when mayfly is sure of constructors (needs
 * --add-opens java.base/java.lang=ALL-UNNAMED) and when that is in doubt, and at last of each kind how many of 100 new objects are as
 * old as can be.
 *
 * As an agent it gives Seen another constructor, that shows its object: so all do.
 *
 * usage: Shown COLLECTIONS SECONDS      ends after so many young collections, or seconds
 */
public class Shown {
	private static final int KEPT = 4000, MADE_BY_EACH = 50;
	private static volatile boolean over;
	private static volatile Seen shown;
	private static volatile Object sink;
	private static volatile long bad, checks;

	private static synchronized void check(boolean good, String what) {
		checks++;
		if (!good && bad++ < 20)
			System.err.println("not so: " + what);
	}

	/** Who has seen it: its first hash, and how often it was locked. */
	static class Seen {
		int hash;
		long entered, left;

		/** As an agent it passes this. */
		Seen() {
			offer(null);
		}

		static void offer(Seen s) {
			if (s != null)
				show(s);
		}

		static void show(Seen s) {
			shown = s;
			for (int i = 0; i < 30 && shown == s; i++)
				Thread.onSpinWait();
		}

		void see() {
			int now = System.identityHashCode(this);
			synchronized (this) {
				entered++;
				if (hash == 0)
					hash = now;
				check(Thread.holdsLock(this), "a lock while it is held");
				if (entered % 64 == 0)
					Thread.yield();
				left++;
				check(entered == left, "someone else is inside");
			}
			check(now == System.identityHashCode(this), "hash after a lock");
		}

		void whole() {
			synchronized (this) {
				check(hash == 0 || hash == System.identityHashCode(this), "hash of a " + getClass().getName());
				check(entered == left, "locks of a " + getClass().getName());
			}
		}
	}

	// Those that show nothing.

	static final class Plain extends Seen {
	}

	static final class Fields extends Seen {
		final int a;
		final Object b;
		long[] c = new long[3];

		Fields(int a, Object b) {
			this.a = a;
			this.b = b == null ? new Plain() : b;
		}

		Fields() {
			this(3, "b");
		}
	}

	static class Middle extends Seen {
		final double d;

		Middle(double d) {
			this.d = Math.abs(d);
		}
	}

	static final class Deep extends Middle {
		int i;

		Deep() {
			super(-1.5);
			for (int k = 0; k < 10; k++)
				i += k;
		}
	}

	/** One of them shows it. */
	static final class Two extends Seen {
		Two() {
		}

		Two(int ignored) {
			show(this);
		}
	}

	// Those that show it.

	static final class Static extends Seen {
		Static() {
			shown = this;
		}
	}

	static final class Passed extends Seen {
		Passed() {
			show(this);
		}
	}

	static final class Own extends Seen {
		Own() {
			see();
		}
	}

	static class Base extends Seen {
		Base() {
			show(this);
		}
	}

	static final class Extended extends Base {
		final int later;

		Extended() {
			later = 7;
		}
	}

	static final class Lambda extends Seen {
		Lambda() {
			Runnable r = () -> show(this);
			r.run();
		}
	}

	static final class Inner extends Seen {
		Inner() {
			new Object() {
				void show() {
					Seen.show(Inner.this);
				}
			}.show();
		}
	}

	static final class Locked extends Seen {
		Locked() {
			synchronized (this) {
				entered++;
				show(this);
				left++;
			}
		}
	}

	static final class Stored extends Seen {
		static final Seen[] last = new Seen[1];

		Stored() {
			last[0] = this;
			show(last[0]);
		}
	}

	static final class Thrown extends Seen {
		Thrown() {
			Seen copy = this;
			try {
				copy = null;
				Integer.parseInt("no number");
			} catch (NumberFormatException e) {
				show(this);
			}
		}
	}

	static final class Finalized extends Seen {
		@Override
		@SuppressWarnings("deprecation")
		protected void finalize() {
			see();
			whole();
		}
	}

	static final class Failure extends RuntimeException {
		Failure() {
			super("no failure");
		}
	}

	/** Makers are places: each a method with one `new`. */
	static final class Makers {
		static Object plain() {
			return new Plain();
		}

		static Object fields() {
			return new Fields(1, null);
		}

		static Object fieldsAnew() {
			return new Fields();
		}

		static Object deep() {
			return new Deep();
		}

		static Object twoQuiet() {
			return new Two();
		}

		static Object either(int which) {
			return which > 0 ? new Middle(which) : new Middle(-which);
		}

		static Object object() {
			return new Object();
		}

		static Object twoShown() {
			return new Two(1);
		}

		static Object inStatic() {
			return new Static();
		}

		static Object passed() {
			return new Passed();
		}

		static Object own() {
			return new Own();
		}

		static Object extended() {
			return new Extended();
		}

		static Object lambda() {
			return new Lambda();
		}

		static Object inner() {
			return new Inner();
		}

		static Object locked() {
			return new Locked();
		}

		static Object stored() {
			return new Stored();
		}

		static Object thrown() {
			return new Thrown();
		}

		static Object finalized() {
			return new Finalized();
		}

		static Object failure() {
			return new Failure();
		}
	}

	private static final List<Supplier<?>> MAKERS = List.of(Makers::plain, Makers::fields, Makers::fieldsAnew, Makers::deep, Makers::twoQuiet,
		() -> Makers.either(3), Makers::object, Makers::twoShown, Makers::inStatic, Makers::passed, Makers::own, Makers::extended,
		Makers::lambda, Makers::inner, Makers::locked, Makers::stored, Makers::thrown, Makers::finalized, Makers::failure);

	private static void work(int seed) {
		SplittableRandom r = new SplittableRandom(seed);
		Object[] kept = new Object[KEPT];
		while (!over) {
			Supplier<?> maker = MAKERS.get(r.nextInt(MAKERS.size()));
			for (int i = 0; i < MADE_BY_EACH; i++) {
				Object o = maker.get();
				int at = r.nextInt(KEPT);
				Object old = kept[at];
				kept[at] = o;
				if (i % 3 == 0 && o instanceof Seen)
					((Seen) o).see();
				if (old instanceof Seen)
					((Seen) old).whole();
				sink = new byte[200];
			}
		}
		for (Object o : kept)
			if (o instanceof Seen)
				((Seen) o).whole();
	}

	private static void spy() {
		for (Seen last = null; !over;) {
			Seen s = shown;
			if (s == null || s == last)
				continue;
			last = s;
			s.see();
			shown = null;
		}
	}

	private static long collections() {
		long count = 0;
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (bean.getName().matches("G1 Young Generation|Copy|PS Scavenge"))
				count += bean.getCollectionCount();
		return count;
	}

	private static boolean is(String flag) throws Exception {
		try {
			Field f = Class.forName("java.lang.MayflyAge").getDeclaredField(flag);
			f.setAccessible(true);
			return f.getBoolean(null);
		} catch (ClassNotFoundException e) {
			return false;
		}
	}

	/** aload_0, invokespecial Object.&lt;init&gt;, aconst_null: the last becomes aload_0. */
	private static byte[] changed(byte[] seen) {
		int found = 0;
		for (int i = 0; i + 8 < seen.length; i++)
			if (seen[i] == 0x2a && seen[i + 1] == (byte) 0xb7 && seen[i + 4] == 1 && seen[i + 5] == (byte) 0xb8
				&& seen[i + 8] == (byte) 0xb1) {
				seen[i + 4] = 0x2a;
				found++;
			}
		if (found != 1)
			throw new IllegalStateException("constructors of Seen: " + found);
		return seen;
	}

	public static void agentmain(String args, Instrumentation instrumentation) throws Exception {
		try (InputStream in = Shown.class.getResourceAsStream("Shown$Seen.class")) {
			instrumentation.redefineClasses(new ClassDefinition(Seen.class, changed(in.readAllBytes())));
		}
	}

	private static Thread start(Runnable task) {
		Thread thread = new Thread(task);
		thread.setUncaughtExceptionHandler((t, e) -> {
			e.printStackTrace();
			bad++;
			over = true;
		});
		thread.start();
		return thread;
	}

	private static int old(Method age, Supplier<?> maker) throws Exception {
		int old = 0;
		for (int i = 0; i < 100; i++)
			if ((Integer) age.invoke(null, maker.get()) == 15)
				old++;
		return old;
	}

	private static String ages() {
		StringBuilder said = new StringBuilder("ages");
		try {
			Method age = Class.forName("java.lang.MayflyAge").getMethod("age", Object.class);
			for (Supplier<?> maker : MAKERS)
				said.append(' ').append(old(age, maker));
		} catch (Exception e) {
			said.append(" nobody tells: ").append(e);
		}
		return said.toString();
	}

	public static void main(String[] args) throws Exception {
		long until = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L, gcs = Long.parseLong(args[0]);
		List<Thread> threads = new ArrayList<>(List.of(start(Shown::spy), start(() -> work(1)), start(() -> work(2))));
		String[] flags = {"sure", "doubt"};
		for (int said = 0; !over && collections() < gcs && System.nanoTime() < until; Thread.sleep(10))
			if (said < flags.length && is(flags[said]))
				System.out.println(flags[said++]);
		over = true;
		for (Thread thread : threads)
			thread.join();
		System.out.println(ages());
		System.out.println("bad " + bad + " of " + checks + ", " + collections() + " collections");
	}
}
