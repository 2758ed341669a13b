import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Objects whose lives are known exactly, in this very run. Time goes in rounds: each allocates what is due, drops what is
 * due, and then makes exactly one collection happen. So an object with life k is found dead by the collection of the
 * k-th round after its own: it survives k collections. At the end comes the truth, as JSON, on stdout.
 *
 * usage: Truth SEED ROUNDS young|full SCALE [hurry]     (SCALE: how many objects, in percent)
 * hurry: don't wait after a collection until the VM has told its deaths
 */
public class Truth {
	static final int HORIZON = 16, FOREVER = 1 << 20, WITNESSES = 4;
	/** G1 never reclaims a large array early that a weak reference points to: that would be no witness but a cause. */
	static final int LARGE = 512 << 10;

	// Fields make the sizes: headers have 12 bytes.
	static final class Gone { int a; }
	static final class Ring { int a; long b; }
	static final class Geo { int a; long b, c, d; }
	static final class Two { int a; long b, c; }
	static final class Phase { int a; long b; }
	static final class Bimodal { int a; long b, c, d, e, f; }
	static final class Leak { int a; long b, c; }

	/** One allocation site, or one caller of one. */
	abstract static class Site {
		final String method, caller;
		final int size, perRound;
		String type;
		long objects;
		final long[] died = new long[HORIZON], alive;

		Site(String method, String caller, int size, int perRound, int rounds) {
			this.method = method;
			this.caller = caller;
			this.size = size;
			this.perRound = perRound;
			this.alive = new long[rounds + 1];
		}

		abstract Object make();

		abstract int life(int round);
	}

	static SplittableRandom random;
	static int rounds, percent;
	static Object[][] due;
	static int[] dueCount;
	static Object[] leaked = new Object[1 << 20];
	static int leakedCount, witnessErrors;

	static final class Witness {
		final WeakReference<Object> object;
		final int death; // the round whose collection finds it dead

		Witness(Object object, int death) {
			this.object = new WeakReference<>(object);
			this.death = death;
		}
	}

	static final List<Witness> witnesses = new ArrayList<>();

	// The allocation sites. Each is a method of its own, and everything is stored in an array that anybody could see.
	static Object gone() { return new Gone(); }
	static Object ring() { return new Ring(); }
	static Object geo() { return new Geo(); }
	static Object two() { return new Two(); }
	static Object twoShort() { return two(); }
	static Object twoLong() { return two(); }
	static Object phase() { return new Phase(); }
	static Object bimodal() { return new Bimodal(); }
	static Object leak() { return new Leak(); }
	static Object bytes1k() { return new byte[1000]; }
	static Object bytes16k() { return new byte[16_000]; }
	static Object bytes100k() { return new byte[100_000]; }
	static Object bytes1m() { return new byte[1 << 20]; }
	static Object bytes2m() { return new byte[2 << 20]; }

	static int geometric(double hazard, int most) {
		int k = 0;
		while (k < most && random.nextDouble() >= hazard)
			k++;
		return k;
	}

	static int uniform(int least, int most) {
		return random.nextInt(least, most + 1);
	}

	static List<Site> sites() {
		List<Site> all = new ArrayList<>();
		all.add(new Site("gone", "", 16, 8000, rounds) {
			Object make() { return gone(); }
			int life(int round) { return 0; }
		});
		all.add(new Site("ring", "", 24, 4000, rounds) {
			Object make() { return ring(); }
			int life(int round) { return 5; }
		});
		all.add(new Site("geo", "", 40, 4000, rounds) {
			Object make() { return geo(); }
			int life(int round) { return geometric(0.3, 12); }
		});
		all.add(new Site("two", "twoShort", 32, 3000, rounds) {
			Object make() { return twoShort(); }
			int life(int round) { return uniform(0, 1); }
		});
		all.add(new Site("two", "twoLong", 32, 3000, rounds) {
			Object make() { return twoLong(); }
			int life(int round) { return uniform(4, 7); }
		});
		all.add(new Site("phase", "", 24, 4000, rounds) {
			Object make() { return phase(); }
			int life(int round) { return round < rounds / 2 ? uniform(0, 1) : uniform(3, 4); }
		});
		all.add(new Site("bimodal", "", 56, 2000, rounds) {
			Object make() { return bimodal(); }
			int life(int round) { return random.nextDouble() < 0.7 ? 0 : 10; }
		});
		all.add(new Site("leak", "", 32, 3000, rounds) {
			Object make() { return leak(); }
			int life(int round) { return random.nextDouble() < 0.75 ? 0 : FOREVER; }
		});
		all.add(new Site("bytes1k", "", 1016, 150, rounds) {
			Object make() { return bytes1k(); }
			int life(int round) { return geometric(0.5, 12); }
		});
		all.add(new Site("bytes16k", "", 16_016, 16, rounds) {
			Object make() { return bytes16k(); }
			int life(int round) { return uniform(0, 4); }
		});
		all.add(new Site("bytes100k", "", 100_016, 4, rounds) {
			Object make() { return bytes100k(); }
			int life(int round) { return uniform(0, 3); }
		});
		all.add(new Site("bytes1m", "", (1 << 20) + 16, 1, rounds) {
			Object make() { return bytes1m(); }
			int life(int round) { return uniform(0, 2); }
		});
		all.add(new Site("bytes2m", "", (2 << 20) + 16, 1, rounds) {
			Object make() { return bytes2m(); }
			int life(int round) { return uniform(0, 1); }
		});
		return all;
	}

