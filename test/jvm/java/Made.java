import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Makes known numbers of objects in all the shapes that code makes them in, and prints them: `made CLASS COUNT`, and what the
 * helper of rewritten classes was called (java.util.Tally, which is put into java.base): `site NUMBER COUNT`. An object whose
 * constructor throws is never finished, and is not counted.
 */
public final class Made {
	private static final Map<String, Integer> made = new TreeMap<>();

	private static void expect(String name, int count) {
		made.merge(name, count, Integer::sum);
	}

	static class A {
		A() {
		}

		A(Object o) {
		}
	}

	static class B {
		final Object held;

		B(Object held) {
			this.held = held;
		}
	}

	static class C {
		C(boolean fails) {
			if (fails) {
				throw new IllegalStateException();
			}
		}
	}

	static class D<T> extends B {
		final T other;

		D(T other) {
			this(other, new A());
		}

		D(T other, Object held) {
			super(held == null ? new A() : held);
			this.other = other;
		}
	}

	final class Inner {
		int at = hashCode();
	}

	enum Kind { FIRST, SECOND, THIRD }

	private static void nested(boolean flag) {
		new A(new B(flag ? new C(false) : null));
		new A(flag ? new B(new A()) : new D<>(new A(), flag ? null : new int[3]));
		Object kept = new B(new Object[] {new A(), new A(flag ? new long[2] : new A())});
		if (kept.hashCode() == 0) {
			new A();
		}
	}

	private static void nesting() {
		for (int i = 0; i < 10; i++) {
			nested(i % 2 == 0);
		}
		// even (5): A, B, C; A, B, A; B, Object[], A, A, long[]; odd (5): A, B; A, D, A, int[]; B, Object[], A, A, A
		expect("Made$A", 5 * (1 + 2 + 2) + 5 * (1 + 2 + 3));
		expect("Made$B", 5 * 3 + 5 * 2);
		expect("Made$C", 5);
		expect("Made$D", 5);
		expect("java/lang/Object", 10); // the class of the elements
		expect("[J", 5);
		expect("[I", 5);
	}

	private static int failing(int i) {
		try {
			new C(i % 3 == 0);
			return 1;
		} catch (IllegalStateException e) {
			new A();
			return 2;
		} finally {
			new B(new A());
		}
	}

	private static void failures() {
		for (int i = 0; i < 30; i++) {
			failing(i);
		}
		expect("Made$C", 20);
		expect("java/lang/IllegalStateException", 10);
		expect("Made$A", 10 + 30);
		expect("Made$B", 30);
	}

	private static Object chosen(int i, String name, Kind kind) {
		Object o;
		switch (i) {
		case 0:
			o = new A();
			break;
		case 1:
			o = new B(null);
			// falls through
		case 2:
			o = new C(false);
			break;
		case 100000:
			return new int[2][3];
		default:
			o = new byte[i];
		}
		switch (name) {
		case "one":
			return new A(o);
		case "two":
			return new B(o);
		default:
			break;
		}
		switch (kind) {
		case FIRST:
			return new short[1];
		case THIRD:
			return new char[1];
		default:
			return new String[1];
		}
	}

	private static void switches() {
		chosen(0, "one", Kind.FIRST); // A, A
		chosen(1, "two", Kind.FIRST); // B, C, B
		chosen(2, "x", Kind.FIRST); // C, short[]
		chosen(3, "x", Kind.THIRD); // byte[], char[]
		chosen(100000, "x", Kind.FIRST); // int[][]
		chosen(7, "", Kind.SECOND); // byte[], String[]
		expect("Made$A", 2);
		expect("Made$B", 2);
		expect("Made$C", 2);
		expect("[S", 1);
		expect("[C", 1);
		expect("[B", 2);
		expect("[[I", 1);
		expect("[I", 1); // javac's table for the switch over an enum
		expect("java/lang/String", 1);
	}

