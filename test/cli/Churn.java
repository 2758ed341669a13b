/** Allocates until its standard input ends, or for as many megabytes as it is told; keeps a little. */
public class Churn {
	static Object[] kept = new Object[1024];

	public static void main(String[] args) throws Exception {
		long left = args.length > 0 ? Long.parseLong(args[0]) << 20 : Long.MAX_VALUE;
		System.out.println("ready");
		for (int i = 0; left > 0; i++) {
			byte[] bytes = new byte[4096];
			left -= bytes.length;
			kept[i % kept.length] = bytes;
			if (args.length == 0 && i % 1000 == 0 && System.in.available() > 0)
				break;
		}
		System.out.println("done");
	}
}
