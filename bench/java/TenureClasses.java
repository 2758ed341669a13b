import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * Runs many classes (TenureClass00 … TenureClass49) whose code may be rewritten, from two compiled loops. It says "ready", then "jumps"
 * once the arrays of the first CLASSES of them are as old as can be, and ends with its input.
 *
 * usage: TenureClasses CLASSES
 */
public class TenureClasses extends ClassLoader {
	private static final int ALL = 50, OLDEST = 15, WARM_MS = 2000;
	private static volatile Object sink;
	private static volatile boolean over;

	public interface Maker {
		Object object();

		byte[] array();
	}

	private final byte[] template;

	private TenureClasses(byte[] template) {
		super(TenureClasses.class.getClassLoader());
		this.template = template;
	}

	/** The template under another name of the same length. */
	private Maker make(int number) throws ReflectiveOperationException {
		byte[] bytes = template.clone(), name = "TenureClass00".getBytes(StandardCharsets.US_ASCII);
		for (int i = 0; i + name.length <= bytes.length; i++)
			if (java.util.Arrays.equals(bytes, i, i + name.length, name, 0, name.length)) {
				bytes[i + name.length - 2] = (byte) ('0' + number / 10);
				bytes[i + name.length - 1] = (byte) ('0' + number % 10);
			}
		return (Maker) defineClass(null, bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
	}

	private static Maker[] makers() throws Exception {
		try (InputStream in = TenureClasses.class.getResourceAsStream("TenureClass00.class")) {
			TenureClasses loader = new TenureClasses(in.readAllBytes());
			Maker[] makers = new Maker[ALL];
			for (int i = 0; i < ALL; i++)
				makers[i] = loader.make(i);
			return makers;
		}
	}

	private static void work(Maker[] makers) {
		for (int i = 0; !over; i = (i + 1) % ALL) {
			sink = makers[i].object();
			sink = makers[i].array();
		}
	}

	private static boolean jumps(Maker[] makers, int count) throws ReflectiveOperationException {
		Method age;
		try {
			age = Class.forName("java.lang.MayflyAge").getMethod("age", Object.class);
		} catch (ClassNotFoundException e) {
			return false;
		}
		int old = 0;
		for (int i = 0; i < count; i++)
			if ((Integer) age.invoke(null, (Object) makers[i].array()) == OLDEST)
				old++;
		return old == count;
	}

	public static void main(String[] args) throws Exception {
		Maker[] makers = makers();
		int count = Integer.parseInt(args[0]);
		for (int i = 0; i < 2; i++) {
			Thread thread = new Thread(() -> work(makers));
			thread.setDaemon(true);
			thread.start();
		}
		Thread.sleep(WARM_MS);
		System.out.println("ready");
		while (!jumps(makers, count))
			Thread.sleep(10);
		System.out.println("jumps");
		while (System.in.read() >= 0) {
		}
		over = true;
	}
}
