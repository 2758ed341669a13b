import java.util.SplittableRandom;

/**
 * Two sites whose lifetimes change places in the middle of the measured operations: what `first` makes is kept
 * before and dropped after, what `second` makes the other way round. What is kept lives for KEPT operations.
 */
public final class PhasesLoad implements Load {
	private static final int EACH = 16;
	private static final int GARBAGE = 48;
	private static final int KEPT = 20_000;

	private static final class First {
		final long key;
		Object next;

		First(long key, Object next) {
			this.key = key;
			this.next = next;
		}
	}

	private static final class Second {
		final long key;
		Object next;

		Second(long key, Object next) {
			this.key = key;
			this.next = next;
		}
	}

	/** What one thread holds: the chains of the last operations, oldest overwritten. */
	private static final class Lane {
		final Object[] ring = new Object[KEPT];
		Object last;
		long operations, swapAt = Long.MAX_VALUE, swapped;
	}

	private final Lane[] lanes;
	private int phases;

	private PhasesLoad(int threads) {
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane();
	}

	/** The second time is the measurement: half of it is before. */
	@Override
	public void begin(long operations) {
		if (++phases < 2)
			return;
		for (Lane lane : lanes)
			lane.swapAt = lane.operations + operations / lanes.length / 2;
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		boolean swapped = lane.operations >= lane.swapAt;
		Object first = first(r.nextLong());
		Object second = second(r.nextLong());
		lane.ring[(int) (lane.operations % KEPT)] = swapped ? second : first;
		lane.last = swapped ? first : second;
		for (int i = 0; i < GARBAGE; i++)
			lane.last = garbage(r);
		lane.operations++;
		if (swapped)
			lane.swapped++;
	}

	private static Object first(long key) {
		Object chain = null;
		for (int i = 0; i < EACH; i++)
			chain = new First(key, chain);
		return chain;
	}

	private static Object second(long key) {
		Object chain = null;
		for (int i = 0; i < EACH; i++)
			chain = new Second(key, chain);
		return chain;
	}

	private static Object garbage(SplittableRandom r) {
		return new byte[64 + r.nextInt(128)];
	}

	@Override
	public void tell(Truth truth) {
		long all = 0, swapped = 0;
		for (Lane lane : lanes) {
			all += lane.operations;
			swapped += lane.swapped;
		}
		long before = all - swapped;
		truth.site("PhasesLoad.first", "PhasesLoad$First", "before", before * EACH, KEPT);
		truth.site("PhasesLoad.first", "PhasesLoad$First", "after", swapped * EACH, 0);
		truth.site("PhasesLoad.second", "PhasesLoad$Second", "before", before * EACH, 0);
		truth.site("PhasesLoad.second", "PhasesLoad$Second", "after", swapped * EACH, KEPT);
		truth.site("PhasesLoad.garbage", "byte[]", "-", all * GARBAGE, 0);
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new PhasesLoad(threads));
	}
}
