import java.util.SplittableRandom;

/**
 * One site with two lifetimes, which only a caller two calls up tells apart: `keep` and `drop` both get
 * their rows from `copy`, which gets them from the factory `make`.
 */
public final class ConflictLoad implements Load {
	private static final int KEPT_EACH = 12;
	private static final int DROPPED_EACH = 180;
	private static final int KEPT = 40_000;

	private static final class Row {
		final long key;
		final Object next;

		Row(long key, Object next) {
			this.key = key;
			this.next = next;
		}
	}

	private static final class Lane {
		final Object[] ring = new Object[KEPT];
		Object last;
		long operations;
	}

	private final Lane[] lanes;

	private ConflictLoad(int threads) {
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane();
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		keep(lane, r.nextLong());
		drop(lane, r.nextLong());
		lane.operations++;
	}

	private static void keep(Lane lane, long key) {
		Object rows = null;
		for (int i = 0; i < KEPT_EACH; i++)
			rows = copy(key + i, rows);
		lane.ring[(int) (lane.operations % KEPT)] = rows;
	}

	private static void drop(Lane lane, long key) {
		Object rows = null;
		for (int i = 0; i < DROPPED_EACH; i++)
			rows = copy(key + i, rows);
		lane.last = rows;
	}

	private static Row copy(long key, Object next) {
		return make(key, next);
	}

	private static Row make(long key, Object next) {
		return new Row(key, next);
	}

	@Override
	public void tell(Truth truth) {
		long all = 0;
		for (Lane lane : lanes)
			all += lane.operations;
		truth.site("ConflictLoad.make", "ConflictLoad$Row", "keep", all * KEPT_EACH, KEPT);
		/* The last chain is held until the next one takes its place: at a collection one may be seen. */
		truth.site("ConflictLoad.make", "ConflictLoad$Row", "drop", all * DROPPED_EACH, 0);
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new ConflictLoad(threads));
	}
}
