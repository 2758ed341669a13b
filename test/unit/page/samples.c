#include "page/samples.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { COUNT = 400, MAX = 32 };

static struct sample sample_of(uint64_t n, bool tracked)
{
	return (struct sample){.time = n,
		.alloc = 10 * n,
		.size = 16 + n % 5,
		.site = (uint32_t)(n % 7),
		.tracked = tracked,
		.weight = 2};
}

static void add(struct samples *s, uint64_t n, bool tracked)
{
	struct sample x = sample_of(n, tracked);
	struct object o = {
		.id = n, .time = n, .size = x.size, .young = n / 3, .weight = 6, .site = x.site};
	EXPECT_INT(0, samples_add(s, &x));
	if (tracked)
		EXPECT_INT(0, samples_follow(s, &o));
}

static void end(struct samples *s, uint64_t n, enum kept_fate fate)
{
	struct object o = {.id = n};
	struct life l = {.died = fate == KEPT_DIED,
		.young = n + 1,
		.full = n + 2,
		.full_found = true,
		.bytes = {n + 3, n + 4},
		.ns = {n + 5, n + 6}};
	samples_end(s, &o, &l, fate);
}

TEST(a_life_belongs_to_its_sample)
{
	struct samples s = {.max = MAX};
	add(&s, 1, true);
	add(&s, 2, false);
	add(&s, 3, true);
	add(&s, 4, true);
	end(&s, 3, KEPT_DIED);
	end(&s, 1, KEPT_LET_GO);
	end(&s, 3, KEPT_ALIVE); /* it is over */
	end(&s, 9, KEPT_DIED);  /* never born */
	EXPECT_INT(4, s.list.count);
	const struct kept *k = s.list.at;
	EXPECT(k[0].fate == KEPT_LET_GO && k[0].young == 2 && k[0].ns.after == 6);
	EXPECT(k[0].ns.by == 0 && k[0].bytes.by == 0 && !k[0].full_found);
	EXPECT(k[1].fate == KEPT_NOT_FOLLOWED && k[1].lives == 0);
	EXPECT(k[2].fate == KEPT_DIED && k[2].full == 5 && k[2].full_found && k[2].lives == 6);
	EXPECT(k[2].ns.after == 8 && k[2].ns.by == 9);
	EXPECT(k[2].bytes.after == 6 && k[2].bytes.by == 7);
	EXPECT(k[3].fate == KEPT_NOT_FOLLOWED && k[3].born_young == 1);
	EXPECT(samples_thinned(&s) == 1);
	samples_release(&s);
}

/* However they come: bounded, in order, each with its own life, and levels as counts tell. */
TEST(thinned_samples_keep_their_lives)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 100; round++) {
		struct samples s = {
			.max = 1 + (size_t)rng_below(&rng, MAX), .sieve = {.seed = rng_u64(&rng)}};
		uint64_t tracked_in_10 = rng_below(&rng, 11), open = 0;
		bool tracked[COUNT];
		for (uint64_t n = 0; n < COUNT; n++) {
			tracked[n] = rng_below(&rng, 10) < tracked_in_10;
			add(&s, n, tracked[n]);
			if (tracked[n] && rng_below(&rng, 3))
				end(&s, n, KEPT_DIED);
			EXPECT(s.list.count <= s.max);
		}
		EXPECT_INT(COUNT, s.seen[STRATUM_PLAIN] + s.seen[STRATUM_FOLLOWED]);
		EXPECT_INT(s.list.count, s.counts[STRATUM_PLAIN] + s.counts[STRATUM_FOLLOWED]);
		for (size_t i = 0; i < s.list.count; i++) {
			const struct kept *k = &s.list.at[i];
			EXPECT(i == 0 || s.list.at[i - 1].number < k->number);
			EXPECT_INT(k->number, k->time);
			EXPECT(k->followed == tracked[k->number]);
			EXPECT(sieve_keeps(&s.sieve, kept_stratum(k), k->number));
			EXPECT(k->fate != KEPT_DIED || k->young == k->number + 1);
			open += k->followed && k->fate == KEPT_NOT_FOLLOWED;
		}
		EXPECT_INT(open, s.open.count);
		for (uint64_t n = 0; n < COUNT; n++)
			end(&s, n, KEPT_ALIVE);
		EXPECT_INT(0, s.open.count);
		samples_release(&s);
	}
}

/* The estimate of a sum over the trace, of one seed. */
static double estimate(uint64_t seed, bool followed)
{
	struct samples s = {.max = MAX, .sieve = {.seed = seed}};
	double sum = 0;
	for (uint64_t n = 0; n < COUNT; n++)
		add(&s, n, n % 3 == 0);
	for (size_t i = 0; i < s.list.count; i++) {
		const struct kept *k = &s.list.at[i];
		if (k->followed == followed)
			sum += sieve_weight(&s.sieve, kept_stratum(k)) * (double)k->size *
			       (double)(k->number % 11);
	}
	samples_release(&s);
	return sum;
}

/* Over many seeds the mean is the truth, within five of its own standard errors. */
TEST(thinned_sums_are_unbiased)
{
	enum { SEEDS = 1000 };
	struct rng rng = rng_init(tap_seed());
	for (int followed = 0; followed < 2; followed++) {
		double truth = 0, sum = 0, squares = 0;
		for (uint64_t n = 0; n < COUNT; n++)
			if ((n % 3 == 0) == followed)
				truth += (double)(16 + n % 5) * (double)(n % 11);
		for (int i = 0; i < SEEDS; i++) {
			double x = estimate(rng_u64(&rng), followed) - truth;
			sum += x;
			squares += x * x;
		}
		double error = sqrt(squares / SEEDS / SEEDS);
		EXPECT(error > 0);
		EXPECT_NEAR(0, sum / SEEDS, 5 * error);
	}
}

static int fill(struct samples *s)
{
	int err = ERR_NONE;
	for (uint64_t n = 0; n < 100 && !err; n++) {
		struct sample x = sample_of(n, n % 2);
		struct object o = {.id = n, .weight = 1};
		err = samples_add(s, &x);
		if (!err && x.tracked)
			err = samples_follow(s, &o);
	}
	return err;
}

TEST(out_of_memory)
{
	uint64_t n = 0, held = mem_held();
	int err = ERR_NOMEM;
	while (err == ERR_NOMEM) {
		struct samples s = {.max = MAX};
		mem_fail_at(++n);
		err = fill(&s);
		mem_fail_at(0);
		samples_release(&s);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	EXPECT(n > 4);
}
