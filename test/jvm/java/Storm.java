import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;
import javax.management.ObjectName;

/**
 * A heap in a storm: threads that keep graphs of objects of many kinds in a heap that is nearly full, hash them, lock them, clone
 * them and make them by reflection, let go of them at random, and collect all the time. In the end, after a full collection, it
 * tells how many objects of each class there are, by the VM's own histograms, and how many leaves were made, at
 * least and at most.
 *
 * usage: Storm SECONDS KEPT GCS [histograms | pinned | asked | wild SEED]
 *
 * SECONDS: or longer, until there were some collections. KEPT: objects by thread; GCS: calls of System.gc() by second, or of histograms in
 * its place. wild: beside that threads begin and
 * end (virtual ones too), classes are loaded and unloaded, method handles and proxies made, stacks overflow, and memory runs out.
 * pinned: native code holds on to arrays.
 */
public class Storm {
	static final int THREADS = 3, LEAST = 8;

	static class Node { Object a, b; int hash; }

	static final class Leaf extends Node { long x, y; }

	/** Made behind a histogram's collection. */
	static final class Late { long x; }

	static final ArrayDeque<Object> late = new ArrayDeque<>();

	static final class Copied implements Cloneable {
		Object a;
		long[] more = new long[2];

		@Override
		public Copied clone() {
			try {
				return (Copied) super.clone();
			} catch (CloneNotSupportedException e) {
				throw new AssertionError(e);
			}
		}
	}

	public static final class Reflected { public int x; }

	static volatile boolean over, wild;
	static volatile String wrong;
	static int seed;
	static final AtomicLong leaves = new AtomicLong(), begun = new AtomicLong();
	static final Object[][] kept = new Object[THREADS][];

	/** Counted as it begins and as soon as it is there: what runs out of stack in the constructor was born, too. */
	static Leaf leaf(long[] made) {
		made[1]++;
		Leaf leaf = new Leaf();
		made[0]++;
		leaf.hash = System.identityHashCode(leaf);
		return leaf;
	}

	static Object make(SplittableRandom random, long[] made, Constructor<?> reflected, Object other) throws Exception {
		switch (random.nextInt(12)) {
		case 0: case 1: case 2: {
			Node node = new Node();
			node.a = other;
			return node;
		}
		case 3: case 4: return leaf(made);
		case 5: {
			Copied copied = new Copied();
			copied.a = copied.clone();
			return copied;
		}
		case 6: return reflected.newInstance();
		case 7: return Array.newInstance(Node.class, random.nextInt(20));
		case 8: return new Node[2][random.nextInt(5)];
		case 9: return new int[random.nextInt(100)];
		case 10: return random.nextInt(2000) == 0 ? new byte[700 << 10] : new byte[random.nextInt(300)];
		default: return "text " + random.nextInt();
		}
	}

	/** Now and then somebody holds the lock while the heap is collected, and a second thread waits for it. */
	static void touch(SplittableRandom random, Object o) throws Exception {
		if (o instanceof Leaf && ((Leaf) o).hash != System.identityHashCode(o))
			wrong = "a hash has changed";
		if (o instanceof Node && random.nextInt(64) == 0)
			synchronized (o) {
				((Node) o).b = new Node();
				if (random.nextInt(64) == 0)
					o.wait(0, 1000);
			}
	}

	static void run(int number, int count, long[] made) throws Exception {
		SplittableRandom random = new SplittableRandom(seed * 100 + number);
		Constructor<?> reflected = Reflected.class.getConstructor();
		Object[] mine = kept[number] = new Object[count];
		while (!over)
			try {
				turn(random, reflected, mine, made);
			} catch (OutOfMemoryError e) {
				if (!wild)
					throw e;
				Arrays.fill(mine, 0, count / 2, null);
			}
	}

