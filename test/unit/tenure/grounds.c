/* What each kind of round makes of levers that are moved, and that it says why. */
#include "tenure/grounds.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "support/tap.h"

static const struct grounds_rule rule = {0.05, 0.1, true, false},
				 no_probe = {0.05, 0.1, false, false},
				 for_good = {0.05, 0.1, true, true};

static struct round made(uint64_t copied, uint64_t cpu)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.allocated = 1000,
				      .survivors = copied + (uint64_t)(i % 2),
				      .pause = 500 + (uint64_t)(i % 3),
				      .cpu = cpu,
				      .cards = ROUND_UNKNOWN});
	return r;
}

static struct snapshot seen(void)
{
	return (struct snapshot){.collections = 16, .copied = {1600, 16}};
}

/* Rounds before anything was moved, and then what is to be copied for each byte. */
static struct grounds known(double foretold)
{
	struct grounds e;
	struct round r = made(100, 300);
	struct snapshot s = seen();
	struct view v = {&s, &r, NULL, 0, 0};
	grounds_init(&e);
	for (int i = 0; i < 3; i++)
		grounds_before(&e, &v);
	e.foretold = foretold;
	return e;
}

static enum verdict rounds(struct grounds *e, const struct grounds_rule *how, int count,
	uint64_t copied, uint64_t cpu, struct diag *why)
{
	enum verdict verdict = VERDICT_STAY;
	struct round r = made(copied, cpu);
	struct snapshot s = seen();
	struct view v = {&s, &r, NULL, 0, 0};
	bool more;
	for (int i = 0; i < count && verdict == VERDICT_STAY; i++) {
		verdict = grounds_judge(e, &v, how, why, &more);
		EXPECT(!more);
		EXPECT((verdict == VERDICT_STAY) == !why->text[0]);
	}
	return verdict;
}

/* The start copied much more than a look without the levers: another setting is held to that. */
TEST(what_was_before_may_be_no_measure_any_more)
{
	struct diag why;
	struct grounds e = known(0.05);
	struct round look = made(70, 300);
	EXPECT_INT(VERDICT_STAY, rounds(&e, &no_probe, 4, 68, 300, &why));
	e = known(0.05);
	grounds_renew(&e, &look);
	EXPECT_INT(VERDICT_BACK, rounds(&e, &no_probe, 4, 68, 300, &why));
	EXPECT_STR("it did not pay: as much is copied as before", why.text);
}

static void measure(struct grounds *e, uint64_t copied)
{
	struct round r = made(copied, 300);
	struct snapshot s = seen();
	struct view v = {&s, &r, NULL, 0, 0};
	grounds_before(e, &v);
}

/* A file's decisions: nothing is foretold, and a look is all that there is of before. */
static struct grounds looked_at(uint64_t copied)
{
	struct grounds e;
	grounds_init(&e);
	measure(&e, copied);
	return e;
}

/* As loud as the collector's CPU is not: bytes are counted. */
TEST(what_copies_more_than_without_is_looked_at_again_and_goes)
{
	struct diag why;
	struct grounds e = looked_at(100);
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &rule, 4, 150, 290, &why));
	EXPECT_STR("more is copied than before", why.text);
	grounds_forget(&e);
	measure(&e, 100);
	EXPECT_INT(VERDICT_BACK, rounds(&e, &rule, 4, 150, 290, &why));
	EXPECT_STR("it did not pay: more is copied than before", why.text);
	e = looked_at(100);
	EXPECT_INT(VERDICT_BACK, rounds(&e, &no_probe, 4, 150, 290, &why));
}

/* A program that copies twice as much at times: where a file is only applied it is not the levers'
 * fault before a look has said so, for nobody would take them again. */
TEST(what_nobody_takes_again_is_measured_anew_before_it_goes)
{
	struct diag why;
	struct grounds e = looked_at(100);
	e.foretold = 0.05;
	EXPECT_INT(VERDICT_BACK, rounds(&e, &rule, 4, 95, 300, &why));
	EXPECT_STR("it did not pay: as much is copied as before", why.text);
	e = looked_at(100);
	e.foretold = 0.05;
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &for_good, 4, 95, 300, &why));
	EXPECT_STR("as much is copied as before", why.text);
	grounds_forget(&e);
	measure(&e, 190);
	e.foretold = 0.1;
	EXPECT_INT(VERDICT_STAY, rounds(&e, &for_good, 4, 100, 300, &why));
	grounds_forget(&e);
	measure(&e, 100);
	e.foretold = 0.05;
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &for_good, 4, 95, 300, &why));
	grounds_forget(&e);
	measure(&e, 100);
	EXPECT_INT(VERDICT_BACK, rounds(&e, &for_good, 4, 95, 300, &why));
	EXPECT_STR("it did not pay: as much is copied as before", why.text);
}

