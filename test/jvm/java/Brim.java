/**
 * A heap that is nearly full.
 *
 * usage: Brim full KEPT MADE      of the small ones that are made two of three die at once, the third takes another's place: full
 *                                 collections, at whose end who asked for them gets memory that is written to later
 *        Brim surge KEPT ROUNDS   KEPT MB stay, in one array; after a long time in which all dies more lives than there is room for: promotion
 *                                 fails
 *        Brim over KEPT TIMES     KEPT nodes stay while more is asked for than there is: young and full collections in turn, in one pause
 *        Brim rim ARRAY TIMES     arrays of that many bytes until memory is out, and again: who asked for a full collection may get its memory
 *                                 where survivors are
 *        Brim grow KEPT SHORT     KEPT nodes stay, for each of which SHORT short lives die: full collections of a heap that grows
 */
public class Brim {
	static class Small { long a, b; }

	static final class Node extends Small { Node next; }

	static final int SHORT = 3_000_000, LONG = 550_000;
	static volatile Object sink;

	static Small small() { return new Small(); }

	static Node node(Node next) {
		Node n = new Node();
		n.next = next;
		return n;
	}

	static void full(int count, int made) {
		Small[] kept = new Small[count];
		for (int i = 0; i < made; i++) {
			Small s = small();
			if (i % 3 == 0)
				kept[(int) ((i * 2654435761L >>> 8) % count)] = s;
			sink = s;
		}
	}

	static void smalls() {
		for (int i = 0; i < SHORT; i++)
			sink = small();
	}

	static void surge() {
		smalls();
		Node last = null;
		for (int i = 0; i < LONG; i++)
			last = node(last);
		sink = last;
	}

	/** At the end of each turn the nodes have lived through one pause, in which the VM did all it could. */
	static void over(int count) {
		Node last = null;
		for (int i = 0; i < count; i++)
			last = node(last);
		try {
			sink = new long[1 << 27];
		} catch (OutOfMemoryError e) {
			sink = last;
			return;
		}
		throw new AssertionError("there was room");
	}

	/** More small ones than the old generation holds stay; so a full collection leaves eden full, and some in a survivor space. */
	static void rim(int bytes, int times) {
		java.util.ArrayDeque<Object> row = new java.util.ArrayDeque<>();
		for (int i = 0; i < times; i++)
			try {
				while (true) {
					row.add(new byte[bytes]);
					row.add(small());
				}
			} catch (OutOfMemoryError e) {
				for (int j = 2 * (1 + i % 24); j > 0; j--)
					row.poll();
			}
	}

	static void grow(int kept, int times) {
		Node last = null;
		for (int i = 0; i < kept; i++) {
			last = node(last);
			for (int j = 0; j < times; j++)
				sink = small();
		}
		sink = last;
	}

	public static void main(String[] args) {
		int count = Integer.parseInt(args[1]), times = Integer.parseInt(args[2]);
		if (args[0].equals("full")) {
			full(count, times);
			return;
		}
		if (args[0].equals("grow")) {
			grow(count, times);
			return;
		}
		if (args[0].equals("rim")) {
			rim(count, times);
			return;
		}
		if (args[0].equals("over")) {
			for (int i = 0; i < times; i++)
				over(count);
			return;
		}
		smalls();
		byte[] kept = new byte[count << 20];
		for (int i = 0; i < times; i++)
			surge();
		sink = kept;
	}
}
