/** Defined anew by each loader of Storm: each is a class that comes and goes. */
public class StormGuest {
	final Object of;

	public StormGuest(Object of) {
		this.of = of;
	}
}