/* The program does something else: what is measured anew is as much, and then more again. */
TEST(what_the_program_copies_more_is_not_the_levers_fault)
{
	struct diag why;
	struct grounds e = looked_at(100);
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &rule, 4, 150, 300, &why));
	grounds_forget(&e);
	measure(&e, 220);
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 4, 150, 300, &why));
	grounds_forget(&e);
	measure(&e, 100);
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &rule, 4, 150, 300, &why));
}

/* It is the end of a look that is like what it comes to rest at. */
TEST(what_the_ages_say_is_fitted_to_the_end_of_a_look)
{
	struct snapshot_row row = {.passage = {.bytes = {.died = {8000}, .stood = {8000}},
					   .objects = {.died = {80}, .stood = {80}}}};
	struct snapshot s = {.rows = &row, .count = 1, .places = 1, .collections = 16};
	struct grounds e = known(0.05);
	struct round r = made(100, 300);
	struct view v = {&s, &r, NULL, 0, 0};
	s.held.share[0] = 1;
	for (int i = 0; i < 12; i++)
		r.collection[i].survivors = 20;
	for (int i = 12; i < 16; i++)
		r.collection[i] = (struct round_collection){.allocated = 1000, .promoted = 250};
	grounds_refit(&e, &v);
	EXPECT_NEAR(0.5, e.fit.value, 1e-9);
}

TEST(what_pays_stays)
{
	struct grounds e = known(0.04);
	struct diag why;
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 8, 40, 200, &why));
	EXPECT_INT(8, e.since.rounds);
	EXPECT_INT(3, e.before.rounds);
	EXPECT_NEAR(1000, e.births, 1e-9);
}

TEST(what_costs_more_goes_back)
{
	struct grounds e = known(0.04);
	struct diag why;
	EXPECT_INT(VERDICT_BACK, rounds(&e, &rule, 1, 40, 400, &why));
	EXPECT(strstr(why.text, "it did not pay"));
}

static struct round made_full(uint64_t copied, uint64_t cpu)
{
	struct round r = made(copied, cpu);
	r.full = 5000;
	return r;
}

/* Full collections cost more than all else, and come with the levers or without. */
TEST(a_heap_that_fills_is_looked_at)
{
	struct snapshot s = seen();
	struct round full = made_full(40, 900), was = made_full(100, 300);
	struct view v = {&s, &full, NULL, 0, 0}, before = {&s, &was, NULL, 0, 0};
	struct diag why;
	bool more;
	struct grounds e = known(0.04);
	EXPECT_INT(VERDICT_LOOK, grounds_judge(&e, &v, &rule, &why, &more));
	EXPECT(strstr(why.text, "the heap has filled"));
	e = known(0.04);
	EXPECT_INT(VERDICT_BACK, grounds_judge(&e, &v, &no_probe, &why, &more));
	e = known(0.04);
	grounds_before(&e, &before); /* one of four had them before */
	EXPECT_INT(VERDICT_LOOK, grounds_judge(&e, &v, &rule, &why, &more));
	for (int i = 0; i < 2; i++)
		grounds_before(&e, &before);
	EXPECT_INT(VERDICT_BACK, grounds_judge(&e, &v, &rule, &why, &more));
	EXPECT(strstr(why.text, "it did not pay"));
	e = known(0.04);
	full = made_full(40, 200); /* they cost nothing */
	EXPECT_INT(VERDICT_STAY, grounds_judge(&e, &v, &rule, &why, &more));
}

TEST(what_brings_nothing_goes_back_after_two_rounds)
{
	struct grounds e = known(0.04);
	struct diag why;
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 99, 300, &why));
	EXPECT_INT(VERDICT_BACK, rounds(&e, &rule, 1, 99, 300, &why));
	EXPECT(strstr(why.text, "as much is copied as before"));
}

/* A probe tells, where there can be one; else nothing could, and all goes back. */
TEST(another_program_is_looked_at)
{
	struct grounds e = known(0.04), same = known(0.04);
	struct diag why;
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 4, 40, 200, &why));
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 80, 200, &why)); /* once is not enough */
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &rule, 1, 80, 200, &why));
	EXPECT(strstr(why.text, "the program does something else"));
	EXPECT_INT(4, e.since.rounds);
	EXPECT_INT(VERDICT_STAY, rounds(&same, &no_probe, 4, 40, 200, &why));
	EXPECT_INT(VERDICT_STAY, rounds(&same, &no_probe, 1, 80, 200, &why));
	EXPECT_INT(VERDICT_BACK, rounds(&same, &no_probe, 1, 80, 200, &why));
	EXPECT(strstr(why.text, "the program does something else"));
}

