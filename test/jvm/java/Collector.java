import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes exactly one collection happen, and says if there were others: the clock of the programs with known lifetimes. */
final class Collector {
	private static final Set<String> YOUNG = Set.of("Copy", "PS Scavenge", "G1 Young Generation");
	private static final Set<String> FULL = Set.of("MarkSweepCompact", "PS MarkSweep", "G1 Old Generation", "ZGC", "ZGC Cycles",
		"ZGC Major Cycles", "Shenandoah Cycles");
	private static volatile byte[] filler;

	private final boolean young; // by filling the heap, else by asking
	private final List<GarbageCollectorMXBean> counted = beans(YOUNG), full = beans(FULL);
	/** Collections that nobody planned. */
	int surprises;
	private long expected;

	Collector(boolean young) {
		this.young = young;
		if (!young)
			counted.clear();
		counted.addAll(full);
		expected = count(counted);
	}

	private static List<GarbageCollectorMXBean> beans(Set<String> names) {
		List<GarbageCollectorMXBean> found = new ArrayList<>();
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (names.contains(bean.getName()))
				found.add(bean);
		return found;
	}

	private static long count(List<GarbageCollectorMXBean> beans) {
		long n = 0;
		for (int i = 0; i < beans.size(); i++)
			n += beans.get(i).getCollectionCount();
		return n;
	}

	/** No collection since the last call of collect or forget? */
	void check() {
		long now = count(counted);
		surprises += Math.abs(now - expected);
		expected = now;
	}

	/** Garbage of its own class until the next collection, or System.gc(). */
	void collect() {
		check();
		long before = expected;
		if (young)
			while (count(counted) == before)
				fill();
		else
			System.gc();
		filler = null;
		expected = before + 1;
		check();
	}

	/** Whatever happened until now was not planned, and does not matter. */
	void forget() {
		expected = count(counted);
	}

	private static void fill() {
		filler = new byte[100_000];
	}
}
