/**
 * Clones, which the VM makes by itself where code is not compiled. All live on through a collection; some are hashed or locked first,
 * for a moment or while more are made.
 *
 * usage: Clones COUNT
 */
public class Clones {
	static class Sheep implements Cloneable {
		long wool = 7;

		Sheep copy() {
			try {
				return (Sheep) clone();
			} catch (CloneNotSupportedException e) {
				throw new AssertionError(e);
			}
		}
	}

	static final class Goat extends Sheep { }

	static final Sheep first = new Sheep();
	static final Goat[] pair = new Goat[2];
	static Sheep[] sheep;
	static Goat[][] goats;
	static long sum;

	static void make(int i) {
		sheep[i] = first.copy();
		goats[i] = pair.clone();
		if (i % 16 == 0)
			sum += System.identityHashCode(sheep[i]) & 1;
		if (i % 16 == 8)
			synchronized (goats[i]) {
				sum++;
			}
	}

	/** More clones while the last one is locked than the agent waits with. */
	static int makeSome(int from, int to) {
		int i = from;
		synchronized (goats[from - 1]) {
			while (i < to)
				make(i++);
		}
		return i;
	}

	public static void main(String[] args) {
		int count = Integer.parseInt(args[0]);
		sheep = new Sheep[count];
		goats = new Goat[count][];
		for (int i = 0; i < count; ) {
			make(i++);
			if (i % 64 == 16)
				i = makeSome(i, Math.min(i + 20, count));
		}
		System.gc();
		for (Sheep s : sheep)
			sum += s.wool;
		System.out.println("cloned " + count + (sum > 0 && goats[count - 1].length == 2 ? "" : " badly"));
	}
}
