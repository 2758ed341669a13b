package java.util;

/** What rewritten classes call, put into java.base. It runs before the VM is ready: nothing but arithmetic on arrays. */
public final class Tally {
	public static int[] bySite;

	private Tally() {
	}

	public static void made(Object o, int site) {
		int[] counts = bySite;
		if (counts != null) {
			counts[site]++;
		}
	}

	/** Never called: the verifier must refuse whoever passes anything but a string. */
	public static void made(String o, int site) {
	}
}
