import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Objects of all kinds for heap_agent.c to walk over: known numbers of two classes, arrays, finalizers, mirrors, locked
 * and hashed objects, frames of virtual threads, large arrays. Ends with a young collection, so that each object has
 * been in one, and then a full one.
 *
 * usage: HeapChurn NODES KEEP     (KEEP: how many of them are kept)
 */
public class HeapChurn {
	static final class Node { int a; Node next; }

	/** What the header holds for the VM, told again in a field. */
	static final class Hashed { final int hash = System.identityHashCode(this); }

	static final class Finalized {
		static int count;
		@Override protected void finalize() { count++; }
	}

	static final Object[] kinds = new Object[64];
	static final List<Object> kept = new ArrayList<>();
	static volatile Object sink;

	static void kinds(int i) {
		int n = i % 23;
		Object[] made = {new boolean[n], new byte[n], new char[n], new short[n], new int[n], new long[n], new float[n],
			new double[n], new Object[n], new String[n][2], "a" + i, new Finalized(), new Object(), int[].class};
		kinds[i & 63] = made;
		if (i % 1000 == 0) {
			Supplier<int[]> lambda = () -> new int[n];
			kinds[1] = lambda.get();
		}
	}

	/** Frames that a carrier has put away lie in the heap. */
	static Thread virtual(CountDownLatch end, int depth) throws Exception {
		Runnable body = () -> park(end, depth);
		try {
			return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
		} catch (NoSuchMethodException e) {
			return null;
		}
	}

	static int park(CountDownLatch end, int depth) {
		if (depth > 0)
			return park(end, depth - 1) + 1;
		try {
			end.await();
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
		return 0;
	}

	/** A monitor that somebody waits for. */
	static void contend(Object monitor, CountDownLatch end) {
		Thread t = new Thread(() -> {
			synchronized (monitor) {
				try {
					while (end.getCount() > 0)
						monitor.wait(50);
				} catch (InterruptedException e) {
					Thread.currentThread().interrupt();
				}
			}
		});
		t.setDaemon(true);
		t.start();
	}

	static long collections() {
		long sum = 0;
		for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans())
			sum += Math.max(0, b.getCollectionCount());
		return sum;
	}

	static void churn(int nodes, int keep, CountDownLatch end) throws Exception {
		Node last = null;
		Node[] ring = new Node[keep];
		Hashed locked = new Hashed(), again = new Hashed();
		kept.add(locked);
		kept.add(again);
		synchronized (locked) {
			for (int i = 0; i < nodes; i++) {
				Node n = new Node();
				n.next = i % 7 == 0 ? null : last;
				ring[i % keep] = last = n;
				if (i % 50 == 0)
					kinds(i);
				if (i % 20_000 == 0) {
					Hashed h = new Hashed();
					kept.add(h);
					if (i % 60_000 == 0)
						contend(h, end);
					Thread t = virtual(end, i / 20_000 % 40);
					if (t != null)
						kept.add(t);
					sink = new byte[3 << 20];
				}
				synchronized (again) {
					again.notify();
				}
			}
		}
	}

	public static void main(String[] args) throws Exception {
		int nodes = Integer.parseInt(args[0]), keep = Integer.parseInt(args[1]);
		CountDownLatch end = new CountDownLatch(1);
		churn(nodes, keep, end);
		for (long before = collections(); collections() == before;)
			sink = new byte[1 << 10];
		System.gc();
		System.gc();
		end.countDown();
		System.out.println("nodes " + nodes);
	}
}
