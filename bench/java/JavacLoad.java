import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Compiles Lucene's sources, FILES of them with a fresh compiler in each operation, against its classes. The compiler is
 * javac as Frgaal packs it, from Maven: one and the same on all JDKs, and there where a runtime has no jdk.compiler.
 * Syntax trees and symbols live until their operation ends.
 */
public final class JavacLoad implements Load {
	private static final int FILES = 120;

	private final List<String> sources = new ArrayList<>();
	private final Method compile;
	private final int[] operations;

	private JavacLoad(int threads, long seed) throws Exception {
		operations = new int[threads];
		unpack("lucene-core-\\d.*\\d\\.jar", ".class", Path.of("classes"));
		unpack("lucene-core-.*-sources\\.jar", ".java", Path.of("sources"));
		Collections.sort(sources);
		Collections.rotate(sources, new SplittableRandom(~seed).nextInt(sources.size()));
		compile = new Compiler(jar("compiler-.*\\.jar")).loadClass("com.sun.tools.javac.Main").getMethod("compile",
			String[].class, PrintWriter.class);
	}

	private static File jar(String name) {
		for (String path : System.getProperty("java.class.path").split(File.pathSeparator))
			if (new File(path).getName().matches(name))
				return new File(path);
		throw new IllegalStateException("not on the class path: " + name);
	}

	private void unpack(String jar, String suffix, Path to) throws IOException {
		try (ZipFile zip = new ZipFile(jar(jar))) {
			for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();) {
				ZipEntry entry = e.nextElement();
				String name = entry.getName();
				/* Without the variants for later releases, and the module's description. */
				if (name.endsWith(suffix) && name.startsWith("org/") && !name.endsWith("package-info.java"))
					unpack(zip, entry, to.resolve(name));
			}
		}
	}

	private void unpack(ZipFile zip, ZipEntry entry, Path to) throws IOException {
		Files.createDirectories(to.getParent());
		try (InputStream in = zip.getInputStream(entry)) {
			Files.copy(in, to);
		}
		if (to.toString().endsWith(".java"))
			sources.add(to.toString());
	}

	/**
	 * Loads the compiler from its jar, even where the runtime has one of its own, which the usual order of looking
	 * would find.
	 */
	private static final class Compiler extends URLClassLoader {
		Compiler(File jar) throws MalformedURLException {
			super(new URL[] {jar.toURI().toURL()}, ClassLoader.getPlatformClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				Class<?> found = findLoadedClass(name);
				if (found == null && name.matches("(com\\.sun\\.(source|tools)|javax|jdk|org\\.frgaal)\\..*"))
					found = own(name);
				return found != null ? found : super.loadClass(name, resolve);
			}
		}

		private Class<?> own(String name) {
			try {
				return findClass(name);
			} catch (ClassNotFoundException e) {
				return null;
			}
		}
	}

	/** The threads go through the sources from different places. */
	@Override
	public void operate(int thread, SplittableRandom r) throws Exception {
		int from = (operations[thread]++ * operations.length + thread) * FILES;
		Path out = Files.createDirectories(Path.of("out-" + thread));
		/* Without the symbols of older releases, which would need a module that a runtime may lack (jdk.zipfs). */
		List<String> args = new ArrayList<>(List.of("-source", "11", "-target", "11", "-XDignore.symbol.file", "-nowarn",
			"-proc:none", "-implicit:none", "-cp", "classes", "-d", out.toString()));
		for (int i = 0; i < FILES; i++)
			args.add(sources.get((from + i) % sources.size()));
		StringWriter messages = new StringWriter();
		Object status = compile.invoke(null, args.toArray(new String[0]), new PrintWriter(messages));
		if (!status.equals(0))
			throw new IllegalStateException("the compiler failed: " + messages);
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, JavacLoad::new);
	}
}
