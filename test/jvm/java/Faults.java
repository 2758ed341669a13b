import java.io.File;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What goes wrong around allocations in real life, with a count of what was allocated: threads in great numbers, threads that are
 * killed or run out of stack or memory, signals. At the end it tells how many objects of its own classes there were ("made CLASS
 * LEAST MOST": a thread that was killed may have made one more or less), the VM's histograms, and "good", or what was wrong.
 *
 * usage: Faults MODE SCALE [LIBRARY]     LIBRARY: faults_agent.so, for what only native code can do
 */
public class Faults {
	static final int ITEMS = 20; /* of a short thread */

	static class Item { Object a, b; int c; }

	static final class Late extends Item { }

	static volatile Object sink;
	static volatile boolean over;
	static volatile String wrong;

	interface Task { void run() throws Throwable; }

	/** Objects of a class: begun before, done after the allocation. */
	static final class Count {
		final AtomicLong least = new AtomicLong(), most = new AtomicLong();

		void add(long[] both) {
			most.addAndGet(both[0]);
			least.addAndGet(both[1]);
		}
	}

	static final Count items = new Count(), lates = new Count();

	static Item make(long[] both) {
		both[0]++;
		Item made = new Item();
		sink = made;
		both[1]++;
		return made;
	}

	static void makeLate(long[] both) {
		both[0]++;
		sink = new Late();
		both[1]++;
	}

	static Thread thread(String name, long stack, Task task) {
		return new Thread(null, () -> {
			try {
				task.run();
			} catch (Throwable e) {
				wrong = e.toString();
			}
		}, name, stack);
	}

	/* Virtual threads. */

	static Thread virtual(Runnable task) throws Exception {
		return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
	}

	/** Frames of different sizes, with objects in them, that stay while the thread is parked. */
	static long deep(int depth, long[] both, boolean last) {
		Object mine = new long[depth & 3];
		make(both);
		Object local = sink;
		long sum = depth > 0 ? deep(depth - 1, both, last) : stand(both, last);
		return sum + mine.hashCode() % 2 + (local == null ? 1 : 0);
	}

	static long stand(long[] both, boolean last) {
		for (int i = 0; i < 6; i++) {
			make(both);
			if (i == 2)
				Thread.yield();
			if (i == 4)
				LockSupport.parkNanos(50_000);
		}
		if (last) {
			items.add(both); /* it stays here for good */
			standing.release();
			while (true)
				LockSupport.park();
		}
		return 0;
	}

	static final int STANDING = 400, AT_ONCE = 400;
	static final Semaphore room = new Semaphore(AT_ONCE), standing = new Semaphore(0);

	static void visit(int number) {
		long[] both = new long[2];
		deep(number % 50, both, false);
		if (number % 10 == 0)
			synchronized (both) { /* pinned, where the release does that */
				LockSupport.parkNanos(20_000);
				make(both);
			}
		items.add(both);
		room.release();
	}

	static void virtualThreads(int count) throws Exception {
		for (int i = 0; i < count; i++) {
			int number = i;
			room.acquire();
			virtual(() -> visit(number));
			if (i % (count / 4) == count / 8)
				System.gc();
		}
		room.acquire(AT_ONCE);
		List<Thread> kept = new ArrayList<>();
		for (int i = 0; i < STANDING; i++) {
			int number = i;
			kept.add(virtual(() -> deep(number % 50, new long[2], true)));
		}
		standing.acquire(STANDING);
		for (Thread thread : kept)
			while (thread.getState() != Thread.State.WAITING)
				Thread.onSpinWait();
		sink = kept;
	}

	/* Short threads. */

	static void brief(long[] both) {
		for (int i = 0; i < ITEMS; i++)
			make(both);
		items.add(both);
	}

	static long resident() throws Exception {
		for (String line : Files.readAllLines(Paths.get("/proc/self/status")))
			if (line.startsWith("VmRSS"))
				return Long.parseLong(line.replaceAll("\\D", ""));
		return 0;
	}

	static native void attached(int threads, int objects, Class<?> type);

	static void shortThreads(int count) throws Exception {
		final int group = 16;
		for (int i = 0; i < count; i += group) {
			Thread[] threads = new Thread[group];
			for (int k = 0; k < group; k++)
				(threads[k] = thread("brief", 0, () -> brief(new long[2]))).start();
			for (Thread thread : threads)
				thread.join();
			if (i / group == count / group / 3 || i + group >= count)
				System.out.println("resident " + resident());
		}
	}

	static void nativeThreads(int count) {
		attached(count, ITEMS, Late.class);
		long made = (long) count * ITEMS;
		lates.add(new long[] {made, made});
	}

	/* Threads that are killed. */

	static void killed(int count) throws Throwable {
		for (int i = 0; i < count; i++) {
			long[] both = new long[2];
			CountDownLatch runs = new CountDownLatch(1);
			Thread thread = new Thread(() -> {
				runs.countDown();
				try {
					while (true)
						make(both);
				} catch (ThreadDeath e) {
					items.add(both);
				}
			});
			thread.start();
			runs.await();
			LockSupport.parkNanos(i % 20 * 50_000L);
			Thread.class.getMethod("stop").invoke(thread);
			thread.join();
		}
	}

	/** Defined anew by each loader: each is another class, and a place that is new. */
	public static class Guest implements Supplier<Object> {
		public Object get() { return new Guest(); }
	}

	/** Makes something if it is asked for more than nothing. */
	public static class Maker implements IntFunction<Object> {
		public Object apply(int count) { return count > 0 ? new Object() : null; }
	}

	/** Knows the guest by this name, which must be as long. */
	static final class Loader extends ClassLoader {
		final String name, guest;

		Loader(String name, String guest) {
			super(Faults.class.getClassLoader());
			this.name = name;
			this.guest = guest;
		}

		byte[] code() throws java.io.IOException {
			try (InputStream in = Faults.class.getResourceAsStream(guest + ".class")) {
				String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
				return code.replace(guest, name).getBytes(StandardCharsets.ISO_8859_1);
			}
		}

		@Override
		protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
			if (!wanted.equals(name))
				return super.loadClass(wanted, resolve);
			try {
				byte[] code = code();
				return defineClass(name, code, 0, code.length);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static Object guest(String name, String guest) throws Exception {
		return new Loader(name, guest).loadClass(name).getDeclaredConstructor().newInstance();
	}

	static Supplier<?> guest(String name) throws Exception {
		return (Supplier<?>) guest(name, "Faults$Guest");
	}

	static final List<Supplier<?>> guests = new ArrayList<>();

	static void invite(int count) throws Exception {
		for (int i = 0; i < count; i++)
			guests.add(guest("Faults$Guest"));
	}

	/** A place that was never met, where there is next to no stack left. */
	static void meet() {
		Supplier<?> guest = null;
		synchronized (guests) {
			if (!guests.isEmpty())
				guest = guests.get(guests.size() - 1);
		}
		if (guest == null)
			return;
		sink = guest.get();
		sink = Array.newInstance(guest.getClass(), 1); /* the VM itself allocates, and makes a class */
		synchronized (guests) {
			guests.remove(guest);
		}
	}

	static int fall(long[] both, int depth) {
		make(both);
		int end;
		try {
			end = fall(both, depth + 1);
		} catch (StackOverflowError e) {
			end = depth;
		}
		if (end - depth < 24)
			try {
				makeLate(lateBoth.get());
				meet();
			} catch (StackOverflowError e) {
				end = depth;
			}
		return end;
	}

	static final ThreadLocal<long[]> lateBoth = ThreadLocal.withInitial(() -> new long[2]);

	static void overflowing(int count) throws Exception {
		invite(count * 4);
		for (int i = 0; i < count; i++) {
			long stack = (256 << 10) + i % 61 * 1008;
			Thread thread = thread("falls", stack, () -> {
				long[] both = new long[2];
				lateBoth.get();
				for (int k = 0; k < 8; k++)
					fall(both, 0);
				items.add(both);
				lates.add(lateBoth.get());
			});
			thread.start();
			thread.join();
		}
		System.out.println("guests " + guests.size());
	}

	/** Classes come and go, each where another has been; how many objects of each there were. */
	static void unloading(int rounds) throws Exception {
		final int classes = 64;
		for (int round = 0; round < rounds; round++) {
			for (int i = 0; i < classes; i++) {
				String name = String.format("Faults$G%04d", round * classes + i);
				Supplier<?> guest = guest(name);
				int count = 10 * (1 + (round * 7 + i) % 11);
				for (int k = 0; k < count; k++)
					sink = guest.get();
				System.out.println("made " + name + " " + (count + 1) + " " + (count + 1));
			}
			sink = null;
			System.gc();
		}
	}

	static void comeAndGo(int count) throws Exception {
		for (int i = 0; i < count; i++)
			sink = guest("Faults$Guest").get();
		sink = null;
	}

	/** Class loaders go in collections that a tool asks for, and others come to their places before the next one. */
	static void reborn() throws Exception {
		System.out.println("ready");
		do {
			comeAndGo(1500);
			System.out.println("dropped");
			System.out.flush();
			if (System.in.read() < 0)
				return;
			comeAndGo(300);
			System.gc();
		} while (true);
	}

	static Object[] again(Object[] array) {
		return array.clone();
	}

	/** Classes go in a collection that a tool asks for, while the VM has not told yet of the code that made arrays of them. It comes to
	 * that as the program ends. */
	static void gone(int classes) throws Exception {
		Object[][] plain = {new Object[3], new String[3], new Integer[3]};
		for (int i = 0; i < 60000; i++)
			sink = again(plain[i % plain.length]);
		for (int i = 0; i < classes; i++) {
			Object[] guests = (Object[]) Array.newInstance(guest(String.format("Faults$G%04d", i)).getClass(), 3);
			for (int k = 0; k < 10; k++)
				sink = again(guests);
		}
		sink = null;
		Storm.histogram();
		System.out.println("good");
		System.exit(0);
	}

	static Object ask(IntFunction<?> maker, int count) {
		return maker.apply(count);
	}

	static void warm(IntFunction<?> maker, boolean asked) {
		for (int i = 0; i < 3000; i++)
			sink = asked ? ask(maker, 0) : maker.apply(0);
	}

	static List<IntFunction<?>> makers(int count) throws Exception {
		List<IntFunction<?>> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			all.add((IntFunction<?>) guest(String.format("Faults$G%04d", i), "Faults$Maker"));
			warm(all.get(i), false);
		}
		return all;
	}

	static void letGo(List<IntFunction<?>> makers, File told, boolean there) throws Exception {
		while (!told.exists() && there)
			Thread.sleep(1);
		Thread.sleep(there ? 1000 : 1); /* their methods are being named, which takes 0.1 s each */
		makers.clear();
		Storm.histogram();
	}

	/** What compiled code of classes has made waits for its caller's code to be told of. When that is being told of, the classes go. */
	static void leaving(int classes, File told) throws Exception {
		List<IntFunction<?>> makers = makers(classes), none = new ArrayList<>();
		warm(new Maker(), true);
		for (int i = 0; i < 4; i++) { /* no place is new to mayfly at last: who names them would keep it waiting */
			if (i == 3)
				for (int k = 0; k < classes; k++) /* first those with others of them around, so that whole pages go */
					sink = ask(makers.get((k + classes / 2) % classes), 1);
			letGo(i == 3 ? makers : none, told, i == 3);
		}
		Thread.sleep(1000); /* who is in the middle of one comes to its end */
	}

	/* Memory that runs out. */

	static void starve(long[] both, long[] late) {
		for (int k = 0; k < 3; k++) {
			Item all = null;
			try {
				while (true) {
					Item item = make(both); /* the sink may be another's by now */
					item.a = all;
					item.b = new byte[4000];
					all = item;
				}
			} catch (OutOfMemoryError e) {
				sink = all = null;
				both[0] = both[1]; /* what was begun was not made */
			}
			try {
				sink = new long[Integer.MAX_VALUE];
			} catch (OutOfMemoryError e) {
				makeLate(late);
			}
		}
	}

	static void starving(int count) throws Exception {
		for (int i = 0; i < count; i++) {
			Thread[] threads = new Thread[2];
			for (int k = 0; k < 2; k++) {
				long[] both = new long[2], late = new long[2];
				(threads[k] = new Thread(() -> {
					while (!over)
						try {
							starve(both, late);
						} catch (OutOfMemoryError e) {
							sink = null;
							late[0] = late[1];
						}
					items.add(both);
					lates.add(late);
				})).start();
			}
			Thread.sleep(1500);
			over = true;
			for (Thread thread : threads)
				thread.join();
			over = false;
			sink = null;
		}
	}

	/* Signals. */

	static native void signals(int hertz);
	static native long walked();
	static native void trap(int action);

	static void spin(Task meanwhile) throws Throwable {
		Thread[] threads = new Thread[3];
		for (int i = 0; i < threads.length; i++)
			(threads[i] = thread("spins", 0, () -> {
				long[] both = new long[2];
				while (!over) {
					deepen(both, 12);
					Thread.yield();
				}
				items.add(both);
			})).start();
		meanwhile.run();
		over = true;
		for (Thread thread : threads)
			thread.join();
	}

	static void deepen(long[] both, int depth) {
		make(both);
		Object[] some = new Object[depth];
		some[0] = sink;
		if (depth > 1)
			deepen(both, depth - 1);
		sink = some.clone();
	}

	static void stormy(int hertz) throws Throwable {
		signals(hertz);
		spin(() -> {
			for (int i = 0; i < 6; i++) {
				Thread.sleep(400);
				System.gc();
			}
		});
		System.out.println("walked " + walked());
	}

	/** Another's handler comes and goes, and full collections go through ours. */
	static void traps(int count) throws Throwable {
		spin(() -> {
			for (int i = 0; i < count; i++) {
				trap(i % 4);
				System.gc();
				Thread.sleep(20);
			}
		});
	}

	/* Code that is made anew under those who run it. */

	static class Odds { int a; }

	static class Even { int a; }

	/** Whoever makes it anew puts Even where Odds is, and back. */
	static class Kind {
		static Object one() {
			Object made = new Odds();
			tell(made, 0);
			stop();
			return made;
		}

		static Object two() {
			Object made = new Odds();
			tell(made, 2);
			stop();
			return made;
		}
	}

	static final AtomicLong[] kinds = {new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()};

	static void tell(Object made, int method) {
		kinds[method + (made instanceof Even ? 1 : 0)].incrementAndGet();
	}

	/** Here a debugger waits. Whoever called it can be left, and called again, and all is counted. */
	static void stop() { }

	static void turn() {
		while (!over) {
			sink = Kind.one();
			sink = Kind.two();
		}
	}

	/** With one thread it is known how many each method made. */
	static void turning(int threads) throws Throwable {
		sink = Class.forName("Faults$Kind"); /* a debugger asks for it by name, and is told of classes that are linked */
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++)
			(all[i] = thread("turns", 0, Faults::turn)).start();
		await();
		for (Thread thread : all)
			thread.join();
		for (int i = 0; i < kinds.length; i++)
			System.out.println("made Faults$" + (i % 2 == 0 ? "Odds." : "Even.") + (i < 2 ? "one " : "two ") + kinds[i] + " " + kinds[i]);
	}

	/* The engine is made to give up, and goes on being there. */

	static native void silence();

	static void check(Item[] kept, int[] hashes) {
		for (int i = 0; i < kept.length; i++)
			if (kept[i] == null || kept[i].c != i || System.identityHashCode(kept[i]) != hashes[i])
				wrong = "object " + i + " is not what it was";
	}

	/** Objects come and go in the heap after it: what the engine knew of addresses is of others now. */
	static void silent(int seconds) throws Throwable {
		Item[] kept = new Item[50_000];
		int[] hashes = new int[kept.length];
		long end = System.nanoTime() + seconds * 1_000_000_000L;
		for (int round = 0; System.nanoTime() < end && wrong == null; round++) {
			for (int i = 0; i < kept.length; i++) {
				(kept[i] = new Item()).c = i;
				hashes[i] = i % 3 == 0 ? System.identityHashCode(kept[i]) : 0;
			}
			System.gc();
			for (int i = 0; i < kept.length; i++)
				hashes[i] = System.identityHashCode(kept[i]);
			if (round == 1)
				silence();
			for (int i = 0; i < 400_000; i++)
				sink = new byte[i % 90];
			System.gc();
			check(kept, hashes);
		}
	}

	static void busy(int seconds) throws Throwable {
		System.out.println("resident " + resident());
		spin(() -> Thread.sleep(seconds * 1000L));
		System.out.println("resident " + resident());
		Thread.sleep(seconds * 3000L); /* what waits for a slow disk gets there */
	}

	/* What others do to the program meanwhile. */

	static void await() throws Throwable {
		System.out.println("ready");
		System.out.flush();
		spin(() -> {
			while (System.in.read() >= 0) {
			}
		});
	}

	static void run(String mode, int scale) throws Throwable {
		switch (mode) {
		case "virtual": virtualThreads(scale); break;
		case "brief": shortThreads(scale); break;
		case "native": nativeThreads(scale); break;
		case "killed": killed(scale); break;
		case "overflow": overflowing(scale); break;
		case "unload": unloading(scale); break;
		case "starve": starving(scale); break;
		case "signals": stormy(scale); break;
		case "traps": traps(scale); break;
		case "silent": silent(scale); break;
		case "busy": busy(scale); break;
		case "cut off": spin(() -> Thread.sleep(scale * 1000L)); break; /* what waits for a slow disk still waits */
		case "wait": await(); break;
		case "reborn": reborn(); break;
		case "gone": gone(100 * scale); break;
		case "leaving": leaving(100 * scale, new File(System.getProperty("told"))); break;
		case "turn": turning(scale); break;
		default: throw new IllegalArgumentException(mode);
		}
	}

	static void tell(String name, Count count) {
		System.out.println("made Faults$" + name + " " + count.least + " " + count.most);
	}

	public static void main(String[] args) throws Throwable {
		if (args.length > 2)
			System.load(args[2]);
		run(args[0], Integer.parseInt(args[1]));
		sink = null;
		tell("Item", items);
		tell("Late", lates);
		Storm.tellHeap(false);
		System.out.println(wrong == null ? "good" : wrong);
		System.out.flush();
		Runtime.getRuntime().halt(wrong == null ? 0 : 1);
	}
}
