#include "page/sieve.h"

#include "base/rng.h"
#include "support/tap.h"

enum { NUMBERS = 1 << 16 };

TEST(all_are_kept_at_first)
{
	struct sieve s = {.seed = tap_seed()};
	for (uint64_t n = 0; n < 1000; n++)
		EXPECT(sieve_keeps(&s, STRATUM_PLAIN, n) && sieve_keeps(&s, STRATUM_FOLLOWED, n));
	EXPECT(sieve_weight(&s, STRATUM_PLAIN) == 1);
}

TEST(strata_are_apart)
{
	struct sieve s = {.seed = tap_seed(), .level = {[STRATUM_PLAIN] = SIEVE_FINEST}};
	EXPECT(sieve_keeps(&s, STRATUM_FOLLOWED, 1));
	EXPECT(!sieve_keeps(&s, STRATUM_PLAIN, 1));
	EXPECT(sieve_weight(&s, STRATUM_PLAIN) == 0x1p63);
	EXPECT(sieve_weight(&s, STRATUM_FOLLOWED) == 1);
}

/* Each level keeps some of those of the level before, and no others: half, within five standard
 * deviations of a fair coin. */
TEST(each_level_halves_the_one_before)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 5; round++) {
		struct sieve s = {.seed = rng_u64(&rng)};
		double before = NUMBERS;
		for (unsigned level = 1; level < 10; level++) {
			size_t kept = 0;
			for (uint64_t n = 0; n < NUMBERS; n++) {
				s.level[0] = level;
				bool now = sieve_keeps(&s, 0, n);
				s.level[0] = level - 1;
				EXPECT(!now || sieve_keeps(&s, 0, n));
				kept += now;
			}
			double off = (double)kept - before / 2;
			EXPECT(off * off <= 25 * before / 4);
			before = (double)kept;
		}
	}
}
