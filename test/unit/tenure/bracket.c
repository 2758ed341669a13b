#include "tenure/bracket.h"

#include "support/tap.h"

static const struct held full = {.share[15] = 1};
static const struct cost bytes = {.byte = 1, .object = 0, .old = 2};

/* Of 1000 samples of a byte each `stood` stand at each age from the first to before `until`, and
 * none later. */
static struct snapshot_row row_of(double stood, uint32_t until)
{
	struct snapshot_row row = {.at.place = {.vm_method = 1, .class_id = 1}};
	struct passage *p = &row.passage;
	p->bytes.died[0] = p->objects.died[0] = (float)(1000 - stood);
	for (uint32_t age = 0; age < until; age++)
		p->bytes.stood[age] = p->objects.stood[age] = (float)stood;
	if (until < TENURE_AGES)
		p->bytes.died[until] = p->objects.died[until] = (float)stood;
	p->samples = p->squares = 1000;
	p->survivors = (float)stood;
	return row;
}

static struct bracket of(struct snapshot_row *row, uint32_t most, uint32_t ages)
{
	struct snapshot s = {.rows = row, .count = 1, .places = 1};
	struct setting set = {.most = most};
	struct sight seen = {ages, ages};
	return bracket_of(&s, &full, &set, &bytes, 0.05, &seen);
}

/* Seen up to some age they may all die there, or live on: two copies for each early death. */
TEST(it_narrows_with_what_is_seen)
{
	struct snapshot_row row = row_of(900, TENURE_AGES);
	struct bracket last = of(&row, 0, 1);
	EXPECT(last.least < 0 && last.most > 0 && !bracket_is_clear(&last));
	for (uint32_t ages = 2; ages <= TENURE_AGES; ages++) {
		struct bracket b = of(&row, 0, ages);
		EXPECT(b.least > last.least);
		last = b;
	}
	struct bracket early = of(&row, 0, 3), enough = of(&row, 0, 4);
	EXPECT(!bracket_is_clear(&early));
	EXPECT(bracket_is_clear(&enough) && enough.least > 0);
}

TEST(what_dies_after_two_copies_does_not_pay)
{
	struct snapshot_row row = row_of(900, 2);
	struct bracket before = of(&row, 0, 2), after = of(&row, 0, 3);
	EXPECT(!bracket_is_clear(&before));
	EXPECT(bracket_is_clear(&after) && after.most < 0);
}

TEST(few_samples_are_not_clear)
{
	struct snapshot_row row = row_of(900, TENURE_AGES);
	struct bracket many = of(&row, 0, 4);
	row.passage.squares *= 400; /* one stands for 400 */
	struct bracket few = of(&row, 0, 4);
	EXPECT(bracket_is_clear(&many));
	EXPECT(!bracket_is_clear(&few));
}

TEST(of_nothing_nothing_is_clear)
{
	struct snapshot_row row = row_of(0, 0);
	struct bracket b = of(&row, 0, 5);
	EXPECT(!bracket_is_clear(&b));
}

/* A caller's row counts for what jumping changes of its place, and only where it jumps. */
TEST(a_callers_row_is_a_difference)
{
	struct snapshot_row row[2] = {row_of(900, TENURE_AGES), row_of(900, TENURE_AGES)};
	struct choose_row none[2] = {{.why = CHOOSE_NO}, {.why = CHOOSE_NO}};
	struct choose_row place[2] = {{.why = CHOOSE_YES}, {.why = CHOOSE_NO}};
	struct choose_row caller[2] = {{.why = CHOOSE_NO}, {.why = CHOOSE_YES}};
	struct snapshot s = {.rows = row, .count = 2, .places = 1};
	struct sight seen = {TENURE_AGES, TENURE_AGES};
	struct setting set = {.most = THRESHOLD_MOST, .jump = none};
	row[1].at.depth = 1;
	struct bracket b = bracket_of(&s, &full, &set, &bytes, 0.05, &seen);
	EXPECT(b.most < 0);
	set.jump = place;
	struct bracket whole = bracket_of(&s, &full, &set, &bytes, 0.05, &seen);
	set.jump = caller;
	struct bracket part = bracket_of(&s, &full, &set, &bytes, 0.05, &seen);
	EXPECT(whole.least > 0);
	EXPECT_NEAR((whole.least + whole.most) / 2, (part.least + part.most) / 2, 1);
}
