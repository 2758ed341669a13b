import java.util.SplittableRandom;

/** A workload: a fixed amount of work, cut into operations that many threads share. */
interface Load {
	/**
	 * Does one operation. All that it chooses comes from r, which is the thread's own, so that the
	 * work of a thread follows from the seed whatever the others do.
	 */
	void operate(int thread, SplittableRandom r) throws Exception;

	/** Told before the warm-up and again before the measured operations: how many come, which the threads share. */
	default void begin(long operations) {}

	/** Bytes that threads of its own, which the driver does not know, have allocated until now. */
	default long helped() {
		return 0;
	}

	/** Tells, after all operations, what is known of its objects' lifetimes. */
	default void tell(Truth truth) {}

	interface Maker {
		Load make(int threads, long seed) throws Exception;
	}
}
