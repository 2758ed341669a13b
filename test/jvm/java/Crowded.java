import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;

/**
 * Runs methods that allocate at very many places, as those do that fill tables, and are too large to be compiled; then one that is hot.
 *
 * usage: Crowded METHODS PLACES TIMES HOT [LOADERS TRACE]
 *
 * places of each method; how often each is run; objects of the hot one; loaders that load the methods one after the other, with a full
 * collection for four of them, and for eight a pause until the agent has written into TRACE what there is to say of them, and another
 * collection (default 1, and none)
 */
public class Crowded extends ClassLoader {
	static Object sink;

	/** new int[1], PLACES times, all at line 7. */
	private static void method(DataOutputStream out, int name, int places) throws IOException {
		int code = 4 * places + 1;
		out.writeShort(9); /* public static */
		out.writeShort(name);
		out.writeShort(7);
		out.writeShort(1);
		out.writeShort(5);
		out.writeInt(12 + code + 12);
		out.writeShort(1);
		out.writeShort(0);
		out.writeInt(code);
		for (int i = 0; i < places; i++)
			out.writeInt(0x04bc0a57); /* iconst_1, newarray int, pop */
		out.write(0xb1);
		out.writeShort(0);
		out.writeShort(1);
		out.writeShort(6);
		out.writeInt(6);
		out.writeShort(1);
		out.writeShort(0);
		out.writeShort(7);
	}

	private static void constants(DataOutputStream out, int methods) throws IOException {
		String[] texts = {"Crowd", null, "java/lang/Object", null, "Code", "LineNumberTable", "()V"};
		out.writeShort(1 + texts.length + methods);
		for (int i = 0; i < texts.length + methods; i++) {
			String text = i < texts.length ? texts[i] : "m" + (i - texts.length);
			out.write(text == null ? 7 : 1);
			if (text == null)
				out.writeShort(i); /* a class, by the name before it */
			else
				out.writeUTF(text);
		}
	}

	private static byte[] classFile(int methods, int places) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeInt(0xcafebabe);
		out.writeInt(52);
		constants(out, methods);
		for (int word : new int[] {0x21, 2, 4, 0, 0, methods})
			out.writeShort(word);
		for (int i = 0; i < methods; i++)
			method(out, 8 + i, places);
		out.writeShort(0);
		return bytes.toByteArray();
	}

	static void hot(int objects) {
		for (int i = 0; i < objects; i++)
			sink = new long[4];
	}

	private static void run(byte[] file, int methods, int times) throws Exception {
		Class<?> crowd = new Crowded().defineClass("Crowd", file, 0, file.length);
		for (int t = 0; t < times; t++)
			for (int i = 0; i < methods; i++) {
				Method m = crowd.getMethod("m" + i);
				m.invoke(null);
			}
	}

	/** In between the writer has gone once round all that it has to do. */
	private static void awaitWriter(String trace) throws InterruptedException {
		File file = new File(trace);
		for (int times = 0; times < 2; times++)
			for (long length = file.length(); file.length() == length;)
				Thread.sleep(10);
	}

	public static void main(String[] args) throws Exception {
		int methods = Integer.parseInt(args[0]), times = Integer.parseInt(args[2]), objects = Integer.parseInt(args[3]);
		byte[] file = classFile(methods, Integer.parseInt(args[1]));
		int loaders = args.length > 4 ? Integer.parseInt(args[4]) : 1;
		for (int i = 0; i < loaders; i++) {
			run(file, methods, times);
			if (i % 4 == 3)
				System.gc();
			if (i % 8 == 7) {
				awaitWriter(args[5]);
				System.gc();
			}
		}
		for (int i = 0; i < 100; i++)
			hot(objects / 100);
	}
}