	static void turn(SplittableRandom random, Constructor<?> reflected, Object[] mine, long[] made) throws Exception {
		int count = mine.length;
		for (int times = 0; times < 1000 && !over; times++) {
			Object other = mine[random.nextInt(count)];
			if (other instanceof Node) /* chains must not grow without end */
				((Node) other).a = null;
			mine[random.nextInt(count)] = make(random, made, reflected, other);
			touch(random, mine[random.nextInt(count)]);
			for (int i = random.nextInt(6); i > 0; i--)
				mine[0] = make(random, made, reflected, null);
		}
	}

	interface Task { void run(long[] made) throws Exception; }

	static Thread thread(Task task) {
		return new Thread(() -> {
			long[] made = new long[2];
			try {
				task.run(made);
			} catch (OutOfMemoryError e) {
				if (!wild)
					wrong = e.toString();
			} catch (Throwable e) {
				wrong = e.toString();
			}
			leaves.addAndGet(made[0]);
			begun.addAndGet(made[1]);
		});
	}

	static Thread start(Task task) {
		Thread thread = thread(task);
		thread.start();
		return thread;
	}

	/* The wild ones. */

	static final class Loader extends ClassLoader {
		Class<?> guest() throws Exception {
			try (java.io.InputStream in = Storm.class.getResourceAsStream("StormGuest.class")) {
				byte[] code = in.readAllBytes();
				return defineClass("StormGuest", code, 0, code.length);
			}
		}
	}

	/** Makes what no one place makes: by a class of its own, its constructor's handle, a handle bound anew, a proxy. */
	static Object strange(int number, long[] made) throws Throwable {
		Class<?> guest = new Loader().guest();
		MethodHandle make = MethodHandles.publicLookup().findConstructor(guest, MethodType.methodType(void.class, Object.class));
		MethodHandle leaf = MethodHandles.lookup().findStatic(Storm.class, "leaf", MethodType.methodType(Leaf.class, long[].class));
		Object bound = MethodHandles.insertArguments(leaf, 0, (Object) made).invoke();
		Runnable proxy = (Runnable) Proxy.newProxyInstance(guest.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> bound);
		proxy.run();
		Object[] row = (Object[]) Array.newInstance(guest, 3 + number % 7);
		row[1] = make.invoke(row.clone());
		return new Object[] {row, proxy, bound, Arrays.copyOf(row, 2)};
	}

	static int fall(long[] made, int depth) {
		Leaf leaf = leaf(made);
		return depth + leaf.hash == 0 ? 0 : 1 + fall(made, depth + 1);
	}

	static void overflow(long[] made) {
		try {
			fall(made, 0);
		} catch (StackOverflowError e) {
			kept[0][0] = e;
		}
	}

	/** All that there is, or an array for which there never is enough. */
	static void exhaust(boolean all, long[] made) {
		ArrayDeque<Object> row = new ArrayDeque<>();
		try {
			if (!all)
				row.add(new long[1 << 28]);
			while (!over) {
				row.add(new byte[40000]);
				row.add(leaf(made));
			}
		} catch (OutOfMemoryError e) {
			row = null;
		}
	}

	/** Sleeps with objects on its stack. */
	static void sleeper(long[] made, int depth) throws Exception {
		Leaf mine = leaf(made);
		if (depth > 0)
			sleeper(made, depth - 1);
		else
			Thread.sleep(1);
		if (mine.hash != System.identityHashCode(mine))
			wrong = "a sleeper's hash has changed";
	}

	static Thread virtual(Runnable task) throws Exception {
		return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
	}

	static void run(int number, long[] made, ArrayDeque<Object> ring, ArrayDeque<Thread> threads, boolean virtual) throws Throwable {
		if (number % 4 == 0 && virtual)
			threads.add(virtual(thread(m -> sleeper(m, number % 40))));
		else if (number % 4 < 2)
			threads.add(start(m -> sleeper(m, number % 40)));
		else if (number % 4 == 2)
			ring.add(strange(number, made));
		else if (number % 32 == 3)
			overflow(made);
		else if (number % 128 == 7)
			exhaust(number % 256 == 7, made);
		if (ring.size() > 20)
			ring.poll();
		if (threads.size() > 30)
			threads.poll().join();
	}

