import java.io.IOException;

/**
 * Locks that are biased to one thread and taken by another while young (11): of the many that follow the VM makes new marks,
 * without the age that the object had. Needs -XX:BiasedLockingDecayTime=500: if the other comes more often the class is
 * biased no more.
 *
 * usage: Rebias     (until stdin ends; says "ready" first)
 */
public class Rebias {
	static final int HELD = 200, PARTS = 16, GARBAGE = 128 << 10;
	static final long PAUSE = 600_000_000; // ns

	static final class Cell {
		int value;

		synchronized void step() { value++; }
	}

	static final Cell[] cells = new Cell[HELD];
	static volatile boolean stop;
	static volatile Object sink;

	static Cell cell() { return new Cell(); }

	/** New ones in the place of some of them, biased to this thread. */
	static void make(int round) {
		for (int i = round % PARTS; i < HELD; i += PARTS) {
			cells[i] = cell();
			cells[i].step();
			sink = new byte[GARBAGE];
		}
	}

	static void take() {
		for (Cell c : cells)
			if (c != null)
				c.step();
	}

	public static void main(String[] args) throws IOException, InterruptedException {
		Thread end = new Thread(() -> {
			try {
				System.in.read();
			} catch (IOException e) {
				// as if it had ended
			}
			stop = true;
		});
		end.setDaemon(true);
		end.start();
		System.out.println("ready");
		long last = System.nanoTime();
		for (int round = 0; !stop; round++) {
			make(round);
			if (System.nanoTime() - last < PAUSE)
				continue;
			last = System.nanoTime();
			Thread other = new Thread(Rebias::take);
			other.start();
			other.join();
		}
	}
}
