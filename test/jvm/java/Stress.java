import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * All that makes life hard for an agent, at once: threads that start and die, classes that come and go, stacks that overflow,
 * virtual threads, children. Ends in one of several ways.
 *
 * usage: Stress ROUNDS END     END: return, exit, exit-in-hook, halt, throw, oom, forever
 */
public class Stress {
	static volatile Object sink;
	static final List<Throwable> failures = new ArrayList<>();

	interface Task { void run() throws Exception; }

	static Thread start(String name, Task task) {
		Thread thread = new Thread(() -> attempt(task), name);
		thread.start();
		return thread;
	}

	static void attempt(Task task) {
		try {
			task.run();
		} catch (Throwable e) {
			synchronized (failures) {
				failures.add(e);
			}
		}
	}

	static void churn(int count) {
		for (int i = 0; i < count; i++)
			sink = new byte[16 + (i * 31) % 2000];
	}

	static void threads() throws Exception {
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < 20; i++)
			all.add(start("short-lived " + i, () -> churn(500)));
		for (Thread thread : all)
			thread.join();
	}

	/** Defined anew by each throw-away loader. */
	public static class Guest implements Supplier<Object> {
		public Object get() {
			IntFunction<Object> lambda = n -> new long[n];
			List<Object> made = new ArrayList<>();
			for (int i = 0; i < 200; i++)
				made.add(lambda.apply(i));
			return made;
		}
	}

	static final class ThrowAway extends ClassLoader {
		ThrowAway() { super(Stress.class.getClassLoader()); }

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals("Stress$Guest"))
				return super.loadClass(name, resolve);
			try (InputStream in = Stress.class.getResourceAsStream("Stress$Guest.class")) {
				byte[] code = in.readAllBytes();
				return defineClass(name, code, 0, code.length);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static void loaders() throws Exception {
		for (int i = 0; i < 10; i++) {
			Supplier<?> guest = (Supplier<?>) new ThrowAway().loadClass("Stress$Guest").getDeclaredConstructor().newInstance();
			sink = guest.get();
			Runnable proxy = (Runnable) Proxy.newProxyInstance(new ThrowAway(), new Class<?>[] {Runnable.class},
				(self, method, args) -> sink = new int[100]);
			proxy.run();
		}
		sink = null;
		System.gc(); // unloads them
	}

	static int dive(int n) {
		byte[] load = new byte[64];
		sink = load;
		return dive(n + 1) + load.length;
	}

	static void overflow() {
		try {
			dive(0);
		} catch (StackOverflowError e) {
			sink = e;
		}
	}

	static void exceptions() {
		for (int i = 0; i < 500; i++)
			try {
				sink = Integer.valueOf("no number " + i);
			} catch (NumberFormatException e) {
				sink = e;
			}
	}

	static void collections() {
		Map<String, Object> map = new HashMap<>();
		for (int i = 0; i < 5000; i++)
			map.put("key " + i % 700, new Object[i % 50]);
		sink = map;
	}

	private static final Object[] monitors = {new Object(), new Object(), new Object(), new Object()};

	/** On 21 and later: some park, some are pinned by a monitor, all allocate before and after. */
	static void virtual() throws Exception {
		Method start;
		try {
			start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		} catch (NoSuchMethodException e) {
			return;
		}
		int count = 2000;
		CountDownLatch done = new CountDownLatch(count);
		for (int i = 0; i < count; i++) {
			int number = i;
			Runnable body = () -> {
				churn(20);
				if (number % 3 == 0)
					LockSupport.parkNanos(100_000);
				else if (number % 3 == 1)
					synchronized (monitors[number % monitors.length]) {
						churn(5);
						LockSupport.parkNanos(1000);
					}
				else
					Thread.yield();
				churn(20);
				done.countDown();
			};
			start.invoke(null, body);
		}
		done.await();
	}

	static void child() throws Exception {
		Process process = new ProcessBuilder("/bin/echo", "child").start();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		process.getInputStream().transferTo(out);
		if (process.waitFor() != 0 || !out.toString().equals("child\n"))
			throw new IllegalStateException("child said " + out);
	}

	static void round() throws Exception {
		Task[] tasks = {Stress::threads, Stress::loaders, Stress::overflow, Stress::exceptions, Stress::collections,
			Stress::virtual, Stress::child, () -> churn(100_000)};
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < tasks.length; i++)
			all.add(start("task " + i, tasks[i]));
		for (Thread thread : all)
			thread.join();
	}

	static void end(String how) {
		switch (how) {
		case "exit":
			System.exit(3);
		case "exit-in-hook": // hangs for ever by the book
			Runtime.getRuntime().addShutdownHook(new Thread(() -> System.exit(4)));
			System.exit(3);
		case "halt":
			Runtime.getRuntime().halt(5);
		case "throw":
			throw new IllegalArgumentException("as asked for");
		case "oom":
			List<byte[]> all = new ArrayList<>();
			while (true)
				all.add(new byte[100_000]);
		default:
		}
	}

	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		boolean forever = args[1].equals("forever");
		for (int i = Integer.parseInt(args[0]); i > 0 || forever; i--)
			round();
		for (Throwable failure : failures)
			failure.printStackTrace();
		System.out.println(failures.isEmpty() ? "done" : "failed");
		System.out.flush();
		end(args[1]);
	}
}