	private static void loops() {
		List<B> all = new ArrayList<>();
		outer:
		for (int i = 0; ; i++) {
			long wide = i * 3L;
			double wider = wide / 2.0;
			for (int j = 0; j < 5; j++) {
				if (j == 3) {
					continue outer;
				}
				if (i == 4) {
					break outer;
				}
				all.add(new B(wider > wide ? new A() : new D<String>("x" + i + j + wide)));
			}
		}
		Object lock = new Object();
		int n = 0;
		while (n < 6) {
			synchronized (lock) {
				n++;
				if (n % 2 == 0) {
					new C(false);
				}
			}
		}
		expect("java/util/ArrayList", 1);
		expect("java/lang/Object", 1);
		expect("Made$B", 12);
		expect("Made$D", 12);
		expect("Made$A", 12);
		expect("Made$C", 3);
	}

	private static <T, R> R apply(Function<T, R> f, T to) {
		return f.apply(to);
	}

	private static void lambdas() {
		Supplier<A> plain = A::new;
		IntFunction<int[]> array = int[]::new;
		Function<Object, B> made = o -> new B(new D<>(o));
		plain.get(); // made by a method handle, not by a site
		array.apply(3); // by a lambda of javac's that has a site
		for (int i = 0; i < 4; i++) {
			apply(made, new A());
		}
		expect("[I", 1);
		expect("Made$B", 4);
		expect("Made$D", 4);
		expect("Made$A", 8);
	}

	private void inner() {
		Inner[] all = new Inner[3];
		for (int i = 0; i < all.length; i++) {
			all[i] = this.new Inner();
		}
		Object anonymous = new Object() {
			final Object kept = new A();

			@Override
			public String toString() {
				return "n" + new B(kept);
			}
		};
		anonymous.toString();
		expect("Made$Inner", 4); // and the array's elements
		expect("Made$1", 1);
		expect("Made$A", 1);
		expect("Made$B", 1);
	}

	private static void deep(int depth) {
		if (depth > 0) {
			new D<>(new B(depth), depth % 2 == 0 ? new A() : null);
			deep(depth - 1);
		}
	}

	private static void recursion() {
		deep(20);
		expect("Made$D", 20);
		expect("Made$B", 20);
		expect("Made$A", 20);
	}

	private static void grids() {
		Object[][][] grid = new Object[2][3][];
		for (Object[][] plane : grid) {
			for (int i = 0; i < plane.length; i++) {
				plane[i] = new Object[] {new float[1], new double[1], new boolean[1]};
			}
		}
		expect("[[[Ljava/lang/Object;", 1);
		expect("java/lang/Object", 6);
		expect("[F", 6);
		expect("[D", 6);
		expect("[Z", 6);
	}

	private static void huge() throws Exception {
		Class<?> huge;
		try {
			huge = Class.forName("Huge");
		} catch (ClassNotFoundException e) {
			return;
		}
		for (int i = 0; i < 3; i++) {
			@SuppressWarnings("unchecked")
			Map<String, Integer> more = (Map<String, Integer>) huge.getMethod("run", int.class).invoke(null, i);
			more.forEach(Made::expect);
		}
		expect("java/lang/Class", 3); // the arguments of getMethod
		expect("java/lang/Object", 3 + 1); // those of invoke, and a static of Huge
	}

	public static void main(String[] args) throws Exception {
		Made self = new Made();
		int[] counts = new int[Integer.parseInt(args[0])];
		Kind.valueOf("FIRST");
		Class.forName("java.util.Tally").getField("bySite").set(null, counts);
		nesting();
		failures();
		switches();
		loops();
		lambdas();
		self.inner();
		recursion();
		grids();
		huge();
		Class.forName("java.util.Tally").getField("bySite").set(null, null);
		made.forEach((name, n) -> System.out.println("made " + name + " " + n));
		for (int i = 0; i < counts.length; i++) {
			if (counts[i] > 0) {
				System.out.println("site " + i + " " + counts[i]);
			}
		}
	}
}
