import java.util.SplittableRandom;

/** A workload: a fixed amount of work, cut into operations that many threads share. */
interface Load {
	/**
	 * Does one operation. All that it chooses comes from r, which is the thread's own, so that the
	 * work of a thread follows from the seed whatever the others do.
	 */
	void operate(int thread, SplittableRandom r) throws Exception;

	interface Maker {
		Load make(int threads, long seed) throws Exception;
	}
}
