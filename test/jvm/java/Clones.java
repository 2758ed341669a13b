/**
 * Clones, which the VM makes by itself where code is not compiled. All live on through a collection; some are hashed or locked first.
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

	public static void main(String[] args) {
		int count = Integer.parseInt(args[0]);
		Sheep[] sheep = new Sheep[count];
		Goat[][] goats = new Goat[count][];
		Sheep first = new Sheep();
		Goat[] pair = new Goat[2];
		long sum = 0;
		for (int i = 0; i < count; i++) {
			sheep[i] = first.copy();
			goats[i] = pair.clone();
			if (i % 16 == 0)
				sum += System.identityHashCode(sheep[i]) & 1;
			if (i % 16 == 8)
				synchronized (goats[i]) {
					sum++;
				}
		}
		System.gc();
		for (Sheep s : sheep)
			sum += s.wool;
		System.out.println("cloned " + count + (sum > 0 && goats[count - 1].length == 2 ? "" : " badly"));
	}
}
