import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Counts the words of a page that it makes up. Everything dies with its operation: there is nothing to gain from
 * knowing lifetimes.
 */
public final class NothingLoad implements Load {
	private static final int WORDS = 120;
	private static final int VOCABULARY = 500;

	/** Only what escapes is allocated for certain: the counts of the last operation do. */
	private final Object[] last;
	private final long[] operations;

	private NothingLoad(int threads) {
		last = new Object[threads];
		operations = new long[threads];
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		last[thread] = count(words(page(r)));
		operations[thread]++;
	}

	private static String page(SplittableRandom r) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < WORDS; i++)
			text.append("word").append(r.nextInt(VOCABULARY)).append(' ');
		return text.toString();
	}

	private static List<String> words(String page) {
		List<String> words = new ArrayList<>();
		for (int from = 0, to; (to = page.indexOf(' ', from)) >= 0; from = to + 1)
			words.add(page.substring(from, to));
		return words;
	}

	private static Map<String, int[]> count(List<String> words) {
		Map<String, int[]> counts = new HashMap<>();
		for (String word : words)
			counts.computeIfAbsent(word, w -> new int[1])[0]++;
		return counts;
	}

	@Override
	public void tell(Truth truth) {
		long all = 0;
		for (long n : operations)
			all += n;
		truth.site("NothingLoad.words", "java.util.ArrayList", "-", all, 0);
		truth.site("NothingLoad.count", "java.util.HashMap", "-", all, 0);
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new NothingLoad(threads));
	}
}
