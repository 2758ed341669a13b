import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** A Java agent that writes down Kept's classes as other agents have made them: FOLDER is its argument. */
public class Seen implements ClassFileTransformer {
	private final Path folder;

	private Seen(Path folder) {
		this.folder = folder;
	}

	@Override
	public byte[] transform(ClassLoader loader, String name, Class<?> k, ProtectionDomain domain, byte[] bytes) {
		try {
			if (name != null && name.startsWith("Kept"))
				Files.write(folder.resolve(name + ".class"), bytes);
		} catch (IOException e) {
			e.printStackTrace();
			Runtime.getRuntime().halt(8);
		}
		return null;
	}

	/** After those that can't transform anew. */
	public static void premain(String folder, Instrumentation instrumentation) {
		instrumentation.addTransformer(new Seen(Path.of(folder)), true);
	}
}
