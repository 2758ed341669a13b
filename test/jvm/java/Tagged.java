import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Makes arrays and objects in compiled code and counts those that had a hash as soon as they were made: from 21 on the VM finds an
 * object's tag by its hash, so these are what an agent samples.
 *
 * usage: Tagged      says how many arrays and objects had one, and were as old as can be
 */
public class Tagged {
	private static final int WARM = 10_000_000, COUNTED = 10_000_000, HASH_SHIFT = 11, OLDEST = 0x78;
	private static volatile Object sink;

	static final class Pair {
		long a, b;
	}

	private static final MethodHandle FIRST_WORD = firstWord();

	/** (Object, long) → long. By name: javac would warn of the class. */
	private static MethodHandle firstWord() {
		try {
			Class<?> k = Class.forName("sun.misc.Unsafe");
			Field f = k.getDeclaredField("theUnsafe");
			f.setAccessible(true);
			return MethodHandles.lookup().findVirtual(k, "getLong", MethodType.methodType(long.class, Object.class, long.class))
				.bindTo(f.get(null));
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}

	private static final class Count {
		long hashed, old;

		@Override
		public String toString() {
			return hashed + " " + old;
		}
	}

	static Object array() {
		return new byte[64];
	}

	static Object pair() {
		return new Pair();
	}

	/** A hash's upper bits lie here, whatever its place in the word; what a compact header has of a class lies above them. */
	private static void look(Count c, long mark) {
		if ((mark >>> HASH_SHIFT & 0xffffff) != 0)
			c.hashed++;
		if ((mark & OLDEST) == OLDEST)
			c.old++;
	}

	private static void make(int count, Count arrays, Count pairs) throws Throwable {
		for (int i = 0; i < count; i++) {
			sink = array();
			look(arrays, (long) FIRST_WORD.invokeExact(sink, 0L));
			sink = pair();
			look(pairs, (long) FIRST_WORD.invokeExact(sink, 0L));
		}
	}

	public static void main(String[] args) throws Throwable {
		Count arrays = new Count(), pairs = new Count();
		for (int i = 0; i < 20; i++) {
			make(WARM / 20, arrays, pairs);
			Thread.sleep(200);
		}
		arrays = new Count();
		pairs = new Count();
		make(COUNTED, arrays, pairs);
		System.out.println("arrays " + arrays + " objects " + pairs + " of " + COUNTED);
	}
}
