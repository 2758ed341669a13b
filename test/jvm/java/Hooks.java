import java.io.IOException;

/** Allocates a known number of objects of a class of its own: Hooks BEFORE AFTER THREADS. Between the two it collects three times, and says
 * so and waits for a line if there is a fourth argument. */
public class Hooks {
	static final class Thing {
		final int value;

		Thing(int value) {
			this.value = value;
		}
	}

	static void fill(Thing[] ring, int count) {
		for (int i = 0; i < count; i++)
			ring[i & (ring.length - 1)] = new Thing(i);
	}

	/** In small parts, so that the loop is entered anew after code has been thrown away. */
	static long allocate(int count) {
		Thing[] ring = new Thing[1024];
		for (int left = count; left > 0; left -= 1000)
			fill(ring, Math.min(left, 1000));
		return count == 0 ? 0 : ring[0].value;
	}

	static void inThreads(int count, int threads) throws InterruptedException {
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++) {
			all[i] = new Thread(() -> allocate(count));
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	public static void main(String[] args) throws IOException, InterruptedException {
		int before = Integer.parseInt(args[0]), after = Integer.parseInt(args[1]), threads = Integer.parseInt(args[2]);
		inThreads(before, threads);
		for (int i = 0; i < 3; i++)
			System.gc();
		if (args.length > 3) {
			System.out.println("ready");
			System.out.flush();
			if (System.in.read() < 0)
				return;
		}
		inThreads(after, threads);
		System.out.println("done");
	}
}
