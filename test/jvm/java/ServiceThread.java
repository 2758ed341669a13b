import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The VM's thread that tells the deaths of tagged objects, some time after the collection that found them (JDK 16 and later).
 * It is woken before the collection ends, so it has told all when it sleeps.
 */
final class ServiceThread {
	private static final int LOOKS = 3;
	private final File task = find();
	private final byte[] text = new byte[4096];

	private static File find() {
		for (File task : new File("/proc/self/task").listFiles())
			try (FileInputStream in = new FileInputStream(new File(task, "comm"))) {
				if (new String(in.readAllBytes(), StandardCharsets.UTF_8).trim().equals("Service Thread"))
					return task;
			} catch (IOException e) {
				continue; // it has ended
			}
		throw new IllegalStateException("no Service Thread");
	}

	private String read(String line) {
		try (FileInputStream in = new FileInputStream(new File(task, "status"))) {
			String all = new String(text, 0, in.read(text), StandardCharsets.UTF_8);
			int at = all.indexOf(line);
			return all.substring(at, all.indexOf('\n', at));
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	/** Waits until it sleeps, and has not run from one look to the next. */
	void await() {
		String last = "";
		for (int calm = 0; calm < LOOKS;) {
			String switches = read("voluntary_ctxt_switches");
			calm = read("State").contains("S (sleeping)") && switches.equals(last) ? calm + 1 : 0;
			last = switches;
			if (calm < LOOKS)
				Thread.yield();
		}
	}
}
