import java.io.PrintStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * ClassLink FOLDER: loads each class whose file lies below the folder, by name, and has the VM link it, which verifies
 * it. Asking a class for its declared methods links it without initialising it (JVM_GetClassDeclaredMethods); the VM's own log
 * of class verification tells the test that it did.
 */
public final class ClassLink {
	private static final TreeMap<String, Integer> failures = new TreeMap<>();
	private static int linked;

	public static void main(String[] args) throws Exception {
		Path from = Path.of(args[0]);
		PrintStream out = System.out;
		try (Stream<Path> all = Files.walk(from)) {
			for (Path p : (Iterable<Path>) all::iterator) {
				String name = from.relativize(p).toString();
				if (name.endsWith(".class") && !name.endsWith("module-info.class") && !name.startsWith("META-INF")) {
					link(name.substring(0, name.length() - 6).replace('/', '.'), out);
				}
			}
		}
		out.println("linked " + linked);
		failures.forEach((what, n) -> out.println("failed " + n + " " + what));
	}

	/** The VM does not verify what it makes for reflection, nor its own classes of that kind. */
	private static boolean isMagic(Class<?> c) {
		while (c != null && !c.getName().equals("jdk.internal.reflect.MagicAccessorImpl")) {
			c = c.getSuperclass();
		}
		return c != null;
	}

	private static void link(String name, PrintStream out) {
		try {
			Class<?> c = Class.forName(name, false, ClassLink.class.getClassLoader());
			c.getDeclaredMethods();
			linked++;
			if (isMagic(c)) {
				out.println("exempt " + name);
			}
		} catch (VerifyError | ClassFormatError e) {
			failures.merge(e.getClass().getName(), 1, Integer::sum);
			out.println("refused " + name + ": " + e.toString().split("\n")[0]);
		} catch (Throwable e) {
			failures.merge(e.getClass().getName(), 1, Integer::sum);
			out.println("missed " + name + ": " + e.toString().split("\n")[0]);
		}
	}
}
