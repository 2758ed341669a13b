import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Two classes of one name, by two loaders, with different code before the same allocations. Both make arrays until there were so
 * many young collections; then it says how many of 100 new arrays of each kind of each are as old as can be.
 *
 * usage: Twins COLLECTIONS
 */
public class Twins {
	public static volatile Object sink;

	private static final class Loader extends ClassLoader {
		Class<?> define(byte[] bytes) {
			return defineClass("TwinOne", bytes, 0, bytes.length);
		}
	}

	private static byte[] bytes(String name) throws Exception {
		try (InputStream in = Twins.class.getResourceAsStream("/" + name + ".class")) {
			return in.readAllBytes();
		}
	}

	/** The names are of one length. */
	private static byte[] renamed(byte[] bytes) {
		byte[] from = "TwinTwo".getBytes(StandardCharsets.US_ASCII), to = "TwinOne".getBytes(StandardCharsets.US_ASCII);
		for (int i = 0; i + from.length <= bytes.length; i++)
			if (Arrays.equals(bytes, i, i + from.length, from, 0, from.length))
				System.arraycopy(to, 0, bytes, i, to.length);
		return bytes;
	}

	@SuppressWarnings("unchecked")
	private static IntFunction<Object[]> make(byte[] bytes) throws Exception {
		Constructor<?> constructor = new Loader().define(bytes).getDeclaredConstructor();
		constructor.setAccessible(true);
		return (IntFunction<Object[]>) constructor.newInstance();
	}

	private static long collections() {
		long count = 0;
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			if (bean.getName().matches("G1 Young Generation|Copy|PS Scavenge"))
				count += bean.getCollectionCount();
		return count;
	}

	private static String old(IntFunction<Object[]> maker) throws Exception {
		int[] old = new int[2];
		for (int i = 0; i < 100; i++) {
			Object[] made = maker.apply(9);
			for (int k = 0; k < old.length; k++)
				if ((Integer) Class.forName("java.lang.MayflyAge").getMethod("age", Object.class).invoke(null, made[k]) == 15)
					old[k]++;
		}
		return old[0] + " " + old[1];
	}

	public static void main(String[] args) throws Exception {
		IntFunction<Object[]> one = make(bytes("TwinOne")), two = make(renamed(bytes("TwinTwo")));
		System.out.println("ready");
		for (int i = 0; i % 1000 != 0 || collections() < Long.parseLong(args[0]); i++) {
			sink = one.apply(20);
			sink = two.apply(20);
		}
		try {
			System.out.println("ages " + old(one) + " " + old(two));
		} catch (ClassNotFoundException e) {
			System.out.println("nobody tells");
		}
		System.out.println("done");
	}
}

class TwinOne implements IntFunction<Object[]> {
	@Override
	public Object[] apply(int size) {
		byte[] first = new byte[size];
		short[] second = new short[size];
		return new Object[] {first, second};
	}
}

class TwinTwo implements IntFunction<Object[]> {
	@Override
	public Object[] apply(int size) {
		long[] before = new long[size];
		before[size - 1] = size * 7919L;
		Twins.sink = before;
		byte[] first = new byte[size];
		short[] second = new short[size];
		return new Object[] {first, second};
	}
}
