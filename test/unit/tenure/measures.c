#include "tenure/measures.h"

#include <math.h>

#include "support/tap.h"

static void add_round(struct measures *m, uint64_t copied, uint64_t cpu)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = 1000,
				      .survivors = copied + (uint64_t)(i % 2),
				      .pause = 500 + (uint64_t)(i % 3),
				      .cpu = cpu,
				      .cards = ROUND_UNKNOWN});
	measures_add(m, &r);
}

TEST(what_got_worse_is_named)
{
	struct measures was = {0}, is = {0};
	add_round(&was, 100, 300);
	add_round(&is, 100, 300);
	EXPECT_INT(MEASURES, measures_worse(&was, &is, ~0u, 0.05));
	measures_clear(&is);
	add_round(&is, 120, 300);
	EXPECT_INT(MEASURE_COPIED, measures_worse(&was, &is, ~0u, 0.05));
	EXPECT_INT(MEASURES, measures_worse(&was, &is, 1 << MEASURE_COST, 0.05));
	EXPECT_INT(MEASURES, measures_worse(&was, &is, ~0u, 0.5));
	measures_clear(&is);
	add_round(&is, 100, 400);
	EXPECT_INT(MEASURE_COST, measures_worse(&was, &is, ~0u, 0.05));
	EXPECT_NEAR(0.1005, measures_copied(&is), 1e-12);
}

/* Where the collector's CPU is not known its pauses stand for it. */
TEST(pauses_stand_for_cpu)
{
	struct measures was = {0}, is = {0};
	add_round(&was, 100, ROUND_UNKNOWN);
	add_round(&is, 100, ROUND_UNKNOWN);
	EXPECT_NEAR(0.5, gauge_median(&was.of[MEASURE_COST]), 0.01);
	EXPECT_INT(MEASURES, measures_worse(&was, &is, ~0u, 0.05));
}

TEST(each_measure_has_a_name)
{
	for (int m = 0; m <= MEASURES; m++)
		EXPECT(measure_text((enum measure)m)[0]);
}

static struct round promoting(uint64_t survivors, uint64_t promoted)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = 1000,
				      .survivors = survivors,
				      .promoted = promoted,
				      .pause = 1,
				      .cpu = 1,
				      .cards = ROUND_UNKNOWN});
	return r;
}

/* Twice as much of little is little. */
TEST(promotion_counts_where_it_is_much)
{
	struct measures was = {0};
	struct round usual = promoting(100, 5), twice = promoting(95, 10), much = promoting(80, 25);
	unsigned which = 1 << MEASURE_COPIED | 1 << MEASURE_PROMOTED;
	measures_add(&was, &usual);
	EXPECT_INT(
		MEASURES, measures_departed(&was, &much, 0.1, which)); /* one round is not enough */
	measures_add(&was, &usual);
	EXPECT_INT(MEASURES, measures_departed(&was, &usual, 0.1, which));
	EXPECT_INT(MEASURES, measures_departed(&was, &twice, 0.1, which));
	EXPECT_INT(MEASURE_PROMOTED, measures_departed(&was, &much, 0.1, which));
	EXPECT_INT(MEASURE_PROMOTED, measures_changed(&was, &twice, 0.1, which));
	struct round more = promoting(150, 5);
	EXPECT_INT(MEASURE_COPIED, measures_departed(&was, &more, 0.1, which));
}

/* So many bytes in each collection, for which it and the whole program take so much CPU. */
static struct round taking(uint64_t eden, uint64_t copied, uint64_t cpu, uint64_t process)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = eden,
				      .survivors = copied,
				      .promoted = copied,
				      .pause = 1,
				      .cpu = cpu,
				      .cards = ROUND_UNKNOWN});
	r.process_cpu = process == ROUND_UNKNOWN ? process : 16 * process;
	return r;
}

static enum measure departed(struct round now)
{
	struct measures was = {0};
	struct round usual = taking(1000, 100, 300, 1300);
	measures_add(&was, &usual);
	measures_add(&was, &usual);
	return measures_departed(
		&was, &now, 0.1, 1 << MEASURE_COPIED | 1 << MEASURE_PROMOTED | 1 << MEASURE_COST);
}

