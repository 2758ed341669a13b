import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a workload: warm-up operations that do not count, then those that do. Prints one line of
 * names and numbers about the latter; what can't be known is -1. from_ns and to_ns are of the
 * clock that the VM's log and perf have too (CLOCK_MONOTONIC on Linux). What the workload knows of its
 * objects' lifetimes follows (Truth).
 */
final class Drive {
	private final Load load;
	private final SplittableRandom[] random;
	private final AtomicReference<Throwable> failure = new AtomicReference<>();
	private final AtomicLong allocated = new AtomicLong();

	private Drive(Load load, int threads, long seed) {
		this.load = load;
		random = new SplittableRandom[threads];
		SplittableRandom source = new SplittableRandom(seed);
		for (int i = 0; i < threads; i++)
			random[i] = source.split();
	}

	static void run(String[] args, Load.Maker maker) throws Exception {
		run(args, new Settings(), maker);
	}

	/** args: operations, threads, warm-up operations, seed (1), and what the workload can be told. */
	static void run(String[] args, Settings settings, Load.Maker maker) throws Exception {
		if (args.length < 3)
			refuse("arguments: OPERATIONS THREADS WARM-UP [SEED [KEY=VALUE…]]");
		try {
			settings.take(args, 4);
			start(args, maker);
		} catch (Settings.Wrong e) {
			refuse(e.getMessage());
		}
	}

	private static void start(String[] args, Load.Maker maker) throws Exception {
		long operations = Long.parseLong(args[0]);
		int threads = Integer.parseInt(args[1]);
		long warmUp = Long.parseLong(args[2]);
		long seed = args.length > 3 ? Long.parseLong(args[3]) : 1;
		Load load = maker.make(threads, seed);
		Drive drive = new Drive(load, threads, seed);
		drive.phase(warmUp);
		drive.measure(operations);
		load.tell(new Truth(System.out));
	}

	private static void refuse(String why) {
		System.err.println(why);
		System.exit(2);
	}

	private void measure(long operations) throws Exception {
		allocated.set(0);
		long helped = load.helped();
		long collections = collections();
		Collector collector = Collector.now();
		long cpu = cpu();
		long from = System.nanoTime();
		phase(operations);
		long to = System.nanoTime();
		long cpuNow = cpu();
		Collector collectorNow = Collector.now();
		allocated.addAndGet(load.helped() - helped);
		System.out.println("ops " + operations + " wall_ns " + (to - from) + " cpu_ns "
			+ (cpu < 0 || cpuNow < 0 ? -1 : cpuNow - cpu) + " gcs " + (collections() - collections)
			+ " alloc_bytes " + (allocated.get() > 0 ? allocated.get() : -1)
			+ " from_ns " + from + " to_ns " + to
			+ " gc_cpu_ns " + Collector.spent(collector.pausing, collectorNow.pausing)
			+ " gc_concurrent_cpu_ns " + Collector.spent(collector.concurrent, collectorNow.concurrent));
	}

	private void phase(long operations) throws Exception {
		load.begin(operations);
		Thread[] workers = new Thread[random.length];
		for (int i = 0; i < workers.length; i++) {
			int thread = i;
			long share = operations / workers.length + (i < operations % workers.length ? 1 : 0);
			workers[i] = new Thread(() -> work(thread, share), "load-" + i);
			workers[i].start();
		}
		for (Thread worker : workers)
			worker.join();
		if (failure.get() != null)
			throw new IllegalStateException("the workload failed", failure.get());
	}

	/** Bytes that a thread has allocated, 0 where the runtime can't tell. */
	static long allocatedBy(Thread thread) {
		return Platform.allocated(thread.getId());
	}

	private void work(int thread, long operations) {
		try {
			long before = allocatedBy(Thread.currentThread());
			for (long i = 0; i < operations; i++)
				load.operate(thread, random[thread]);
			allocated.addAndGet(allocatedBy(Thread.currentThread()) - before);
		} catch (Throwable t) {
			failure.compareAndSet(null, t);
		}
	}

	private static long collections() {
		long sum = 0;
		for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans())
			sum += gc.getCollectionCount();
		return sum;
	}

	private static long cpu() {
		try {
			return Platform.cpu();
		} catch (LinkageError e) {
			return -1;
		}
	}

	/** What only jdk.management knows; a runtime may come without that module. */
	private static final class Platform {
		private static final java.lang.management.ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

		/** Process CPU time in ns; before JDK 18 in steps of 10 ms. */
		static long cpu() {
			var os = ManagementFactory.getOperatingSystemMXBean();
			return os instanceof com.sun.management.OperatingSystemMXBean
				? ((com.sun.management.OperatingSystemMXBean) os).getProcessCpuTime()
				: -1;
		}

		static long allocated(long thread) {
			return THREADS instanceof com.sun.management.ThreadMXBean
				? ((com.sun.management.ThreadMXBean) THREADS).getThreadAllocatedBytes(thread)
				: 0;
		}
	}
}
