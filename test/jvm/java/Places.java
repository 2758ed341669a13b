import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a decisions file for mayfly that names every place where these classes allocate, as their class files in this JDK have it.
 *
 * usage: Places FILE CLASS...        classes that this JDK has not are passed over
 */
public class Places {
	private static final int NEW = 187, NEWARRAY = 188, ANEWARRAY = 189, MULTIANEWARRAY = 197, TABLESWITCH = 170, LOOKUPSWITCH = 171,
		WIDE = 196, IINC = 132;
	private static final String[] ELEMENTS = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};

	private final List<String> found = new ArrayList<>();
	private Object[] pool;

	/** Bytes of them, of an instruction of fixed length. */
	private static int operands(int opcode) {
		switch (opcode) {
		case 16: case 18: case 188: case 169:
			return 1;
		case 17: case 19: case 20: case 132: case 187: case 189: case 192: case 193: case 198: case 199:
			return 2;
		case 185: case 186: case 200: case 201:
			return 4;
		case 197:
			return 3;
		default:
			return opcode >= 21 && opcode <= 25 || opcode >= 54 && opcode <= 58 ? 1
				: opcode >= 153 && opcode <= 168 || opcode >= 178 && opcode <= 184 ? 2 : 0;
		}
	}

	private void readPool(DataInputStream in) throws IOException {
		pool = new Object[in.readUnsignedShort()];
		for (int i = 1; i < pool.length; i++) {
			int tag = in.readUnsignedByte();
			switch (tag) {
			case 1:
				pool[i] = in.readUTF();
				break;
			case 7: case 8: case 16: case 19: case 20:
				pool[i] = in.readUnsignedShort();
				break;
			case 15:
				in.skipBytes(3);
				break;
			case 5: case 6:
				in.skipBytes(8);
				i++;
				break;
			default:
				in.skipBytes(4);
			}
		}
	}

	private String className(int index) {
		return (String) pool[(Integer) pool[index]];
	}

	private static String javaName(String vmName) {
		if (!vmName.startsWith("["))
			return vmName.replace('/', '.');
		String element = vmName.substring(vmName.lastIndexOf('[') + 1);
		String name = element.startsWith("L") ? element.substring(1, element.length() - 1).replace('/', '.')
			: ELEMENTS["ZCFDBSIJ".indexOf(element)];
		return name + "[]".repeat(vmName.lastIndexOf('[') + 1);
	}

	private static int u2(byte[] code, int at) {
		return (code[at] & 255) << 8 | code[at + 1] & 255;
	}

	private static int u4(byte[] code, int at) {
		return u2(code, at) << 16 | u2(code, at + 2);
	}

	private static int next(byte[] code, int at) {
		int opcode = code[at] & 255, aligned = at + 4 & ~3;
		if (opcode == TABLESWITCH)
			return aligned + 12 + 4 * (u4(code, aligned + 8) - u4(code, aligned + 4) + 1);
		if (opcode == LOOKUPSWITCH)
			return aligned + 8 + 8 * u4(code, aligned + 4);
		if (opcode == WIDE)
			return at + ((code[at + 1] & 255) == IINC ? 6 : 4);
		return at + 1 + operands(opcode);
	}

	private String made(byte[] code, int at) {
		switch (code[at] & 255) {
		case NEW:
		case MULTIANEWARRAY:
			return javaName(className(u2(code, at + 1)));
		case ANEWARRAY:
			return javaName(className(u2(code, at + 1))) + "[]";
		case NEWARRAY:
			return ELEMENTS[code[at + 1] - 4] + "[]";
		default:
			return null;
		}
	}

	private void read(String owner, String method, String descriptor, byte[] code) {
		String[] names = {"new", "newarray", "anewarray", "", "", "", "", "", "", "", "multianewarray"};
		for (int at = 0; at < code.length; at = next(code, at)) {
			String made = made(code, at);
			if (made != null)
				found.add(String.format("{\"class\": \"%s\", \"method\": \"%s\", \"descriptor\": \"%s\", \"bci\": %d, \"opcode\": \"%s\", "
					+ "\"allocates\": \"%s\", \"action\": \"jump\"}", javaName(owner), method, descriptor, at,
					names[(code[at] & 255) - NEW], made));
		}
	}

	private static void skipMembers(DataInputStream in) throws IOException {
		for (int n = in.readUnsignedShort(); n > 0; n--) {
			in.skipBytes(6);
			for (int k = in.readUnsignedShort(); k > 0; k--) {
				in.readUnsignedShort();
				in.readNBytes(in.readInt());
			}
		}
	}

	private void readMethod(DataInputStream in, String owner) throws IOException {
		in.readUnsignedShort();
		String name = (String) pool[in.readUnsignedShort()], descriptor = (String) pool[in.readUnsignedShort()];
		for (int k = in.readUnsignedShort(); k > 0; k--) {
			boolean isCode = "Code".equals(pool[in.readUnsignedShort()]);
			byte[] bytes = in.readNBytes(in.readInt());
			if (isCode)
				read(owner, name, descriptor, java.util.Arrays.copyOfRange(bytes, 8, 8 + u4(bytes, 4)));
		}
	}

	private void read(DataInputStream in) throws IOException {
		in.skipBytes(8);
		readPool(in);
		in.readUnsignedShort();
		String owner = className(in.readUnsignedShort());
		in.readUnsignedShort();
		in.skipBytes(2 * in.readUnsignedShort());
		skipMembers(in);
		for (int n = in.readUnsignedShort(); n > 0; n--)
			readMethod(in, owner);
	}

	public static void main(String[] args) throws Exception {
		Places places = new Places();
		for (int i = 1; i < args.length; i++) {
			String path = "/" + args[i].replace('.', '/') + ".class";
			try (InputStream in = Class.forName(args[i], false, Places.class.getClassLoader()).getResourceAsStream(path)) {
				places.read(new DataInputStream(in));
			} catch (ClassNotFoundException e) {
				continue;
			}
		}
		try (PrintStream out = new PrintStream(args[0])) {
			out.println("{\"mayfly\": 1, \"decisions\": [\n" + String.join(",\n", places.found) + "]}");
		}
		System.out.println(places.found.size());
	}
}