/* The same objects are copied more often. */
TEST(a_smaller_eden_is_no_change_of_the_program)
{
	EXPECT_INT(MEASURES, departed(taking(1000, 100, 300, 1300)));
	EXPECT_INT(MEASURES, departed(taking(700, 100, 300, 1000)));
	EXPECT_INT(MEASURES, departed(taking(500, 90, 280, 800)));
	EXPECT_INT(MEASURE_COPIED, departed(taking(700, 120, 300, 1000)));
	EXPECT_INT(MEASURE_COPIED, departed(taking(1000, 120, 300, 1300)));
	/* Nor is a larger one, in which more is alive when it is full. */
	EXPECT_INT(MEASURES, departed(taking(2000, 180, 500, 2500)));
}

/* What the program itself takes for each byte tells how fast the machine is. */
TEST(a_slower_machine_is_no_change_of_the_program)
{
	EXPECT_INT(MEASURES, departed(taking(1000, 100, 450, 1950)));
	EXPECT_INT(MEASURE_COST, departed(taking(1000, 100, 450, 1450)));
	EXPECT_INT(MEASURE_COST, departed(taking(1000, 100, 450, ROUND_UNKNOWN)));
}

/* Sixteen collections of which one or none has a marking's CPU besides. */
static void add_marked(struct measures *m, uint64_t cpu, uint64_t marking)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = 1000,
				      .promoted = 100,
				      .pause = 1,
				      .cpu = cpu + (uint64_t)(i % 3) + (i == 7 ? marking : 0),
				      .cards = ROUND_UNKNOWN});
	measures_add(m, &r);
}

static bool dearer(uint64_t marking, int rounds, double early)
{
	struct measures was = {0}, is = {0};
	add_marked(&was, 300, 0);
	add_marked(&was, 300, 0);
	for (int i = 0; i < rounds; i++)
		add_marked(&is, 250, i % 4 ? marking : 0);
	EXPECT_INT(MEASURES, measures_worse(&was, &is, 1 << MEASURE_COST, 0.05));
	return measures_dearer(&was, &is, early, 0.05);
}

/* 50 of 300 were saved, and marking takes 3000 / 16 in three of four rounds. */
TEST(bursts_count_in_the_mean)
{
	EXPECT(dearer(3000, 12, 0.1));
	EXPECT(dearer(3000, 12, (double)NAN));
	EXPECT(!dearer(1000, 12, 0.1));
	EXPECT(!dearer(3000, 3, 0.1));
	/* A fifth of it is what early deaths cost: 0.2 (140 - 50) of 300. A tenth is too little. */
	EXPECT(dearer(3000, 12, 0.02));
	EXPECT(!dearer(3000, 12, 0.01));
}

/* Of 100 that were copied for each 1000 allocated 20 were to be left: 80 to go, so 20 must be gone.
 */
TEST(a_quarter_of_what_was_to_go_must_be_gone)
{
	struct measures before = {.allocated = 1000, .copied = 100, .rounds = 3},
			since = {.allocated = 1000, .copied = 81, .rounds = MEASURES_JUDGED};
	EXPECT(measures_brought_nothing(&before, &since, 0.02, 0.1));
	since.rounds--;
	EXPECT(!measures_brought_nothing(&before, &since, 0.02, 0.1));
	since.rounds++;
	since.copied = 80;
	EXPECT(!measures_brought_nothing(&before, &since, 0.02, 0.1));
	since.copied = 100;
	EXPECT(!measures_brought_nothing(
		&before, &since, 0.095, 0.1)); /* next to nothing was to go */
}

/* Above or below, by more than noise and by as much. */
TEST(a_round_may_be_apart_to_either_side)
{
	struct measures was = {0};
	add_round(&was, 100, 300);
	struct round same = promoting(100, 0), more = promoting(120, 0), fewer = promoting(80, 0);
	EXPECT(!measures_apart(&was, &same, 1 << MEASURE_COPIED, 0.05));
	EXPECT(measures_apart(&was, &more, 1 << MEASURE_COPIED, 0.05));
	EXPECT(measures_apart(&was, &fewer, 1 << MEASURE_COPIED, 0.05));
	EXPECT(!measures_apart(&was, &fewer, 1 << MEASURE_COPIED, 0.5));
	EXPECT(!measures_apart(&was, &fewer, 1 << MEASURE_PROMOTED, 0.05));
}