/* Decisions of a file: only its own rounds tell what it costs, and of a fifth more. */
TEST(without_a_before_its_own_rounds_count)
{
	struct grounds e;
	struct diag why;
	grounds_init(&e);
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 4, 40, 200, &why));
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 40, 230, &why));
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 40, 300, &why));
	EXPECT_INT(VERDICT_LOOK, rounds(&e, &rule, 1, 40, 300, &why));
}

/* What comes once, and again, belongs to what the program does. */
TEST(a_burst_is_no_change)
{
	struct grounds e = known(0.04);
	struct diag why;
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 4, 40, 200, &why));
	for (int i = 0; i < 3; i++) {
		EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 80, 200, &why));
		EXPECT(e.doubtful == (i == 0)); /* it is known from then on */
		EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 40, 200, &why));
		EXPECT(!e.doubtful);
		EXPECT_INT(4 + 2 * (i + 1), e.since.rounds);
	}
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 200, 200, &why));
	grounds_settle(&e); /* what was doubtful under other levers is not */
	EXPECT_INT(VERDICT_STAY, rounds(&e, &rule, 1, 200, 200, &why));
}

TEST(what_was_measured_and_foretold_is_let_go)
{
	struct grounds e = known(0.04);
	struct forecast f = {.copied = {500, 5}, .early = {100, 1}};
	struct round r = made(100, 300);
	struct snapshot s = seen();
	struct view v = {&s, &r, NULL, 0, 0};
	grounds_foretell(&e, &v, &f);
	EXPECT_NEAR(500.0 / 16000, e.foretold, 1e-12);
	EXPECT_NEAR(100.0 / 16000, e.foretold_early, 1e-12);
	grounds_unsay(&e);
	EXPECT(e.foretold == 0 && isnan(e.foretold_early));
	grounds_forget(&e);
	EXPECT(!e.before.rounds && !e.since.rounds);
}

/*
 * Of a short look the births that were promoted are those of before it, by the bound that it lifts:
 * they say nothing of how old objects get without.
 */
TEST(a_short_look_is_held_to_its_collections)
{
	static const struct {
		double left;
		uint32_t held, stayed;
	} cases[] = {{0.1, 9, 0}, {0.9, 0, 9}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct diag why;
		bool more;
		struct grounds e;
		struct round r = made(100, 300);
		struct snapshot s = seen();
		struct view v = {&s, &r, NULL, 0, 0};
		s.held.share[cases[i].held] = 1;
		s.stayed.share[cases[i].stayed] = 1;
		s.left = cases[i].left;
		grounds_init(&e);
		for (int k = 0; k < 3; k++)
			grounds_before(&e, &v);
		e.foretold = 0.1;
		e.foretold_early = 0;
		s.early.bytes[5] = 16 * 200;
		s.early.squares[5] = 16 * 200;
		for (int age = 2; age < TENURE_AGES; age++)
			s.early.cohorts[age] = 16;
		EXPECT_INT(VERDICT_BACK, grounds_judge(&e, &v, &rule, &why, &more));
		EXPECT(strstr(why.text, "dies early in the old generation") != NULL);
	}
}

/* Copied 1608 by the collector, 1000 of what was followed, and 900 by the ages of the window's
 * births. */
TEST(copies_of_what_was_not_followed_are_of_a_round_that_is_known)
{
	struct snapshot_row row = {.passage = {.bytes = {.died = {400, 300}, .stood = {600, 300}},
					   .objects = {.died = {4, 3}, .stood = {6, 3}}}};
	static const struct age_tables tables = {.came = {0, 1000}, .stood = {0, 500}};
	struct snapshot s = {.rows = &row,
		.count = 1,
		.places = 1,
		.collections = 16,
		.copied = {1000, 10},
		.copied_error = 0.05,
		.held.share[1] = 1};
	snapshot_fit(&s, &tables);
	for (int blind = 0; blind < 2; blind++) {
		struct round r = made(100, 300);
		struct view v = {&s, &r, NULL, 0, 0};
		struct grounds e;
		if (blind)
			round_go_blind(&r);
		grounds_init(&e);
		grounds_before(&e, &v);
		EXPECT_NEAR(1.1, e.fit.value, 1e-6);
		EXPECT_NEAR(blind ? 0 : 1.608 - 1.1, e.fit.others, 1e-6);
	}
}
