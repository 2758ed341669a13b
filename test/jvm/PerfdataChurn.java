import java.util.Random;

/** Allocates `mb` megabytes in arrays of 1000 bytes, keeps every eighth of them for a while, collects `gcs` times. */
public class PerfdataChurn {
	static Object sink;

	public static void main(String[] args) {
		long count = Long.parseLong(args[0]) * 1024;
		byte[][] kept = new byte[Integer.parseInt(args[1]) * 1024][];
		Random random = new Random(1);
		for (long i = 0; i < count; i++) {
			byte[] array = new byte[1000];
			sink = array;
			if ((i & 7) == 0)
				kept[random.nextInt(kept.length)] = array;
		}
		for (int i = 0; i < Integer.parseInt(args[2]); i++)
			System.gc();
	}
}
