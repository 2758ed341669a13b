import java.util.Map;
import java.util.TreeMap;

/** What a workload can be told beside how much work to do: numbers with names and defaults. */
final class Settings {
	/** Its message tells the user what can't be. */
	static final class Wrong extends RuntimeException {
		private static final long serialVersionUID = 1;

		Wrong(String what) {
			super(what);
		}
	}

	private final Map<String, Integer> values;

	Settings() {
		this(Map.of());
	}

	Settings(Map<String, Integer> defaults) {
		values = new TreeMap<>(defaults);
	}

	/** Takes the KEY=VALUE arguments from the given one on. Throws Wrong. */
	void take(String[] args, int from) {
		for (int i = from; i < args.length; i++)
			take(args[i]);
	}

	private void take(String text) {
		int equals = text.indexOf('=');
		String key = equals < 0 ? text : text.substring(0, equals);
		if (equals < 0 || !values.containsKey(key))
			throw new Wrong("no setting: " + text + " (there is " + values.keySet() + ")");
		String value = text.substring(equals + 1);
		if (!value.matches("[1-9][0-9]{0,8}"))
			throw new Wrong("not a number above 0: " + text);
		values.put(key, Integer.parseInt(value));
	}

	int get(String key) {
		return values.get(key);
	}
}
