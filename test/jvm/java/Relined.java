import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * A program, and its own Java agent, that makes objects, exchanges the class that makes them, and makes as many again.
 *
 * usage: Relined OBJECTS FILE     FILE: of Relined$Maker, with other lines
 */
public class Relined {
	static Instrumentation instrumentation;
	static volatile Object sink;

	static class Maker {
		static Object make() { return new Object[60]; }
	}

	public static void premain(String options, Instrumentation given) {
		instrumentation = given;
	}

	static void run(int objects) throws Exception {
		for (int i = 0; i < objects; i++) {
			sink = Maker.make();
			if (i % 1000 == 0)
				Thread.sleep(1);
		}
	}

	public static void main(String[] args) throws Exception {
		run(Integer.parseInt(args[0]));
		instrumentation.redefineClasses(new ClassDefinition(Maker.class, Files.readAllBytes(Paths.get(args[1]))));
		run(Integer.parseInt(args[0]));
	}
}
