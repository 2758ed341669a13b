/**
 * Arrays for which the young generation must be collected, and that even then find no room there: Serial and Parallel may put
 * them in the old generation inside the pause, before anything is written to that memory. It is used again and again, so what
 * lies there looks like objects. Small ones between them are promoted. On stdout: how many arrays and small ones.
 *
 * usage: Vast ROUNDS BYTES
 */
public class Vast {
	static final class Small {
		long a, b;
		Small next;
	}

	static final int SMALLS = 100_000, FULL_EVERY = 12;
	static volatile Object sink;
	static Small kept;
	static long smalls;

	static byte[] vast(int bytes) { return new byte[bytes]; }

	static Small small(Small next) {
		Small s = new Small();
		s.next = next;
		smalls++;
		return s;
	}

	public static void main(String[] args) {
		int rounds = Integer.parseInt(args[0]), bytes = Integer.parseInt(args[1]);
		for (int round = 0; round < rounds; round++) {
			for (int i = 0; i < SMALLS; i++)
				kept = small(i % 10_000 == 0 ? null : kept);
			byte[] array = vast(bytes);
			for (int i = 0; i < bytes; i += 8)
				array[i] = (byte)(i >> 3);
			sink = array;
			if (round % FULL_EVERY == FULL_EVERY - 1)
				System.gc();
		}
		System.out.println("arrays " + rounds + " smalls " + smalls);
	}
}
