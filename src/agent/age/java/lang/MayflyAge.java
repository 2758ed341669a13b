package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What rewritten code calls for a new object (doc/decisions/0015-a-class-in-java-lang.md): the next young collection takes
 * an object of the greatest age for one that has survived enough, and copies it into the old generation at once.
 *
 * The age is in the bits 3 to 6 of an object's first word. It is touched only where the object is unlocked, of age 0, and
 * (with compact headers) not forwarded: 1 in the low eight bits. A hash or a class in the upper bits stays. Bit 7, which no
 * collector uses, is set with it: so the exact engine tells an object that jumped from one that has grown so old, and what
 * it has seen in the old generation, which has that bit, is left alone.
 */
public final class MayflyAge {
	private static final Unsafe UNSAFE = Unsafe.getUnsafe();
	private static final long LOW = 0xff, FRESH = 1, OLDEST = 0x78, JUMPED = 0xf8;
	/** What is put there: JUMPED, or 0 while jumps rest. The agent sets it. */
	private static long jump = JUMPED;
	/**
	 * Whether it is sure that the constructors of what is given to {@link #fresh} show their objects to nobody, as far as mayfly has
	 * looked; and whether another agent has given one of their classes other code. The agent sets them, the second once for ever.
	 */
	private static boolean sure, doubt;

	private final Object one;
	private final boolean jumps;
	private long was;

	private MayflyAge(Object one, boolean jumps) {
		this.one = one;
		this.jumps = jumps;
	}

	/** Of an object that others may have seen already. */
	public static void swap(Object o) {
		long mark = UNSAFE.getLong(o, 0L), to = jump;
		if ((mark & LOW) == FRESH && to != 0)
			UNSAFE.compareAndSetLong(o, 0L, mark, mark | to);
	}

	/**
	 * Of an object that no code of the program but its maker's can have seen. Agents can: one that samples may have tagged it
	 * before its maker had it, a walk of the heap or a debugger while it was constructed, and from 21 on a tag is found by the
	 * object's hash. So what is really in memory is read, and not what C2 knows of a new object.
	 *
	 * The fence keeps C2 from losing the store where another object is made soon after (most of them were lost), and from
	 * moving it behind the one that shows the object to others.
	 */
	public static void store(Object o) {
		long mark = UNSAFE.getLongOpaque(o, 0L);
		if ((mark & LOW) == FRESH) {
			UNSAFE.putLong(o, 0L, mark | jump);
			UNSAFE.storeFence();
		}
	}

	/** Of an object whose constructors show it to nobody, as long as that is sure. */
	public static void fresh(Object o) {
		if (sure && !doubt)
			store(o);
		else
			swap(o);
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

	/** For the self-test: the age that an object has. */
	public static int age(Object o) {
		return (int) (UNSAFE.getLong(o, 0L) & OLDEST) >> 3;
	}

	/*
	 * The self-test (agent/trial.h): some objects that jump, and as many companions that don't. An age that has been put to 0 grows
	 * with each copy within the young generation, and does not change in the old one, where an object stays but for mixed and full
	 * collections. Whatever collection comes at whatever moment, nothing is said but what is sure; and a walk through the heap (JDK 11)
	 * may put all ages to 0 at any time.
	 */
	private static final int KINDS = 3, ANEW = 0, ON = 1, AT_ONCE = 2, STAYS_YOUNG = 3;
	private static MayflyAge[] tried;

	/** An array where other objects have no age (biased locking). */
	private static Object some(int kind) {
		Object o = kind == 0 ? new Object() : new Object[kind];
		return (UNSAFE.getLong(o, 0L) & LOW) == FRESH ? o : new byte[9];
	}

	/** They are made: all have seen the same collections, or it is done anew. */
	public static int make() {
		MayflyAge[] all = new MayflyAge[2 * KINDS];
		for (int i = 0; i < all.length; i++)
			all[i] = new MayflyAge(some(i % KINDS), i < KINDS);
		swap(all[0].one);
		store(all[1].one);
		swap(all[2].one);
		for (MayflyAge a : all)
			if (age(a.one) != (a.jumps ? OLDEST >> 3 : 0))
				return ANEW;
		tried = all;
		return ON;
	}

	/** They have survived a collection: all ages are put to 0. */
	public static int note() {
		for (MayflyAge a : tried) {
			long mark = UNSAFE.getLong(a.one, 0L);
			if (!a.jumps && (mark & OLDEST) == 0)
				return AT_ONCE;
			if (a.jumps && (mark & OLDEST) != OLDEST)
				return ANEW;
			a.was = a.place();
			if (!UNSAFE.compareAndSetLong(a.one, 0L, mark, mark & ~OLDEST))
				return ANEW;
		}
		return ON;
	}

	/** Another collection has come: what is young has an age again. */
	public static int judge() {
		int said = ON;
		for (MayflyAge a : tried) {
			boolean young = age(a.one) != 0;
			if (a.jumps && young)
				return STAYS_YOUNG;
			if (a.jumps ? a.place() != a.was : !young)
				said = ANEW;
		}
		return said;
	}

	/** They are let go. */
	public static int drop() {
		tried = null;
		return ON;
	}

	/** Where the object is, to be compared with where it was. */
	private long place() {
		long at = UNSAFE.objectFieldOffset(MayflyAge.class, "one");
		return UNSAFE.arrayIndexScale(Object[].class) == 4 ? UNSAFE.getInt(this, at) : UNSAFE.getLong(this, at);
	}
}
