/** A class with a place of each kind; TenureClasses makes more of it, by its name. */
public class TenureClass00 implements TenureClasses.Maker {
	@Override
	public Object object() {
		return new TenureClass00();
	}

	@Override
	public byte[] array() {
		return new byte[32];
	}
}
