import java.util.SplittableRandom;

/**
 * Does nothing but allocate: small objects and arrays from a few call depths. One in KEEP stays
 * in a ring, which holds it for a few young collections; the rest dies at once.
 */
public final class AllocLoad implements Load {
	private static final int PER_OPERATION = 512;
	private static final int KEEP = 64;
	private static final int RING = 1 << 16;
	private static final int DEPTHS = 16;

	private static final class Node {
		final Object left, right;
		final long key;

		Node(Object left, Object right, long key) {
			this.left = left;
			this.right = right;
			this.key = key;
		}
	}

	/** What one thread holds. `last` keeps the compiler from taking allocations away. */
	private static final class Lane {
		final Object[] ring = new Object[RING];
		Object last;
		int at, count;
		long bits;
	}

	private final Lane[] lanes;

	private AllocLoad(int threads) {
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane();
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		lane.bits = r.nextLong() | 1;
		descend(lane, (int) (lane.bits >>> 32) & (DEPTHS - 1));
	}

	private static void descend(Lane lane, int depth) {
		if (depth > 0)
			descend(lane, depth - 1);
		else
			allocate(lane);
	}

	private static void allocate(Lane lane) {
		for (int i = 0; i < PER_OPERATION; i++) {
			/* xorshift64: a generator that costs nothing beside an allocation. */
			long x = lane.bits;
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
			lane.bits = x;
			keep(lane, make(lane, x));
		}
	}

	private static Object make(Lane lane, long x) {
		switch ((int) x & 7) {
		case 0:
		case 1:
		case 2:
			return new Node(null, null, x);
		case 3:
			return new Node(new Node(null, null, x), new Node(null, null, -x), x);
		case 4:
			return new byte[16 + (int) (x >>> 8 & 255)];
		case 5:
			return new int[4 + (int) (x >>> 8 & 63)];
		case 6:
			return new Object[2 + (int) (x >>> 8 & 15)];
		default:
			return Long.valueOf(x);
		}
	}

	private static void keep(Lane lane, Object object) {
		lane.last = object;
		if (++lane.count % KEEP == 0)
			lane.ring[lane.at++ & (RING - 1)] = object;
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new AllocLoad(threads));
	}
}