	static int perRound(Site site) {
		return Math.max(1, site.perRound * percent / 100);
	}

	static void keep(Object object, int round, int life) {
		if (life == FOREVER) {
			leaked[leakedCount++] = object;
		} else {
			int slot = (round + life) % HORIZON;
			due[slot][dueCount[slot]++] = object;
		}
	}

	static void allocate(Site site, int round) {
		int n = perRound(site);
		for (int i = 0; i < n; i++) {
			int life = site.life(round);
			Object object = site.make();
			keep(object, round, life);
			site.type = object.getClass().getTypeName();
			if (i < WITNESSES && site.size < LARGE)
				witnesses.add(new Witness(object, round + life));
			site.objects++;
			if (round + life < rounds)
				site.died[life]++;
			else
				site.alive[rounds - round]++;
		}
	}

	static void drop(int round) {
		int slot = round % HORIZON;
		Arrays.fill(due[slot], 0, dueCount[slot], null);
		dueCount[slot] = 0;
	}

	/** The VM must agree: each witness is gone if and only if its time has come. */
	static void question(int round) {
		for (int i = 0; i < witnesses.size(); i++) {
			Witness w = witnesses.get(i);
			boolean gone = w.object.get() == null;
			if (gone != (w.death <= round))
				witnessErrors++;
		}
		witnesses.removeIf(w -> w.death <= round);
	}

	/** One collection; also those before the first round must have told their deaths, else these count as survivors of the next. */
	static void collect(Collector collector, ServiceThread service) {
		collector.collect();
		if (service != null)
			service.await();
	}

	static String list(long[] counts) {
		int n = counts.length;
		while (n > 0 && counts[n - 1] == 0)
			n--;
		return Arrays.toString(Arrays.copyOf(counts, n));
	}

	public static void main(String[] args) {
		random = new SplittableRandom(Long.parseLong(args[0]));
		rounds = Integer.parseInt(args[1]);
		percent = Integer.parseInt(args[3]);
		List<Site> sites = sites();
		int most = 0;
		for (Site site : sites)
			most += perRound(site);
		due = new Object[HORIZON][most * 8];
		dueCount = new int[HORIZON];
		System.gc(); // the tables go to the old generation
		Collector collector = new Collector(args[2].equals("young"));
		ServiceThread service = args.length > 4 ? null : new ServiceThread();
		for (int i = 0; i < 3; i++)
			collect(collector, service);
		collector.surprises = 0;
		for (int round = 0; round < rounds; round++) {
			for (int i = 0; i < sites.size(); i++)
				allocate(sites.get(i), round);
			drop(round);
			collect(collector, service);
			question(round);
		}
		collector.check();
		StringBuilder out = new StringBuilder("{\"surprises\":" + collector.surprises + ",\"witness_errors\":" + witnessErrors
			+ ",\"rounds\":" + rounds + ",\"sites\":[");
		for (Site site : sites)
			out.append(site == sites.get(0) ? "" : ",").append("\n{\"class\":\"" + site.type + "\",\"method\":\"" + site.method + "\",\"caller\":\"" + site.caller
				+ "\",\"size\":" + site.size + ",\"objects\":" + site.objects + ",\"died\":" + list(site.died)
				+ ",\"alive\":" + list(site.alive) + "}");
		System.out.println(out.append("]}"));
	}
}
