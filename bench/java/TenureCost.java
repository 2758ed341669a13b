import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.util.Arrays;

/**
 * CPU ns for each new object that is given to one of java.lang.MayflyAge's methods, as rewritten code does: objects of 32 bytes (24 with
 * compact headers) and byte[32], that others see and that nobody does (C2 makes none of them, where it may).
 *
 * usage: -Dhelper=nothing|store|fresh|swap|cast|result TenureCost BATCHES      a line for each shape: its name, the median batch, the
 *                                                                             best one. fresh needs --add-opens java.base/java.lang=ALL-UNNAMED
 */
public class TenureCost {
	private static final int OBJECTS = 100_000, WARM = 300;
	private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
	private static final String HELPER = System.getProperty("helper");
	private static final MethodHandle FOR_OBJECT = handle(Pair.class), FOR_ARRAY = handle(byte[].class);
	private static final Object[] RING = new Object[1024];
	private static long sum;

	static final class Pair {
		final long a, b;

		Pair(long a, long b) {
			this.a = a;
			this.b = b;
		}
	}

	/** (made) → void */
	private static MethodHandle handle(Class<?> made) {
		MethodHandles.Lookup lookup = MethodHandles.lookup();
		MethodType type = MethodType.methodType(void.class, made);
		try {
			if (HELPER.equals("nothing"))
				return MethodHandles.empty(type);
			Class<?> age = Class.forName("java.lang.MayflyAge");
			if (HELPER.equals("result"))
				return MethodHandles.insertArguments(lookup.findStatic(age, HELPER,
					MethodType.methodType(void.class, Object.class, Class.class)), 1, made).asType(type);
			if (HELPER.equals("fresh"))
				beSure(age);
			return lookup.findStatic(age, HELPER, MethodType.methodType(void.class, Object.class)).asType(type);
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}

	private static void beSure(Class<?> age) throws ReflectiveOperationException {
		Field sure = age.getDeclaredField("sure");
		sure.setAccessible(true);
		sure.setBoolean(null, true);
	}

	private interface Batch {
		void run() throws Throwable;
	}

	private static void seenObjects() throws Throwable {
		for (int i = 0; i < OBJECTS; i++) {
			Pair p = new Pair(i, sum);
			FOR_OBJECT.invokeExact(p);
			RING[i & 1023] = p;
		}
	}

	private static void unseenObjects() throws Throwable {
		long s = 0;
		for (int i = 0; i < OBJECTS; i++) {
			Pair p = new Pair(i, s);
			FOR_OBJECT.invokeExact(p);
			s += p.a ^ p.b;
		}
		sum = s;
	}

	private static void seenArrays() throws Throwable {
		for (int i = 0; i < OBJECTS; i++) {
			byte[] b = new byte[32];
			FOR_ARRAY.invokeExact(b);
			RING[i & 1023] = b;
		}
	}

	private static void unseenArrays() throws Throwable {
		long s = 0;
		for (int i = 0; i < OBJECTS; i++) {
			byte[] b = new byte[32];
			FOR_ARRAY.invokeExact(b);
			b[3] = (byte) i;
			s += b[3];
		}
		sum = s;
	}

	private static void measure(String name, Batch batch, int batches) throws Throwable {
		double[] ns = new double[batches];
		for (int i = -WARM; i < batches; i++) {
			long from = BEAN.getCurrentThreadCpuTime();
			batch.run();
			if (i >= 0)
				ns[i] = (BEAN.getCurrentThreadCpuTime() - from) / (double) OBJECTS;
		}
		Arrays.sort(ns);
		System.out.println(name + " " + ns[batches / 2] + " " + ns[0]);
	}

	public static void main(String[] args) throws Throwable {
		int batches = Integer.parseInt(args[0]);
		measure("seen-object", TenureCost::seenObjects, batches);
		measure("unseen-object", TenureCost::unseenObjects, batches);
		measure("seen-array", TenureCost::seenArrays, batches);
		measure("unseen-array", TenureCost::unseenArrays, batches);
	}
}
