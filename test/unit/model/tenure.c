#include "model/tenure.h"

#include "base/rng.h"
#include "support/tap.h"

static uint64_t any(struct rng *r)
{
	return rng_below(r, 4) ? rng_below(r, 100) : rng_u64(r);
}

/* Whatever comes: what is kept ascends, the rest is counted, and figures are the record's own. */
TEST(rounds_ascend)
{
	struct rng rng = rng_init(tap_seed());
	struct tenure t = {.rounds = {0}};
	struct odds odds = {{0}};
	size_t kept = 0, left = 0;
	uint64_t last = 0, young = 0, time = 0, back = 0;
	for (int i = 0; i < 2000; i++) {
		struct record_round r = {.time = any(&rng),
			.round = rng_below(&rng, 3000),
			.young = any(&rng),
			.copied = any(&rng),
			.cpu = any(&rng),
			.state = any(&rng),
			.threshold = any(&rng),
			.jumps = any(&rng)};
		if (i < 1000)
			r.young %= 100, r.time %= 100, r.round = rng_below(&rng, (uint64_t)i + 3);
		EXPECT_INT(0, tenure_add_round(&t, &r, &odds));
		left += r.round <= last;
		EXPECT_INT(left, odds.count[ODD_TENURE_ORDER]);
		if (r.round <= last)
			continue;
		const struct tenure_round *got = &t.rounds.at[kept++];
		back += (r.time < time) + (uint64_t)(r.young < young);
		time = r.time > time ? r.time : time;
		young = r.young > young ? r.young : young;
		last = r.round;
		EXPECT_INT(r.round, got->round);
		EXPECT_INT(time, got->time);
		EXPECT_INT(young, got->young);
		EXPECT_INT(r.copied, got->copied);
		EXPECT_INT(r.cpu, got->cpu);
		EXPECT_INT(r.jumps, got->jumps);
		EXPECT_INT(r.state < 255 ? r.state : 255, got->state);
		EXPECT_INT(r.threshold < 15 ? r.threshold : 15, got->threshold);
	}
	EXPECT_INT(kept, t.rounds.count);
	EXPECT_INT(back, odds.count[ODD_CLOCK_BACK]);
	tenure_release(&t);
}

TEST(kinds_that_are_not_known_are_left_out)
{
	struct tenure t = {.rounds = {0}};
	struct odds odds = {{0}};
	size_t kept = 0;
	for (uint64_t lever = 0; lever < 7; lever++)
		for (uint64_t action = 0; action < 9; action++) {
			struct record_decision r = {.time = 5,
				.round = 2,
				.lever = lever,
				.action = action,
				.value = 3,
				.gain = UINT64_MAX,
				.harm = 4};
			EXPECT_INT(0, tenure_add_decision(&t, &r, 8, 9, &odds));
			if (lever > 3 || action > 5)
				continue;
			const struct tenure_decision *d = &t.decisions.at[kept++];
			EXPECT(d->time == 5 && d->round == 2 && d->value == 3 && d->harm == 4);
			EXPECT(d->gain == UINT64_MAX && d->site == 8 && d->reason == 9);
			EXPECT(d->lever == lever && d->action == action);
		}
	EXPECT_INT(24, kept);
	EXPECT_INT(kept, t.decisions.count);
	EXPECT_INT(63 - 24, odds.count[ODD_TENURE_UNKNOWN]);
	struct record_outcome o = {
		.time = 1, .round = 2, .lever = 3, .predicted = 4, .observed = 5};
	EXPECT_INT(0, tenure_add_outcome(&t, &o, &odds));
	o.lever = 4;
	EXPECT_INT(0, tenure_add_outcome(&t, &o, &odds));
	EXPECT_INT(1, t.outcomes.count);
	EXPECT(t.outcomes.at[0].predicted == 4 && t.outcomes.at[0].observed == 5);
	EXPECT_INT(63 - 24 + 1, odds.count[ODD_TENURE_UNKNOWN]);
	tenure_release(&t);
}

/* The first and the latest stay, in order. */
TEST(memory_is_bounded)
{
	struct tenure t = {.rounds = {0}};
	struct odds odds = {{0}};
	uint64_t put = 0;
	while (put < 2 * (uint64_t)TENURE_MAX) {
		struct record_round r = {.round = ++put};
		EXPECT_INT(0, tenure_add_round(&t, &r, &odds));
	}
	EXPECT(t.rounds.count <= TENURE_MAX);
	EXPECT_INT(put, t.rounds.count + odds.count[ODD_TENURE_FORGOTTEN]);
	for (size_t i = 0; i < TENURE_MAX / 4; i++)
		EXPECT(t.rounds.at[i].round == i + 1);
	for (size_t i = 1; i < t.rounds.count; i++)
		EXPECT(t.rounds.at[i].round > t.rounds.at[i - 1].round);
	EXPECT_INT(put, t.rounds.at[t.rounds.count - 1].round);
	for (size_t i = 1; i < TENURE_MAX / 4; i++)
		EXPECT(t.rounds.at[t.rounds.count - i].round == put - i + 1);
	tenure_release(&t);
}
