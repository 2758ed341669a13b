import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All that can be in an object's first word, while collections come and go: hashes, locks (inflated, too), leaks from constructors to
 * threads that hash and lock meanwhile, clones, resurrections, references. Whatever is not as it must be is counted.
 *
 * usage: Sound COLLECTIONS SECONDS      ends after so many young collections, or seconds; says what was checked
 */
public class Sound {
	private static final int HELD = 3000;
	private static volatile boolean over;
	private static volatile Item leaked;
	private static final AtomicLong bad = new AtomicLong(), checks = new AtomicLong(), waits = new AtomicLong(),
		risen = new AtomicLong(), cleared = new AtomicLong();
	private static final ConcurrentLinkedQueue<Mortal> back = new ConcurrentLinkedQueue<>();

	private static void check(boolean good, String what) {
		checks.incrementAndGet();
		if (!good && bad.incrementAndGet() < 20)
			System.err.println("not so: " + what);
	}

	/** What one Thread holds, no other does. */
	private static class Item implements Cloneable {
		int hash;
		Thread inside;
		long entered;
		final AtomicLong truth = new AtomicLong();
		final long before, after;
		byte[] bytes;
		int[][] deep;
		Object[] others;

		Item(int how, long key) {
			before = key;
			if ((how & 1) != 0)
				hash = System.identityHashCode(this);
			if ((how & 2) != 0)
				enter();
			if ((how & 4) != 0)
				leaked = this;
			if ((how & 12) == 12)
				Thread.yield();
			if ((how & 16) != 0)
				synchronized (this) {
					leaked = this;
					sleep();
				}
			after = ~key;
		}

