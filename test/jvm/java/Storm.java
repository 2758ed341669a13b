import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.SplittableRandom;
import javax.management.ObjectName;

/**
 * A heap in a storm: threads that keep graphs of objects of many kinds in a heap that is nearly full, hash them, lock them, clone
 * them and make them by reflection, let go of them at random, and collect all the time. In the end, after a full collection, it
 * tells how many objects of each class there are, by the VM's own histograms.
 *
 * usage: Storm SECONDS KEPT GCS [histograms]
 *
 * KEPT: objects by thread; GCS: calls of System.gc() by second, or of histograms in its place.
 */
public class Storm {
	static final int THREADS = 3;

	static class Node { Object a, b; int hash; }

	static final class Leaf extends Node { long x, y; }

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

	static volatile boolean over;
	static volatile String wrong;
	static final Object[][] kept = new Object[THREADS][];

	static Object make(SplittableRandom random, Constructor<?> reflected, Object other) throws Exception {
		switch (random.nextInt(12)) {
		case 0: case 1: case 2: {
			Node node = new Node();
			node.a = other;
			return node;
		}
		case 3: case 4: {
			Leaf leaf = new Leaf();
			leaf.hash = System.identityHashCode(leaf);
			return leaf;
		}
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

	static void run(int number, int count) throws Exception {
		SplittableRandom random = new SplittableRandom(number);
		Constructor<?> reflected = Reflected.class.getConstructor();
		Object[] mine = kept[number] = new Object[count];
		while (!over) {
			Object other = mine[random.nextInt(count)];
			if (other instanceof Node) /* chains must not grow without end */
				((Node) other).a = null;
			mine[random.nextInt(count)] = make(random, reflected, other);
			touch(random, mine[random.nextInt(count)]);
			for (int i = random.nextInt(6); i > 0; i--)
				mine[0] = make(random, reflected, null);
		}
	}

	static Thread start(int number, int count) {
		Thread thread = new Thread(() -> {
			try {
				run(number, count);
			} catch (Throwable e) {
				wrong = e.toString();
			}
		});
		thread.start();
		return thread;
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
	static void tellHeap() throws Exception {
		Object histogram = histogram();
		System.gc(); /* Serial and Parallel don't tell agents of a histogram's collection: of this one they do */
		Object all = histogram("-all");
		System.out.println(histogram);
		System.out.println("all");
		System.out.println(all);
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
		int count = Integer.parseInt(args[1]), gcs = Integer.parseInt(args[2]);
		Thread[] threads = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++)
			threads[i] = start(i, count);
		while (System.nanoTime() < end && wrong == null) {
			Thread.sleep(gcs > 0 ? 1000 / gcs : 50);
			if (gcs > 0 && args.length > 3)
				histogram();
			else if (gcs > 0)
				System.gc();
		}
		over = true;
		for (Thread thread : threads)
			thread.join();
		tellHeap();
		System.out.println(wrong == null ? "good" : wrong);
		System.out.flush();
		Runtime.getRuntime().halt(wrong == null ? 0 : 1);
	}
}
