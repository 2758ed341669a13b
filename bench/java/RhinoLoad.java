import java.util.SplittableRandom;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Scriptable;

/**
 * JavaScript in Rhino's interpreter: an operation makes a table of records, filters, sorts and groups it with closures
 * and puts a summary into a history, which keeps the last KEPT.
 */
public final class RhinoLoad implements Load {
	private static final int KEPT = 2_000;

	private static final String SCRIPT = "var history = [], turn = 0;\n"
		+ "function random(s) { return (s * 16807) % 2147483647; }\n"
		+ "function records(n, s) {\n"
		+ "  var all = [];\n"
		+ "  for (var i = 0; i < n; i++) {\n"
		+ "    s = random(s);\n"
		+ "    all.push({ id: i, name: 'name' + s % 97, score: s % 1000 / 10, tags: ['t' + s % 7, 't' + s % 11] });\n"
		+ "  }\n"
		+ "  return all;\n"
		+ "}\n"
		+ "function group(all, key) {\n"
		+ "  return all.reduce(function (groups, r) {\n"
		+ "    (groups[key(r)] = groups[key(r)] || []).push(r);\n"
		+ "    return groups;\n"
		+ "  }, {});\n"
		+ "}\n"
		+ "function operate(seed, kept) {\n"
		+ "  var all = records(60, seed).filter(function (r) { return r.score > 20; });\n"
		+ "  all.sort(function (a, b) { return b.score - a.score; });\n"
		+ "  var byTag = group(all, function (r) { return r.tags[0]; });\n"
		+ "  var lines = Object.keys(byTag).map(function (tag) {\n"
		+ "    return tag + ': ' + byTag[tag].map(function (r) { return r.name.replace(/a/g, 'A'); }).join(', ');\n"
		+ "  });\n"
		+ "  history[turn++ % kept] = { best: all.slice(0, 5), lines: lines };\n"
		+ "  return lines.length;\n"
		+ "}\n";

	/** One thread's world. Entered by it for each operation. */
	private static final class Lane {
		Scriptable scope;
		Function operate;
	}

	private final Lane[] lanes;

	private RhinoLoad(int threads) {
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = load();
	}

	private static Context enter() {
		Context context = Context.enter();
		context.setOptimizationLevel(-1);
		context.setLanguageVersion(Context.VERSION_ES6);
		return context;
	}

	private static Lane load() {
		Context context = enter();
		try {
			Lane lane = new Lane();
			lane.scope = context.initStandardObjects();
			context.evaluateString(lane.scope, SCRIPT, "operate.js", 1, null);
			lane.operate = (Function) lane.scope.get("operate", lane.scope);
			return lane;
		} finally {
			Context.exit();
		}
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		Context context = enter();
		try {
			lane.operate.call(context, lane.scope, lane.scope, new Object[] {1 + r.nextInt(2_000_000_000), KEPT});
		} finally {
			Context.exit();
		}
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new RhinoLoad(threads));
	}
}
