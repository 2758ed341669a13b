import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** A Java agent that has every class it can made anew from its own bytes, now and as they are loaded: code is thrown away all the time. */
public class Transformer implements ClassFileTransformer {
	@Override
	public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
		return name != null && (name.startsWith("Faults") || name.startsWith("java/util/")) ? bytes.clone() : null;
	}

	public static void premain(String options, Instrumentation instrumentation) {
		instrumentation.addTransformer(new Transformer(), true);
		Thread thread = new Thread(() -> again(instrumentation), "transformer");
		thread.setDaemon(true);
		thread.start();
	}

	static void again(Instrumentation instrumentation) {
		try {
			while (true) {
				for (Class<?> type : instrumentation.getAllLoadedClasses())
					if (type.getName().startsWith("Faults") && instrumentation.isModifiableClass(type))
						instrumentation.retransformClasses(type);
				Thread.sleep(100);
			}
		} catch (Exception e) {
			System.out.println("transformer: " + e);
		}
	}
}
