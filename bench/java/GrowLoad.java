import java.util.Map;
import java.util.SplittableRandom;

/**
 * Small objects of one size, by the settings: how much lives on all the time, and how much outlives a collection. What
 * a recording costs as one of these grows is seen by changing it alone.
 */
public final class GrowLoad implements Load {
	private static final int PER_OPERATION = 256;
	private static final int NODE_BYTES = 32; /* with an ordinary header */
	private static final int CHAIN = 1000;    /* nodes: long chains keep a collector from sharing its work */

	private static final class Node {
		final Node next;
		final long a, b;

		Node(Node next, long a) {
			this.next = next;
			this.a = a;
			this.b = ~a;
		}
	}

	private final Node[] live;
	/** By thread: what outlives collections, the oldest first to go. */
	private final Node[][] recent;
	private final int[] at;
	private final int keep;

	private GrowLoad(int threads, Settings s) {
		keep = s.get("keep");
		live = chains((long) s.get("live_mb") << 20);
		recent = new Node[threads][Math.max(1, (s.get("recent_mb") << 20) / NODE_BYTES / threads)];
		at = new int[threads];
	}

	private static Node[] chains(long bytes) {
		Node[] chains = new Node[(int) (bytes / NODE_BYTES / CHAIN)];
		for (int i = 0; i < chains.length; i++)
			for (int k = 0; k < CHAIN; k++)
				chains[i] = new Node(chains[i], k);
		return chains;
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Node[] ring = recent[thread];
		long x = r.nextLong();
		for (int i = 0; i < PER_OPERATION; i++) {
			Node fresh = new Node(null, x + i);
			ring[at[thread]] = fresh; /* all of them escape; most are written over at once */
			if (i % keep == 0)
				at[thread] = (at[thread] + 1) % ring.length;
		}
	}

	public static void main(String[] args) throws Exception {
		Settings s = new Settings(Map.of("live_mb", 64, "recent_mb", 2, "keep", 32));
		Drive.run(args, s, (threads, seed) -> new GrowLoad(threads, s));
	}
}
