import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A page, put together from what many threads fetch: each makes its part, waits for the one before it, and hands on what
 * they have together. The threads are virtual where there are such (JDK 21 on), and are unmounted and mounted at each
 * hand-over; the two that ask for pages are not, and allocate beside them. Nothing outlives its page.
 */
public final class VirtualLoad implements Load {
	private static final int PARTS = 24;
	private static final int ROWS = 10;
	private static final int WASTE = 16 << 10;

	private final ExecutorService helpers = helpers();
	private final byte[][] last;

	private VirtualLoad(int threads) {
		last = new byte[threads][];
	}

	/** By reflection: this is compiled for JDK 11. */
	private static ExecutorService helpers() {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		} catch (ReflectiveOperationException e) {
			return Executors.newCachedThreadPool(task -> {
				Thread t = new Thread(task);
				t.setDaemon(true);
				return t;
			});
		}
	}

	@Override
	public void operate(int thread, SplittableRandom r) throws Exception {
		List<Future<Integer>> parts = new ArrayList<>(PARTS);
		BlockingQueue<Integer> in = new ArrayBlockingQueue<>(1);
		BlockingQueue<Integer> first = in;
		for (int i = 0; i < PARTS; i++) {
			BlockingQueue<Integer> from = in;
			BlockingQueue<Integer> to = in = new ArrayBlockingQueue<>(1);
			int key = r.nextInt(1000);
			parts.add(helpers.submit(() -> part(key, from, to)));
		}
		first.put(0);
		in.take();
		for (Future<Integer> part : parts)
			part.get();
		last[thread] = new byte[WASTE];
	}

	private static int part(int key, BlockingQueue<Integer> from, BlockingQueue<Integer> to)
			throws InterruptedException {
		Map<Integer, String> rows = new HashMap<>();
		for (int i = 0; i < ROWS; i++)
			rows.put(key * ROWS + i, "row " + i);
		int before = from.take();
		to.put(before + rows.size());
		return rows.size();
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new VirtualLoad(threads));
	}
}
