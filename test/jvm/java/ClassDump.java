import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.net.URI;

/** ClassDump MODULE FOLDER: writes every class file of a module of the running JDK below the folder. */
public final class ClassDump {
	public static void main(String[] args) throws Exception {
		Path from = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", args[0]);
		Path to = Path.of(args[1]);
		try (Stream<Path> all = Files.walk(from)) {
			for (Path p : (Iterable<Path>) all::iterator) {
				if (!p.toString().endsWith(".class")) {
					continue;
				}
				Path file = to.resolve(from.relativize(p).toString());
				Files.createDirectories(file.getParent());
				Files.write(file, Files.readAllBytes(p));
			}
		}
	}
}
