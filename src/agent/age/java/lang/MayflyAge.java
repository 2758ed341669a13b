package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What rewritten code calls for a new object (doc/decisions/0015-a-class-in-java-lang.md): the next young collection takes
 * an object of the greatest age for one that has survived enough, and copies it into the old generation at once.
 *
 * The age is in the bits 3 to 6 of an object's first word. It is touched only where the object is unlocked, of age 0, and
 * (with compact headers) not forwarded: 1 in the low seven bits. A hash or a class in the upper bits stays.
 */
public final class MayflyAge {
	private static final Unsafe UNSAFE = Unsafe.getUnsafe();
	private static final long LOW = 0x7f, FRESH = 1, OLDEST = 0x78;
	/** What is put into the age: OLDEST, or 0 while jumps rest. The agent sets it. */
	private static long jump = OLDEST;

	private MayflyAge() {
	}

	/** Of an object that others may have seen already. */
	public static void swap(Object o) {
		long mark = UNSAFE.getLong(o, 0L), to = jump;
		if ((mark & LOW) == FRESH && to != 0)
			UNSAFE.compareAndSetLong(o, 0L, mark, mark | to);
	}

	/**
	 * Of an object that nobody else can have seen. The fence keeps C2 from losing the store where another object is made
	 * soon after (most of them were lost), and from moving it behind the one that shows the object to others.
	 */
	public static void store(Object o) {
		long mark = UNSAFE.getLong(o, 0L);
		if ((mark & LOW) == FRESH) {
			UNSAFE.putLong(o, 0L, mark | jump);
			UNSAFE.storeFence();
		}
	}

	/** Of what a call has given back, where it is of the class that was seen there. */
	public static void result(Object o, Class<?> made) {
		if (o != null && o.getClass() == made)
			swap(o);
	}

	/** Of what a call has given back, where the code has made sure of its class. */
	public static void cast(Object o) {
		if (o != null)
			swap(o);
	}

	/** For the test at the start: the age that an object has. */
	public static int age(Object o) {
		return (int) (UNSAFE.getLong(o, 0L) & OLDEST) >> 3;
	}
}
