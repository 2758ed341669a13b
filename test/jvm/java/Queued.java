import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;

/**
 * A heap so full of arrays, of which many die old, that it is collected as a whole all the time.
 *
 * usage: Queued SECONDS      or longer, until there were some such collections
 */
public class Queued {
	private static final int KEPT = 20_000, QUEUED = 20_000, LEAST = 8;
	private static final ArrayDeque<byte[]> queue = new ArrayDeque<>();
	private static final byte[][] kept = new byte[KEPT][];
	static volatile Object sink;

	private static void make(int round) {
		synchronized (queue) {
			for (int i = 0; i < 50; i++) {
				queue.add(new byte[2048]);
				if (queue.size() > QUEUED)
					queue.poll();
			}
			if (round < KEPT)
				kept[round] = new byte[1000];
		}
		for (int i = 0; i < 200; i++)
			sink = Integer.valueOf(i + 1000);
	}

	private static long full() {
		long sum = 0;
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (bean.getName().matches("G1 Old Generation|PS MarkSweep|MarkSweepCompact"))
				sum += bean.getCollectionCount();
		return sum;
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + (long)(1e9 * Double.parseDouble(args[0]));
		Runnable work = () -> {
			for (int i = 0; System.nanoTime() < end || full() < LEAST; i++)
				make(i);
		};
		Thread other = new Thread(work);
		other.start();
		work.run();
		other.join();
		System.out.println("good");
	}
}
