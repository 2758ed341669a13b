import java.util.ArrayList;
import java.util.List;

/**
 * Pages that die at once, and notes that are kept until they fill most of the heap, when half of them go: again and again the old
 * generation gets too full for a young collection to be sure of room, and a full one takes its place. At most some 400 MB a second: the VM
 * tells deaths in a thread of its own, which must keep up.
 *
 * usage: Pages TIMES MEGABYTES      half of them go so often; to keep at most
 */
public class Pages {
	private static Object sink;

	private static void page() {
		sink = new byte[8192];
	}

	private static byte[] note() {
		return new byte[4096];
	}

	public static void main(String[] args) throws InterruptedException {
		int times = Integer.parseInt(args[0]), most = (Integer.parseInt(args[1]) << 20) / 4096;
		List<byte[]> kept = new ArrayList<>(most);
		while (times > 0) {
			for (int i = 0; i < 4; i++)
				page();
			kept.add(note());
			if (kept.size() == most) {
				kept.subList(0, most / 2).clear();
				times--;
			}
			if (kept.size() % 8 == 0)
				Thread.sleep(1);
		}
		System.out.println("good");
	}
}
