/** Says its number and waits until its input ends. */
public class AttachIdle {
	public static void main(String[] args) throws Exception {
		System.out.println(ProcessHandle.current().pid());
		while (System.in.read() >= 0) {
		}
	}
}
