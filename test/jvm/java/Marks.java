import java.io.IOException;
import java.util.Arrays;

/**
 * Uses what objects have in their headers: monitors that are contended, waited on and inflated, and identity hashes, all kept
 * over many collections and looked at again and again. At the end comes how many of each there were, on stdout; anything that
 * is not as it should be ends the program with status 1.
 *
 * usage: Marks ROUNDS     (0: until stdin ends; says "ready" first)
 */
public class Marks {
	static final int THREADS = 3, KEPT = 2000, TURNS = 400;

	/** Counts under its own monitor. */
	static final class Counter {
		int value, waits;

		synchronized void step() { value++; }
	}

	static final class Hashed {
		final int hash = System.identityHashCode(this);
	}

	static final class Locked {
		int depth;
	}

	/** Two threads hand it to each other. */
	static final class Ball {
		int at, turns;
	}

	static final Counter[] counters = new Counter[8];
	static final Hashed[] hashed = new Hashed[KEPT];
	static final Locked[] locked = new Locked[KEPT];
	static volatile boolean stop;
	static volatile Object sink;
	static int made;

	static Hashed hash() { return new Hashed(); }
	static Locked lock() { return new Locked(); }
	static byte[] garbage() { return new byte[2000]; }

	static void fail(String what) {
		System.out.println("wrong: " + what);
		System.out.flush();
		Runtime.getRuntime().halt(1);
	}

	static void contend(int turns) {
		for (int i = 0; i < turns; i++) {
			Counter c = counters[i % counters.length];
			synchronized (c) {
				c.step();
				if (i % 64 == 0)
					sink = garbage();
			}
		}
	}

	static void play(Ball ball, int me) {
		try {
			for (int i = 0; i < TURNS; i++)
				synchronized (ball) {
					while (ball.at != me)
						ball.wait();
					ball.at = 1 - me;
					ball.turns++;
					ball.notify();
				}
		} catch (InterruptedException e) {
			fail("interrupted");
		}
	}

	/** Half of them are made anew, with a lock held while others collect. */
	static void renew(int round) {
		for (int i = round & 1; i < KEPT; i += 2) {
			hashed[i] = hash();
			Locked l = lock();
			synchronized (l) {
				l.depth++;
				if (i % 100 == 0)
					System.identityHashCode(l); // inflates it
				if (i % 50 == 0)
					sink = garbage();
				locked[i] = l;
			}
			made++;
		}
	}

	static void question() {
		for (int i = 0; i < KEPT; i++) {
			Hashed h = hashed[i];
			if (h != null && System.identityHashCode(h) != h.hash)
				fail("hash " + i);
			Locked l = locked[i];
			if (l != null)
				synchronized (l) {
					if (l.depth < 1)
						fail("lock " + i);
				}
		}
	}

	static void fill() {
		for (int i = 0; i < 3000; i++)
			sink = garbage();
	}

	static void round(int round) throws InterruptedException {
		Ball ball = new Ball();
		int before = 0;
		for (Counter c : counters)
			before += c.value;
		Thread[] threads = new Thread[THREADS + 2];
		for (int i = 0; i < THREADS; i++)
			threads[i] = new Thread(() -> contend(20_000));
		for (int i = 0; i < 2; i++) {
			int me = i;
			threads[THREADS + i] = new Thread(() -> play(ball, me));
		}
		for (Thread t : threads)
			t.start();
		renew(round);
		fill();
		question();
		for (Thread t : threads)
			t.join();
		for (Counter c : counters)
			before -= c.value;
		if (before != -THREADS * 20_000 || ball.turns != 2 * TURNS)
			fail("counts " + before + " " + ball.turns);
	}

	static boolean ended() {
		try {
			return System.in.available() > 0;
		} catch (IOException e) {
			return true;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		int rounds = Integer.parseInt(args[0]);
		Arrays.setAll(counters, i -> new Counter());
		System.out.println("ready");
		System.out.flush();
		int round = 0;
		for (; rounds == 0 ? !ended() : round < rounds; round++)
			round(round);
		System.out.println("made " + made);
	}
}
