import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Strings that are equal, of which the collector is to make share their text (-XX:+UseStringDeduplication): says how many texts there are
 * once they do, or after as many rounds as the first argument says. Wants --add-opens java.base/java.lang=ALL-UNNAMED.
 */
public class Dedup {
	static final int STRINGS = 4000, TEXTS = 4;
	static volatile Object sink;

	static String text(char[] chars) {
		return new String(chars);
	}

	private static int texts(String[] strings) throws Exception {
		Field value = String.class.getDeclaredField("value");
		value.setAccessible(true);
		Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
		for (String s : strings)
			distinct.add(value.get(s));
		return distinct.size();
	}

	public static void main(String[] args) throws Exception {
		String[] strings = new String[STRINGS];
		for (int i = 0; i < STRINGS; i++)
			strings[i] = text(("what they all say " + i % TEXTS).toCharArray());
		int texts = STRINGS;
		for (int round = Integer.parseInt(args[0]); texts > STRINGS / 10 && round > 0; round--) {
			for (int i = 0; i < 4000; i++)
				sink = new byte[4000];
			texts = texts(strings);
		}
		System.out.println("ready\ntexts " + texts + "\ndone");
	}
}
