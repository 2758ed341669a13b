import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * Makes MEGABYTES of arrays of 256 bytes, each of which lives until SPAN megabytes were made after it. Then says how large the
 * young generation is at most, and how many of the arrays were not what they should be.
 *
 * usage: Passing MEGABYTES SPAN
 */
public class Passing {
	static final int SIZE = 1 << 8;

	static byte[] make(int i) {
		byte[] one = new byte[SIZE - 16];
		one[0] = (byte) i;
		return one;
	}

	static long young() {
		long sum = 0;
		for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
			String name = pool.getName();
			if (name.contains("Eden"))
				sum += pool.getUsage().getCommitted();
			else if (name.contains("Survivor"))
				sum += 2 * pool.getUsage().getCommitted();
		}
		return sum >> 20;
	}

	public static void main(String[] args) {
		int all = Integer.parseInt(args[0]) << 12, span = Integer.parseInt(args[1]) << 12, wrong = 0;
		byte[][] ring = new byte[span][];
		for (int i = 0; i < all; i++) {
			byte[] old = ring[i % span];
			if (old != null && old[0] != (byte) (i - span))
				wrong++;
			ring[i % span] = make(i);
		}
		System.out.println("young " + young() + " wrong " + wrong);
	}
}
