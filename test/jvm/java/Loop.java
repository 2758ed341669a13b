import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A method that runs for as long as the program does, and allocates: were its class redefined, it would go on in the
 * interpreter. Tells each while how long an operation takes, in picoseconds of its thread's CPU time: "tick 81234". Ends
 * when its input does.
 */
public class Loop {
	static final class Item {
		final int value;
		final byte[] more = new byte[40];

		Item(int value) {
			this.value = value;
		}
	}

	private static final int KEPT = 50_000, OPERATIONS = 2000;
	private static final long TICK_NS = 250_000_000L;
	private static volatile boolean ended;

	private static void wait_for_end() {
		try {
			while (System.in.read() >= 0) {
			}
		} catch (java.io.IOException e) {
			// no input is an end, too
		}
		ended = true;
	}

	public static void main(String[] args) {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		Thread reader = new Thread(Loop::wait_for_end);
		reader.setDaemon(true);
		reader.start();
		System.out.println("ready");
		Item[] kept = new Item[KEPT];
		int seed = 1, sum = 0;
		long count = 0, counted = 0, cpu = threads.getCurrentThreadCpuTime();
		while (!ended) {
			for (int i = 0; i < OPERATIONS; i++) {
				Item item = new Item(seed);
				seed = seed * 1103515245 + 12345;
				if ((seed >>> 16 & 7) == 0)
					kept[(seed >>> 1) % KEPT] = item;
				for (int k = 0; k < 60; k++)
					sum = sum * 31 + (item.value ^ k);
				count++;
			}
			long now = threads.getCurrentThreadCpuTime();
			if (now - cpu >= TICK_NS) {
				System.out.println("tick " + (now - cpu) * 1000 / (count - counted));
				System.out.flush();
				cpu = now;
				counted = count;
			}
		}
		System.out.println("done" + (sum == 42 ? " " : ""));
	}
}