	static void runWild(long[] made) throws Exception {
		ArrayDeque<Object> ring = new ArrayDeque<>();
		ArrayDeque<Thread> threads = new ArrayDeque<>();
		boolean virtual = Runtime.version().feature() >= 21;
		for (int number = seed * 4; !over; number++)
			try {
				run(number, made, ring, threads, virtual);
			} catch (OutOfMemoryError e) {
				ring.clear();
			} catch (Exception e) {
				throw e;
			} catch (Throwable e) { /* of a class that did not load for want of memory */
				for (Throwable t = e; !(t instanceof OutOfMemoryError); t = t.getCause())
					if (t.getCause() == null && !e.toString().contains("OutOfMemory"))
						throw new Exception(e);
					else if (t.getCause() == null)
						break;
			}
		for (Thread thread : threads)
			thread.join();
	}

	/** After a full collection; "-all": without one, and with what nothing refers to any more. */
	static Object histogram(String... options) throws Exception {
		return ManagementFactory.getPlatformMBeanServer().invoke(
			new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[] {options},
			new String[] {String[].class.getName()});
	}

	/**
	 * What stands, by the VM, and after another full collection all that is there: what the VM's own threads make between the two (the
	 * Common-Cleaner of 21, as it waits again) is in the second alone.
	 */
	static void tellHeap(boolean asked) throws Exception {
		Object histogram = histogram();
		for (int i = 0; i < 2 && asked; i++) { /* with something that lives, and has not met the one before */
			for (int n = 0; n < 1000; n++)
				late.add(new Late());
			histogram = histogram();
		}
		if (!asked)
			System.gc(); /* Serial and Parallel don't tell agents of a histogram's collection: of this one they do */
		Object all = histogram("-all");
		System.out.println(histogram);
		System.out.println("all");
		System.out.println(all);
	}

	/** Nearly always in native code that holds on to an array, which no collection may move then, or must wait for. */
	static void pin() {
		byte[] random = new byte[200_000], packed = new byte[400_000];
		new SplittableRandom(1).nextBytes(random);
		while (!over) {
			Deflater deflater = new Deflater();
			deflater.setInput(random.clone());
			deflater.finish();
			deflater.deflate(packed);
			deflater.end();
		}
	}

	static long collections(GarbageCollectorMXBean[] beans) {
		long sum = 0;
		for (GarbageCollectorMXBean bean : beans)
			sum += bean.getCollectionCount();
		return sum;
	}

	public static void main(String[] args) throws Exception {
		GarbageCollectorMXBean[] beans = ManagementFactory.getGarbageCollectorMXBeans().toArray(new GarbageCollectorMXBean[0]);
		int count = Integer.parseInt(args[1]), gcs = Integer.parseInt(args[2]);
		wild = args.length > 4;
		seed = wild ? Integer.parseInt(args[4]) : 0;
		String more = args.length == 4 ? args[3] : "";
		boolean histograms = more.equals("histograms");
		for (int i = 0; more.equals("pinned") && i < 2; i++)
			start(made -> pin());
		Thread[] threads = new Thread[THREADS + (wild ? 1 : 0)];
		for (int i = 0; i < threads.length; i++) {
			int number = i;
			threads[i] = start(number < THREADS ? made -> run(number, count, made) : Storm::runWild);
		}
		double seconds = Double.parseDouble(args[0]);
		long end = System.nanoTime() + (long) (seconds * 1e9), least = LEAST + (long) (seconds * gcs / 4);
		while ((System.nanoTime() < end || collections(beans) < least) && wrong == null) {
			Thread.sleep(gcs > 0 ? 1000 / gcs : 50);
			if (gcs > 0 && histograms)
				histogram();
			else if (gcs > 0)
				System.gc();
		}
		over = true;
		for (Thread thread : threads)
			thread.join();
		tellHeap(more.equals("asked"));
		System.out.println("made Storm$Leaf " + leaves + " " + begun);
		System.out.println(wrong == null ? "good" : wrong);
		System.out.flush();
		Runtime.getRuntime().halt(wrong == null ? 0 : 1);
	}
}
