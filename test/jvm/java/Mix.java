import java.util.SplittableRandom;

/**
 * A known mix: objects of seven sizes from as many lines, in random order, so that each line allocates about as many bytes; or
 * of those of 16 B to 4 KB so many times as much. Says the truth as JSON.
 *
 * usage: Mix SEED MEGABYTES [SMALL]
 */
public class Mix {
	static final class Small { int a; }
	static volatile Object sink;
	static final String[] METHODS = {"s16", "s256", "s4k", "s32k", "s128k", "s500k", "s2m"};
	static final int[] SIZES = {16, 256, 4096, 32 << 10, 128 << 10, 500_000, 2 << 20};

	static void s16() { sink = new Small(); }
	static void s256() { sink = new byte[240]; }
	static void s4k() { sink = new byte[4080]; }
	static void s32k() { sink = new byte[(32 << 10) - 16]; }
	static void s128k() { sink = new byte[(128 << 10) - 16]; }
	static void s500k() { sink = new byte[499_984]; }
	static void s2m() { sink = new byte[(2 << 20) - 16]; }

	static void make(int kind) {
		switch (kind) {
		case 0: s16(); break;
		case 1: s256(); break;
		case 2: s4k(); break;
		case 3: s32k(); break;
		case 4: s128k(); break;
		case 5: s500k(); break;
		default: s2m();
		}
	}

	public static void main(String[] args) {
		SplittableRandom random = new SplittableRandom(Long.parseLong(args[0]));
		long[] objects = new long[SIZES.length];
		long total = Long.parseLong(args[1]) << 20, bytes = 0;
		int small = args.length > 2 ? Integer.parseInt(args[2]) : 1;
		while (bytes < total) {
			int kind = random.nextInt(SIZES.length);
			// About 32 KB of the small ones at a time; of the larger ones one in so many turns.
			int count = Math.max(1, (32 << 10) / SIZES[kind]);
			if (SIZES[kind] > 32 << 10 && random.nextInt(SIZES[kind]) >= 32 << 10)
				continue;
			if (SIZES[kind] <= 4096)
				count *= small;
			for (int i = 0; i < count; i++)
				make(kind);
			objects[kind] += count;
			bytes += (long) count * SIZES[kind];
		}
		StringBuilder out = new StringBuilder("{");
		for (int kind = 0; kind < SIZES.length; kind++)
			out.append(kind == 0 ? "" : ",").append("\"" + METHODS[kind] + "\":" + objects[kind] * SIZES[kind]);
		System.out.println(out.append("}"));
	}
}
