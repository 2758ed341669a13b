import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time that the collector's threads have used until now, in ns, from what Linux tells of each thread: those that
 * work in pauses (the VM's thread too, which is Serial's collector), and G1's that work beside the program. -1 where
 * that can't be had.
 */
final class Collector {
	final long pausing, concurrent;

	private Collector(long pausing, long concurrent) {
		this.pausing = pausing;
		this.concurrent = concurrent;
	}

	static long spent(long before, long now) {
		return before < 0 || now < 0 ? -1 : now - before;
	}

	static Collector now() {
		long pausing = 0, concurrent = 0;
		try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
			for (Path thread : threads) {
				String name = name(thread);
				if (name.matches("(?s)(GC|ParGC|VM) Thread.*"))
					pausing += nanoseconds(thread);
				else if (name.startsWith("G1 "))
					concurrent += nanoseconds(thread);
			}
		} catch (IOException e) {
			return new Collector(-1, -1);
		}
		return new Collector(pausing, concurrent);
	}

	/** Empty where the thread has ended since it was listed: then it is not the collector's. */
	private static String name(Path thread) {
		try {
			return Files.readString(thread.resolve("comm"));
		} catch (IOException e) {
			return "";
		}
	}

	private static long nanoseconds(Path thread) throws IOException {
		String text = Files.readString(thread.resolve("schedstat"));
		return Long.parseLong(text.substring(0, text.indexOf(' ')));
	}
}
