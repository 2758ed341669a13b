import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Large arrays that die at once, and young collections: says how many megabytes are in use after ROUNDS of them. */
public class Large {
	private static final Object[] kept = new Object[1];
	private static volatile Object filler;

	static long used() {
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20;
	}

	public static void main(String[] args) {
		GarbageCollectorMXBean young = null;
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (bean.getName().equals("G1 Young Generation"))
				young = bean;
		for (int round = 0; round < Integer.parseInt(args[0]); round++) {
			for (int i = 0; i < 4; i++)
				kept[0] = new byte[2 << 20];
			kept[0] = null;
			for (long before = young.getCollectionCount(); young.getCollectionCount() == before;)
				filler = new byte[100_000];
			filler = null;
		}
		System.out.println(used());
	}
}
