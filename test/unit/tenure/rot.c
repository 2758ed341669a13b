#include "tenure/rot.h"

#include "support/tap.h"

enum { ALLOCATED = 1000000, COPIED = 50000 };
/* One that looked at the births of nine collections, of which so many samples of that weight died.
 */
static struct early found(uint32_t samples, double bytes)
{
	struct early e = {.bytes = {0}};
	early_look(&e, 11);
	for (uint32_t i = 0; i < samples; i++)
		early_death(&e, 2 + i % 9, bytes);
	return e;
}

static enum rot_verdict held_to(
	struct rot *rot, const struct early *e, const struct rot_before *before)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = ALLOCATED,
				      .survivors = 0,
				      .promoted = COPIED,
				      .pause = 1,
				      .cpu = ROUND_UNKNOWN,
				      .cards = ROUND_UNKNOWN});
	return rot_round(rot, e, &r, before);
}

static enum rot_verdict verdict(
	struct rot *rot, struct early e, double copied, double early, double births, double fit)
{
	struct rot_before before = {copied, early, {.share[THRESHOLD_MOST] = 1}, births, fit};
	return held_to(rot, &e, &before);
}

static enum rot_verdict one(struct early e, double copied, double early)
{
	struct rot rot = {.early.bytes = {0}};
	return verdict(&rot, e, copied, early, ALLOCATED, 1);
}

/* A tenth of what is copied is 5000 bytes a collection. */
TEST(a_tenth_of_what_is_copied_may)
{
	EXPECT_INT(ROT_NO, one((struct early){.bytes = {0}}, 0.05, 0));
	EXPECT_INT(ROT_NO, one(found(1000, 9 * 4.9), 0.05, 0));
	EXPECT_INT(ROT_YES, one(found(1000, 9 * 5.9), 0.05, 0));
	struct rot rot = {.early.bytes = {0}};
	EXPECT_INT(ROT_NO, verdict(&rot, found(1000, 9 * 5.9), 0.05, 0, ALLOCATED, 0.5));
}

TEST(what_was_foretold_may_and_half_as_much_again)
{
	EXPECT_INT(ROT_NO, one(found(1000, 9 * 18), 0.05, 0.01));
	EXPECT_INT(ROT_YES, one(found(1000, 9 * 25), 0.05, 0.01));
}

TEST(where_nothing_was_foretold_half_of_what_is_copied_may)
{
	EXPECT_INT(ROT_NO, one(found(1000, 9 * 22), 0, 0));
	EXPECT_INT(ROT_LOOK, one(found(1000, 9 * 30), 0, 0));
}

/* Four samples that stand for all that is copied: more are needed. They come in later rounds. */
TEST(few_samples_may_tell)
{
	struct rot rot = {.early.bytes = {0}};
	EXPECT_INT(ROT_NO, one(found(1, 9 * 50000), 0.05, 0));
	EXPECT_INT(ROT_MAYBE, verdict(&rot, found(4, 9 * 12500), 0.05, 0, ALLOCATED, 1));
	EXPECT_INT(ROT_MAYBE, verdict(&rot, found(6, 9 * 8000), 0.05, 0, ALLOCATED, 1));
	EXPECT_INT(ROT_YES, verdict(&rot, found(12, 9 * 4000), 0.05, 0, ALLOCATED, 1));
}

/* A larger eden makes what was old die at a younger age. */
TEST(ages_are_those_of_before)
{
	struct early e = {.bytes = {0}};
	struct rot rot = {.early.bytes = {0}};
	early_look(&e, 11);
	for (int i = 0; i < 1000; i++)
		early_death(&e, 4, 500);
	EXPECT_INT(ROT_NO, verdict(&rot, e, 0.05, 0, ALLOCATED / 3.0, 1));
	EXPECT_INT(ROT_YES, verdict(&rot, e, 0.05, 0, ALLOCATED / 2.0, 1));
	rot = (struct rot){.early.bytes = {0}};
	EXPECT_INT(ROT_YES, verdict(&rot, e, 0.05, 0, 0, 1));
}

/* One that looked at what two to four collections ago made, of which so much died for each. */
static enum rot_verdict after_a_start(struct held held, double each, double births, double early)
{
	struct early e = {.bytes = {0}};
	struct rot rot = {.early.bytes = {0}};
	struct rot_before before = {0.05, early, held, births, 1};
	early_look(&e, 4);
	for (int i = 0; i < 3000; i++)
		early_death(&e, 2 + (uint64_t)(i % 3), each / 1000);
	return held_to(&rot, &e, &before);
}

/* Survivor spaces were full, so that the threshold was 1, or low and eden much smaller: of what
 * lives for two collections now that tells nothing. Half of what is copied is 25 000 bytes. */
TEST(a_start_that_kept_nothing_young_tells_nothing)
{
	const struct held one = {.share[1] = 1}, four = {.share[4] = 1};
	const struct held most = {.share = {[1] = 0.6, [15] = 0.4}};
	const struct held few = {.share = {[1] = 0.4, [15] = 0.6}};
	EXPECT_INT(ROT_NO, after_a_start(one, 24000, ALLOCATED, 0));
	EXPECT_INT(ROT_LOOK, after_a_start(one, 30000, ALLOCATED, 0));
	EXPECT_INT(ROT_NO, after_a_start(one, 30000, ALLOCATED, 0.03)); /* as was foretold */
	EXPECT_INT(ROT_LOOK, after_a_start(four, 30000, ALLOCATED / 3.0, 0));
	EXPECT_INT(ROT_YES, after_a_start(four, 30000, ALLOCATED, 0));
	EXPECT_INT(ROT_LOOK, after_a_start(most, 30000, ALLOCATED, 0.01));
	EXPECT_INT(ROT_NO, after_a_start(few, 30000, ALLOCATED, 0.01));
}
