import java.util.Random;

/**
 * Allocates some each 10 ms, by four lines, and in known seconds more by a fifth, so that a known share of all comes from there.
 * Arguments: seed, seconds, MB a second, where the burst begins and how long it is (seconds; 0: none), its share of all
 * that is allocated. Prints, as JSON, when the burst was, in ms since the program began, and how long all took.
 */
public class Bursts {
	static final byte[][] kept = new byte[256][];
	static Object sink;
	static int at;

	static int small(Random r) {
		byte[] b = new byte[64 + r.nextInt(400)];
		sink = b;
		return b.length;
	}

	static int middle(Random r) {
		byte[] b = new byte[1000 + r.nextInt(3000)];
		sink = b;
		return b.length;
	}

	static int large(Random r) {
		byte[] b = new byte[10000 + r.nextInt(20000)];
		sink = b;
		return b.length;
	}

	static int keep(Random r) {
		byte[] b = new byte[500 + r.nextInt(500)];
		kept[at++ % kept.length] = b;
		return b.length;
	}

	static int burst(Random r) {
		byte[] b = new byte[200 + r.nextInt(4000)];
		sink = b;
		return b.length;
	}

	static void even(Random r, long bytes) {
		while (bytes > 0)
			bytes -= small(r) + middle(r) + large(r) + keep(r);
	}

	static void more(Random r, double bytes) {
		while (bytes > 0)
			bytes -= burst(r);
	}

	public static void main(String[] args) throws Exception {
		Random r = new Random(Long.parseLong(args[0]));
		double seconds = Double.parseDouble(args[1]), rate = Double.parseDouble(args[2]) * 1e6;
		double from = Double.parseDouble(args[3]), length = Double.parseDouble(args[4]), share = Double.parseDouble(args[5]);
		double extra = length > 0 ? rate * seconds * share / (1 - share) / length : 0;
		int ticks = (int) (seconds * 100);
		long start = System.nanoTime(), begun = -1, ended = -1;
		for (int tick = 0; tick < ticks; tick++) {
			even(r, (long) (rate / 100));
			boolean in = tick >= from * 100 && tick < (from + length) * 100;
			if (in && begun < 0)
				begun = System.nanoTime() - start;
			if (in) {
				more(r, extra / 100);
				ended = System.nanoTime() - start;
			}
			/* Not up to a time: whoever makes good for a stall makes a burst. */
			Thread.sleep(10);
		}
		System.out.printf("{\"from_ms\": %d, \"to_ms\": %d, \"took_ms\": %d}%n", begun / 1_000_000, ended / 1_000_000,
				(System.nanoTime() - start) / 1_000_000);
	}
}
