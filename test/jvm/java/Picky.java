import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/**
 * Code of a class loader that gives only what is on its list, of java.lang too. Prints the sum of what its guests have made: one that is
 * there before anything else happens, and one that comes after a line on stdin, or its end.
 */
public class Picky extends ClassLoader {
	static final Set<String> LISTED = new HashSet<>();

	static {
		for (String name : new String[] {"Object", "Runnable", "System", "Integer"})
			LISTED.add("java.lang." + name);
	}

	/** Makes objects. */
	public static class Guest implements Runnable {
		long[] kept;

		@Override
		public void run() {
			int sum = 0;
			for (int i = 0; i < 100_000; i++) {
				kept = new long[i % 9];
				sum += kept.length;
			}
			System.setProperty("made", Integer.toString(Integer.getInteger("made", 0) + sum));
		}
	}

	private Picky() { super(null); }

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		synchronized (getClassLoadingLock(name)) {
			Class<?> found = findLoadedClass(name);
			if (found != null)
				return found;
			if (name.equals("Picky$Guest"))
				return guest(name);
			if (!LISTED.contains(name))
				throw new ClassNotFoundException(name + " is not for guests");
			return Class.forName(name, false, null);
		}
	}

	private Class<?> guest(String name) throws ClassNotFoundException {
		try (InputStream in = Picky.class.getResourceAsStream(name + ".class")) {
			byte[] bytes = in.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		} catch (IOException e) {
			throw new ClassNotFoundException(name, e);
		}
	}

	static Runnable fresh() throws Exception {
		return (Runnable) new Picky().loadClass("Picky$Guest").getDeclaredConstructor().newInstance();
	}

	public static void main(String[] args) throws Exception {
		Runnable first = fresh();
		first.run();
		System.in.read();
		fresh().run();
		first.run();
		System.out.println("made " + Integer.getInteger("made"));
	}
}
