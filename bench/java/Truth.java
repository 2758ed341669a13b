import java.io.PrintStream;

/**
 * Prints what a workload knows of its objects' lifetimes: a line for each site, or for each of the
 * calls that lead to it where those decide. All operations count, the warm-up's too.
 */
final class Truth {
	/** A lifetime: the objects are alive when the program ends. */
	static final long TO_THE_END = -1;

	private final PrintStream out;

	Truth(PrintStream out) {
		this.out = out;
	}

	/**
	 * site: Class.method that allocates. type: the class of the objects. via: the caller that decides, or "-".
	 * lives: how many further operations of the thread an object outlives; 0 dies within its own.
	 */
	void site(String site, String type, String via, long born, long lives) {
		out.println("truth site " + site + " class " + type + " via " + via + " born " + born + " lives " + lives);
	}
}