		private void sleep() {
			try {
				wait(0, 1);
				waits.incrementAndGet();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}

		synchronized void enter() {
			Thread me = Thread.currentThread();
			check(inside == null, "someone else is inside");
			inside = me;
			entered++;
			truth.incrementAndGet();
			check(inside == me, "someone else came in");
			inside = null;
		}

		void whole(long key) {
			check(before == key && after == ~key, "fields");
			check(hash == 0 || hash == System.identityHashCode(this), "hash");
			synchronized (this) {
				check(entered == truth.get(), "entered");
			}
		}

		Item copy() {
			try {
				return (Item) clone();
			} catch (CloneNotSupportedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	/** Comes back once. */
	private static final class Mortal {
		final int hash = System.identityHashCode(this);
		final long[] numbers = {1, 2, 3};
		boolean came;

		@Override
		@SuppressWarnings("deprecation")
		protected void finalize() {
			check(hash == System.identityHashCode(this) && numbers[2] == 3, "what is finalized");
			if (!came && risen.get() % 2 == 0)
				back.add(this);
			came = true;
			risen.incrementAndGet();
		}
	}

	private static final class Held {
		final long key;
		final Item item;
		final int hash;
		final Object[] row;
		final Map<Long, String> map;
		final Reference<?>[] references;

		Held(long key, Item item, SplittableRandom r, ReferenceQueue<Object> queue) {
			this.key = key;
			this.item = item;
			hash = System.identityHashCode(item);
			row = new Object[] {new byte[r.nextInt(100)], new int[3][5], new String[2][], new long[1][2][3], item};
			map = map(key, r.nextInt(6));
			references = r.nextInt(4) > 0 ? new Reference<?>[0] : new Reference<?>[] {new WeakReference<>(item, queue), new SoftReference<>(item),
				new PhantomReference<>(item, queue)};
		}

		void whole() {
			item.whole(key);
			check(hash == System.identityHashCode(item), "hash of what is held");
			check(row[4] == item && ((int[][]) row[1]).length == 3 && ((int[][]) row[1])[2].length == 5, "arrays");
			check(((long[][][]) row[3])[0][1].length == 3, "arrays of arrays");
			for (Map.Entry<Long, String> e : map.entrySet())
				check(e.getValue().equals(text(e.getKey())) && map.get(e.getKey()) == e.getValue(), "map");
			if (references.length > 0)
				check(references[0].get() == item && (references[1].get() == item), "references");
		}
	}

	static String text(long key) {
		return new StringBuilder("key ").append(key).append('\u00e9').append(Long.toHexString(key)).toString();
	}

	static Map<Long, String> map(long key, int size) {
		Map<Long, String> map = new HashMap<>();
		for (long i = 0; i < size; i++)
			map.put(Long.valueOf(key * 1000 + i), text(key * 1000 + i));
		return map;
	}

	static List<Integer> list(int size) {
		List<Integer> list = new ArrayList<>();
		for (int i = 0; i < size; i++)
			list.add(i * 1000);
		return list;
	}

	private static void lists(SplittableRandom r) {
		List<Integer> list = list(r.nextInt(30));
		Object[] copy = Arrays.copyOf(list.toArray(), list.size() + 1);
		for (int i = 0; i < list.size(); i++)
			check(copy[i] == list.get(i) && list.get(i) == i * 1000, "list");
		char[] chars = text(r.nextLong()).toCharArray();
		check(new String(chars).toCharArray().length == chars.length, "chars");
	}

	private static Item copies(Item item) {
		Item copy = item.copy();
		copy.hash = System.identityHashCode(copy);
		synchronized (copy) {
			check(copy.before == item.before && Thread.holdsLock(copy), "clone");
		}
		Object[] cloned = new Object[] {copy, item}.clone();
		check(cloned[0] == copy && copy.hash == System.identityHashCode(cloned[0]), "clone of an array");
		return copy;
	}

	private static void work(int seed) {
		SplittableRandom r = new SplittableRandom(seed);
		ArrayDeque<Held> held = new ArrayDeque<>();
		ArrayDeque<Reference<?>[]> dropped = new ArrayDeque<>();
		ReferenceQueue<Object> queue = new ReferenceQueue<>();
		for (long key = (long) seed << 32; !over; key++) {
			Item item = new Item(r.nextInt(200) == 0 ? 31 : r.nextInt(16), key);
			item.enter();
			held.add(new Held(key, item, r, queue));
			if (r.nextInt(8) == 0)
				dropped.add(new Reference<?>[] {new WeakReference<>(copies(item), queue), new PhantomReference<>(new Item(5, key), queue)});
			if (r.nextInt(30) == 0)
				new Mortal();
			if (r.nextInt(4) == 0)
				lists(r);
			if (held.size() > HELD) {
				Held last = held.poll();
				last.whole();
				dropped.add(last.references);
			}
			while (dropped.size() > HELD)
				dropped.poll();
			for (Mortal m = back.poll(); m != null; m = back.poll())
				check(m.hash == System.identityHashCode(m) && m.numbers[1] == 2, "what came back");
			while (queue.poll() != null)
				cleared.incrementAndGet();
		}
		for (Held one : held)
			one.whole();
	}

	/** Takes objects before their constructors are through. */
	private static void spy() {
		for (Item last = null, item; !over; last = item) {
			item = leaked;
			if (item == last) {
				Thread.yield();
				continue;
			}
			int hash = System.identityHashCode(item);
			item.enter();
			synchronized (item) {
				item.notifyAll();
			}
			check(hash == System.identityHashCode(item), "hash of what leaked");
		}
	}

	private static long collections() {
		long count = 0;
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (bean.getName().matches("G1 Young Generation|Copy|PS Scavenge"))
				count += bean.getCollectionCount();
		return count;
	}

	private static Thread start(Runnable task) {
		Thread thread = new Thread(task);
		thread.setUncaughtExceptionHandler((t, e) -> {
			e.printStackTrace();
			bad.incrementAndGet();
			over = true;
		});
		thread.start();
		return thread;
	}

	public static void main(String[] args) throws Exception {
		long until = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L, gcs = Long.parseLong(args[0]);
		List<Thread> threads = new ArrayList<>(Arrays.asList(start(Sound::spy), start(() -> work(1)), start(() -> work(2))));
		while (!over && collections() < gcs && System.nanoTime() < until)
			Thread.sleep(10);
		over = true;
		for (Thread thread : threads)
			thread.join();
		System.out.println("bad " + bad + " of " + checks + ", " + collections() + " collections, " + waits + " waits, " + risen
			+ " finalized, " + cleared + " cleared");
	}
}
