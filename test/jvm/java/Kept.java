import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A tenth of what it makes is kept for dozens of collections, the rest dies at once (short: all of it; mixed: but for a part that
 * survives one or two; family: the same, and parents, each with some children, that are a thousandth of all that is
 * copied, or with what dies young as a rule; started: what is kept is kept from the start, and then nothing). It does as it is told, step by step, and
 * says what there is to say of its objects' ages and of the VM's bound.
 *
 * usage: Kept long|mixed|family|hidden|short|started STEP...      steps are read from stdin where it is -, to its end
 *
 *   gcs N        goes on until there were N more young collections
 *   bound        says MaxTenuringThreshold
 *   ages         says how many of 100 new objects are as old as can be: a Kept$Node, its long[], a Kept$Late's
 *   acted        goes on until a new long[] is as old as can be, for a minute at most
 *   hot          says how many of 100 objects are, once all is compiled: a Kept$Late's arrays, where it is seen by others or not
 *   steady       says how many of the last 1000 of many objects are: a Kept$Late's arrays, where it is seen by others or not
 *   arm          lets java.lang.MayflyAge act again, where it is still called (needs --add-opens java.base/java.lang=ALL-UNNAMED)
 *   disarm       keeps it from acting (the same)
 *   late         a class is loaded that was not needed before
 *   word         says a constant, for those that change classes
 *   turn         from now on what was kept is kept for three collections or so
 *   loop         a method begins that does not return before the end
 */
public class Kept {
	private static final int NODES = 20_000;
	/** What they live for must be one or two collections, so it goes by the size of eden. */
	private static final int IN_FLIGHT = Integer.getInteger("kept.flight", 3_000);
	private static final int STARTED = 5_000;
	private static final int WASTE = 14;
	private static final int HOT = 1_000_000;

	static final class Node {
		long key;
		long[] text;
		Object other;
	}

	static final class Parent {
		Object child;
		long a, b, c, d, e, f;
	}

	static final class Child {
		long a, b, c, d, e, f, g, h;
	}

	/** Two places in one method: what stands before the second moves it. */
	static final class Late {
		final byte[] first;
		final short[] second;

		Late(int size) {
			first = new byte[size];
			second = new short[size];
		}
	}

	private static volatile boolean over, turned;
	private static volatile Object sink, beside;
	private static long loops;

	static Node node(long key) {
		Node node = new Node();
		node.key = key;
		node.text = text();
		return node;
	}

	static long[] text() {
		return new long[40];
	}

	static int[] flight() {
		return new int[100];
	}

	static String word() {
		return "as it was";
	}

	static Object two(int size) {
		boolean[] first = new boolean[size]; // of which the VM makes none by itself
		short[] second = new short[size];
		beside = first; // or a compiler does without it
		return second;
	}

	static Parent parent() {
		return new Parent();
	}

	static Child child() {
		return new Child();
	}

	/** The loop, in a class of its own: a class is not rewritten while its code is at work. */
	static final class Work {
		/** Of 100 arrays there is a parent; of 6 parents one has a child, of 48 one has what is in flight. */
		private static void family() {
			long[][] kept = new long[NODES][];
			Parent[] parents = new Parent[NODES / 100];
			int[][] inFlight = new int[2 * IN_FLIGHT][];
			for (long i = 0; !over; i++) {
				kept[(int) (i % NODES)] = text();
				int[] flight = inFlight[(int) (i % inFlight.length)] = flight();
				sink = new char[400];
				if (i % 100 != 0)
					continue;
				Parent parent = parents[(int) (i / 100 % parents.length)] = parent();
				if (i % 600 == 0)
					parent.child = child();
				else if (i % 4800 == 100)
					parent.child = flight;
			}
		}

		private static void waste() {
			for (int i = 0; i < WASTE; i++)
				sink = new char[100 + i];
		}

		private static void work(String mode) throws InterruptedException {
			Node[] kept = new Node[NODES];
			Object[] inFlight = new Object[IN_FLIGHT];
			Supplier<Node> maker = Node::new;
			for (long i = 0; !over; i++) {
				Node node;
				if (mode.equals("hidden")) {
					node = maker.get();
					node.key = i;
				} else
					node = node(i);
				if (mode.equals("short") || mode.equals("started") && i >= STARTED)
					sink = node;
				else if (turned)
					inFlight[(int) (i % IN_FLIGHT)] = node;
				else
					kept[(int) (i % NODES)] = node;
				if (mode.equals("mixed") || mode.equals("hidden"))
					inFlight[(int) (i % IN_FLIGHT)] = flight();
				sink = two(20);
				waste();
				if (i % 300 == 0)
					Thread.sleep(6);
				Node one = kept[(int) (i * 7919 % NODES)];
				if (one != null && (!mode.equals("hidden") && one.key > i || one.text != null && one.text.length != 40))
					throw new IllegalStateException("an object is not what it was");
			}
		}

