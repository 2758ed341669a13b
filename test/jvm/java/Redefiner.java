import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * A Java agent that redefines Faults$Kind all the time: it makes Odds, Even, Odds, … What is old goes when the heap is collected. After
 * ENOUGH of them it makes the file that its option names.
 */
public class Redefiner {
	static final int ENOUGH = 64;

	public static void premain(String options, Instrumentation instrumentation) {
		Thread thread = new Thread(() -> again(instrumentation, options), "redefiner");
		thread.setDaemon(true);
		thread.start();
	}

	static byte[] code(boolean even) throws Exception {
		try (InputStream in = Redefiner.class.getResourceAsStream("Faults$Kind.class")) {
			String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
			return (even ? code.replace("Faults$Odds", "Faults$Even") : code).getBytes(StandardCharsets.ISO_8859_1);
		}
	}

	static Class<?> kind(Instrumentation instrumentation) throws Exception {
		while (true) {
			for (Class<?> type : instrumentation.getAllLoadedClasses())
				if (type.getName().equals("Faults$Kind"))
					return type;
			Thread.sleep(1);
		}
	}

	static void again(Instrumentation instrumentation, String file) {
		try {
			Class<?> kind = kind(instrumentation);
			byte[][] codes = {code(true), code(false)};
			for (int i = 0; true; i++) {
				instrumentation.redefineClasses(new ClassDefinition(kind, codes[i % 2]));
				if (i == ENOUGH)
					Files.createFile(Paths.get(file));
				if (i % 16 == 0)
					System.gc();
				Thread.sleep(i % 3);
			}
		} catch (Exception e) {
			System.out.println("redefiner: " + e);
		}
	}
}
