import java.util.Random;

/**
 * Churns: small and middle-sized arrays, every sixteenth kept for a while. Says `ready`, works MEGABYTES, or until its input
 * ends, collects once and says a sum that depends on the seed alone.
 *
 * usage: Mill MEGABYTES | Mill input [MILLISECONDS]     (to rest after each megabyte: where nothing is collected)
 */
public class Mill {
	static final class Node {
		final byte[] load;
		Node(int size) { load = new byte[size]; }
	}

	static final Node[] kept = new Node[4096];

	static volatile boolean ended;

	/** A line, or the end of input: of whoever started us. */
	static void awaitInput() {
		try {
			System.in.read();
		} catch (java.io.IOException e) {
			System.out.println(e);
		}
		ended = true;
	}

	static long megabyte(Random random) {
		long sum = 0;
		for (int bytes = 0; bytes < 1 << 20;) {
			Node node = new Node(16 + random.nextInt(1000));
			bytes += node.load.length + 40;
			sum += node.load.length;
			if ((sum & 15) == 0)
				kept[random.nextInt(kept.length)] = node;
		}
		return sum;
	}

	public static void main(String[] args) throws Exception {
		Random random = new Random(1);
		long sum = 0;
		System.out.println("ready");
		Thread reader = new Thread(Mill::awaitInput);
		reader.setDaemon(true);
		reader.start();
		if (args[0].equals("input"))
			while (!ended) {
				megabyte(random);
				if (args.length > 1)
					Thread.sleep(Integer.parseInt(args[1]));
			}
		else
			for (int i = Integer.parseInt(args[0]); i > 0; i--)
				sum += megabyte(random);
		System.gc();
		System.out.println("sum " + sum);
	}
}