		static void run(String mode) {
			try {
				if (mode.equals("family"))
					family();
				else
					work(mode);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	/** Another, which does not even end. */
	static final class Loop {
		static void loop() {
			Node[] kept = new Node[1000];
			while (!over) {
				Node node = new Node();
				node.key = loops;
				kept[(int) (loops++ % kept.length)] = node;
				if (loops % 1000 == 0)
					Thread.yield();
			}
		}
	}

	/** What waits, in another, for the same reason: on a busy machine it is seen at work. */
	static final class Waiting {
		private static long collections() {
			long count = 0;
			for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
				if (bean.getName().matches("G1 Young Generation|Copy|PS Scavenge|.*Pauses|ZGC"))
					count += bean.getCollectionCount();
			return count;
		}

		static void await(long more) throws InterruptedException {
			for (long until = collections() + more; collections() < until && !over;)
				Thread.sleep(1);
		}

		/** Where a class comes before anybody listens, it is rewritten beside the program. */
		static void awaitActed() throws Exception {
			Method age = Class.forName("java.lang.MayflyAge").getMethod("age", Object.class);
			for (int i = 0; i < 60_000 && (Integer) age.invoke(null, Kept.text()) != 15; i++)
				Thread.sleep(1);
		}
	}

	private static String bound() {
		return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("MaxTenuringThreshold").getValue();
	}

	private static int old(Supplier<?> maker) throws Exception {
		int old = 0;
		for (int i = 0; i < 100; i++)
			if ((Integer) Class.forName("java.lang.MayflyAge").getMethod("age", Object.class).invoke(null, maker.get()) == 15)
				old++;
		return old;
	}

	private static String ages() throws Exception {
		try {
			return old(() -> node(1)) + " " + old(Kept::text) + " " + old(() -> new Late(9).first) + " " + old(() -> new Late(9).second);
		} catch (ClassNotFoundException e) {
			return "nobody tells";
		}
	}

	private static Object shown() {
		Late late = new Late(9);
		sink = late;
		return late.first;
	}

	private static int hot(Supplier<?> maker) throws Exception {
		Method age = Class.forName("java.lang.MayflyAge").getMethod("age", Object.class);
		int old = 0;
		for (int i = 0; i < HOT; i++)
			if ((Integer) age.invoke(null, maker.get()) == 15 && i >= HOT / 2)
				old++;
		return old * 200 / HOT;
	}

	private static int steady(Supplier<?> maker) throws Exception {
		Method age = Class.forName("java.lang.MayflyAge").getMethod("age", Object.class);
		int old = 0;
		for (int i = 0; i < 3 * HOT; i++)
			if ((Integer) age.invoke(null, maker.get()) == 15 && i >= 3 * HOT - 1000)
				old++;
		return old / 10;
	}

	private static void arm(long to) throws Exception {
		Field jump = Class.forName("java.lang.MayflyAge").getDeclaredField("jump");
		jump.setAccessible(true);
		jump.setLong(null, to);
	}

	private static void step(String name, Iterator<String> more) throws Exception {
		switch (name) {
		case "gcs":
			Waiting.await(Long.parseLong(more.next()));
			System.out.println("gcs");
			break;
		case "bound":
			System.out.println("bound " + bound());
			break;
		case "acted":
			Waiting.awaitActed();
			System.out.println("acted");
			break;
		case "ages":
			System.out.println("ages " + ages());
			break;
		case "hot":
			System.out.println("hot " + hot(() -> new Late(9).first) + " " + hot(() -> new Late(9).second) + " " + hot(Kept::shown) + " "
				+ hot(Kept::text));
			break;
		case "arm":
			arm(0xf8);
			System.out.println("arm");
			break;
		case "disarm":
			arm(0);
			System.out.println("disarm");
			break;
		case "steady":
			System.out.println("steady " + steady(() -> new Late(9).first) + " " + steady(() -> new Late(9).second) + " "
				+ steady(Kept::shown) + " " + steady(Kept::text));
			break;
		case "late":
			sink = new Late(9);
			System.out.println("late");
			break;
		case "word":
			System.out.println("word " + word());
			break;
		case "turn":
			turned = true;
			System.out.println("turn");
			break;
		case "loop":
			start(Loop::loop);
			System.out.println("loop");
			break;
		default:
			throw new IllegalArgumentException(name);
		}
	}

	private static Thread start(Runnable task) {
		Thread thread = new Thread(task);
		thread.setUncaughtExceptionHandler((t, e) -> {
			e.printStackTrace();
			Runtime.getRuntime().halt(9);
		});
		thread.start();
		return thread;
	}

	private static Stream<String> lines() {
		return new BufferedReader(new InputStreamReader(System.in)).lines().flatMap(line -> Arrays.stream(line.split(" ")));
	}

	public static void main(String[] args) throws Exception {
		Thread worker = start(() -> Work.run(args[0]));
		System.out.println("ready");
		Stream<String> steps = args[1].equals("-") ? lines() : Arrays.stream(args).skip(1);
		for (Iterator<String> all = steps.iterator(); all.hasNext();)
			step(all.next(), all);
		over = true;
		worker.join();
		System.out.println("done");
	}
}
