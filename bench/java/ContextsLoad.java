import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One site of the JDK, HashMap.newNode, reached on 1000 call paths: three methods with ten calls each to the next. On
 * every fourth path (`keep`) the entry stays in its map for ROUNDS further puts of the path, which are 8000 operations on
 * average; on the others (`drop`) it is removed at once.
 */
public final class ContextsLoad implements Load {
	private static final int PATHS = 1000;
	private static final int KEEP_EVERY = 4;
	private static final int PUTS = 64;
	private static final int ROUNDS = 512;
	private static final int GARBAGE = 256;
	/** Room for all entries, so that no bin becomes a tree, whose nodes would be another site's. */
	private static final int TABLE = 1 << 19;

	/** One thread's maps and keys; keys are made once, so that the nodes are what is allocated and lives. */
	private static final class Lane {
		final Map<Integer, Object> kept = new HashMap<>(TABLE);
		final Map<Integer, Object> dropped = new HashMap<>(TABLE);
		final Integer[][] keys = new Integer[PATHS][];
		final int[] puts = new int[PATHS];
		Object last;
		long operations, keptPuts;

		Lane() {
			for (int path = 0; path < PATHS; path++) {
				keys[path] = new Integer[keeps(path) ? ROUNDS : 1];
				for (int i = 0; i < keys[path].length; i++)
					keys[path][i] = path * ROUNDS + i;
			}
		}
	}

	private final Lane[] lanes;

	private ContextsLoad(int threads) {
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane();
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		for (int i = 0; i < PUTS; i++)
			hundreds(lane, r.nextInt(PATHS));
		lane.operations++;
	}

	private static void hundreds(Lane lane, int path) {
		switch (path / 100) {
		case 0: tens(lane, path); break;
		case 1: tens(lane, path); break;
		case 2: tens(lane, path); break;
		case 3: tens(lane, path); break;
		case 4: tens(lane, path); break;
		case 5: tens(lane, path); break;
		case 6: tens(lane, path); break;
		case 7: tens(lane, path); break;
		case 8: tens(lane, path); break;
		default: tens(lane, path); break;
		}
	}

	private static void tens(Lane lane, int path) {
		switch (path / 10 % 10) {
		case 0: ones(lane, path); break;
		case 1: ones(lane, path); break;
		case 2: ones(lane, path); break;
		case 3: ones(lane, path); break;
		case 4: ones(lane, path); break;
		case 5: ones(lane, path); break;
		case 6: ones(lane, path); break;
		case 7: ones(lane, path); break;
		case 8: ones(lane, path); break;
		default: ones(lane, path); break;
		}
	}

	private static void ones(Lane lane, int path) {
		switch (path % 10) {
		case 0: put(lane, path); break;
		case 1: put(lane, path); break;
		case 2: put(lane, path); break;
		case 3: put(lane, path); break;
		case 4: put(lane, path); break;
		case 5: put(lane, path); break;
		case 6: put(lane, path); break;
		case 7: put(lane, path); break;
		case 8: put(lane, path); break;
		default: put(lane, path); break;
		}
	}

	private static boolean keeps(int path) {
		return path % KEEP_EVERY == 0;
	}

	/** The garbage beside it makes the nodes that stay outlive several collections. */
	private static void put(Lane lane, int path) {
		lane.last = new byte[GARBAGE];
		if (keeps(path))
			keep(lane, path);
		else
			drop(lane, lane.keys[path][0]);
	}

	/** Removes first what this path has put under the same key, ROUNDS puts ago. */
	private static void keep(Lane lane, int path) {
		Integer key = lane.keys[path][lane.puts[path]++ % ROUNDS];
		lane.kept.remove(key);
		lane.kept.put(key, lane);
		lane.keptPuts++;
	}

	private static void drop(Lane lane, Integer key) {
		lane.dropped.put(key, lane);
		lane.dropped.remove(key);
	}

	@Override
	public void tell(Truth truth) {
		long puts = 0, kept = 0;
		for (Lane lane : lanes) {
			puts += lane.operations * PUTS;
			kept += lane.keptPuts;
		}
		truth.site("java.util.HashMap.newNode", "java.util.HashMap$Node", "keep", kept,
			(long) ROUNDS * PATHS / PUTS);
		truth.site("java.util.HashMap.newNode", "java.util.HashMap$Node", "drop", puts - kept, 0);
		truth.site("ContextsLoad.put", "byte[]", "-", puts, 0);
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new ContextsLoad(threads));
	}
}
