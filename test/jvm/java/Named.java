/**
 * Threads "left 0" to "left 2" and "right 0" to "right 2", and, where the VM has them, as many virtual threads named "virtual",
 * all at once, each of which allocates a few megabytes. The main thread allocates next to nothing.
 */
public class Named {
	static volatile Object sink;

	static void work() {
		for (int i = 0; i < 40_000; i++)
			sink = new byte[100];
	}

	static void start(Thread[] threads, String name, int at) {
		for (int i = 0; i < 3; i++)
			(threads[at + i] = new Thread(Named::work, name + " " + i)).start();
	}

	/** By reflection: this file is compiled for JDK 11. */
	static void startVirtual(Thread[] threads, int at) throws ReflectiveOperationException {
		Class<?> builder = Class.forName("java.lang.Thread$Builder");
		for (int i = 0; i < 3; i++) {
			Object named = builder.getMethod("name", String.class).invoke(Thread.class.getMethod("ofVirtual").invoke(null), "virtual");
			threads[at + i] = (Thread) builder.getMethod("start", Runnable.class).invoke(named, (Runnable) Named::work);
		}
	}

	public static void main(String[] args) throws Exception {
		boolean virtual = Runtime.version().feature() >= 21;
		Thread[] threads = new Thread[virtual ? 9 : 6];
		start(threads, "left", 0);
		start(threads, "right", 3);
		if (virtual)
			startVirtual(threads, 6);
		for (Thread thread : threads)
			thread.join();
	}
}
