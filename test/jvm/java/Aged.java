import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;

/**
 * Has code that knows methods as they were: of a class that is redefined all the time, while threads stand in its methods and the heap is
 * collected fifty times a second. Until a line comes on its stdin. It is its own Java agent.
 */
public class Aged {
	static volatile Object sink;
	static volatile boolean over;
	static Instrumentation instrumentation;

	static class Odds {
	}

	static class Even {
	}

	static class Kind {
		static Object one(int depth) throws Exception {
			return depth % 7 == 0 ? new Odds() : two(depth - 1);
		}

		static Object two(int depth) throws Exception {
			return depth % 5 == 0 ? new Odds() : three(depth - 1);
		}

		static Object three(int depth) throws Exception {
			return depth % 3 == 0 ? new Odds() : four(depth - 1);
		}

		static Object four(int depth) throws Exception {
			if (depth % 64 == 2)
				Thread.sleep(3);
			return depth < 4 ? new Odds() : one(depth - 1);
		}
	}

	interface Task {
		void run() throws Exception;
	}

	static Thread again(Task task) {
		Thread thread = new Thread(() -> {
			try {
				while (!over)
					task.run();
			} catch (Throwable e) {
				System.out.println(e);
			}
		});
		thread.start();
		return thread;
	}

	public static void premain(String options, Instrumentation given) {
		instrumentation = given;
	}

	static byte[] code(boolean even) throws Exception {
		try (InputStream in = Aged.class.getResourceAsStream("Aged$Kind.class")) {
			String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
			return (even ? code.replace("Aged$Odds", "Aged$Even") : code).getBytes(StandardCharsets.ISO_8859_1);
		}
	}

	static int turns;

	static void redefine(byte[][] codes) throws Exception {
		instrumentation.redefineClasses(new ClassDefinition(Kind.class, codes[turns++ % 2]));
		if (turns % 5 == 0)
			Thread.sleep(1);
	}

	static void work() throws Exception {
		for (int i = 0; i < 200; i++)
			sink = Kind.one(i);
	}

	public static void main(String[] args) throws Exception {
		byte[][] codes = {code(true), code(false)};
		Thread[] all = {again(Aged::work), again(Aged::work), again(Aged::work), again(Aged::work), again(() -> redefine(codes)), again(() -> {
			System.gc();
			Thread.sleep(20);
		})};
		System.out.println("ready");
		System.in.read();
		over = true;
		for (Thread thread : all)
			thread.join();
		System.out.println("sum " + turns);
	}
}
