/**
 * A class that is loaded at the start, and linked only as it is used for the first time, so many seconds later: the VM
 * does not show its methods before. Objects are made and kept until the end, in the ring.
 */
final class Linked {
	static final class Node {
		final byte[] more = new byte[40];
	}

	static final class Maker {
		Object make() {
			return new Node();
		}
	}

	private static final Object[] ring = new Object[20_000];

	private static int use(int n) {
		Maker maker = new Maker();
		for (int i = 0; i < 1000; i++)
			ring[n++ % ring.length] = maker.make();
		return n;
	}

	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		Class.forName("Linked$Maker", false, Linked.class.getClassLoader());
		long from = System.nanoTime(), later = Long.parseLong(args[0]) * 1_000_000_000L;
		int n = 0;
		for (long past = 0; past < later + 1_000_000_000L; past = System.nanoTime() - from) {
			for (int i = 0; i < 5000; i++)
				ring[0] = new byte[100];
			n = past < later ? n : use(n);
			Thread.sleep(1);
		}
		System.out.println("done");
	}
}
