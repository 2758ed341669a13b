import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/** A Java agent that has Kept changed, and transformed anew all the time: what it says in `word` is another. */
public class Meddler implements ClassFileTransformer {
	private static final byte[] PLAIN = "as it was".getBytes(StandardCharsets.US_ASCII), OTHER = "different".getBytes(StandardCharsets.US_ASCII);

	@Override
	public byte[] transform(ClassLoader loader, String name, Class<?> k, ProtectionDomain domain, byte[] bytes) {
		if (!"Kept".equals(name))
			return null;
		byte[] copy = bytes.clone();
		for (int i = 0; i + PLAIN.length <= copy.length; i++)
			if (java.util.Arrays.equals(copy, i, i + PLAIN.length, PLAIN, 0, PLAIN.length))
				System.arraycopy(OTHER, 0, copy, i, OTHER.length);
		return copy;
	}

	public static void premain(String args, Instrumentation instrumentation) {
		instrumentation.addTransformer(new Meddler(), true);
		Thread thread = new Thread(() -> retransform(instrumentation));
		thread.setDaemon(true);
		thread.start();
	}

	private static void retransform(Instrumentation instrumentation) {
		try {
			for (;;) {
				Thread.sleep(100);
				Class<?>[] all = instrumentation.getAllLoadedClasses();
				if (all == null) /* the VM has ended */
					return;
				for (Class<?> k : all)
					if (k.getName().equals("Kept"))
						instrumentation.retransformClasses(k);
			}
		} catch (Exception e) {
			e.printStackTrace();
			Runtime.getRuntime().halt(8);
		}
	}
}
