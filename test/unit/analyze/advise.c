#include "analyze/advise.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/advise_of.h"
#include "support/tap.h"

#define MAIN "a.Main.main:1"

static const struct sim_site sites[] = {
	{"char[]", {"a.Text.line:9", MAIN}, 256, 900, 99, 1, 2},
	{"java.lang.Integer", {"java.lang.Integer.valueOf:1081", "a.Sum.add:5", MAIN}, 16, 120, 100,
		0, 0},
	{"a.Order", {"a.Parser.order:40", MAIN}, 64, 120, 20, 2, 6},
	{"a.Term[]", {"a.Index.add:17", MAIN}, 2048, 100, 3, 16, 60},
	{"a.Page[]", {"a.Cache.page:3", MAIN}, 512, 120, 50, 12, 14},
};
static const struct sim_text facts[] = {{"gc", "G1"}, {"jdk.version", "17.0.9"},
	{"deaths", "collection"}, {"heap.max", "536870912"}, {"tenuring.max", "15"}, {NULL, NULL}};

static struct sim program(void)
{
	return (struct sim){.sites = sites,
		.count = ARRAY_SIZE(sites),
		.facts = facts,
		.seed = tap_seed(),
		.samples = 20000,
		.interval = 524288,
		.gc_bytes = 60000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 60,
		.bytes_per_s = 800000000,
		.gc_ns = 4000000,
		.copy_ns = 0.5};
}

static void find(struct advise_of *a, const struct advise_query *q)
{
	advise_release(&a->advise);
	EXPECT_INT(0, advise_find(&a->advise, &a->model, &a->log, q));
}

TEST(the_costliest_comes_first)
{
	struct advise_of a;
	struct sim s = program();
	EXPECT_INT(0, advise_of_sim(&a, &s));
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(a.advise.findings.count >= 5);
	for (size_t i = 1; i < a.advise.findings.count; i++)
		EXPECT(a.advise.findings.at[i].gc <= a.advise.findings.at[i - 1].gc);
	advise_of_release(&a);
}

TEST(what_is_asked_for_is_what_is_found)
{
	struct advise_of a;
	struct sim s = program();
	EXPECT_INT(0, advise_of_sim(&a, &s));
	struct advise_query q = {.split = true, .only = -1};
	find(&a, &q);
	size_t all = a.advise.findings.count;
	q.limit = 2;
	find(&a, &q);
	EXPECT_INT(2, a.advise.findings.count);
	EXPECT_INT(all - 2, a.advise.hidden);
	q = (struct advise_query){.split = true, .only = RULE_BOXED};
	find(&a, &q);
	EXPECT_INT(1, a.advise.findings.count);
	q = (struct advise_query){.split = true, .only = -1, .least = 1};
	find(&a, &q);
	EXPECT_INT(0, a.advise.findings.count);
	EXPECT_INT(all, a.advise.small);
	q = (struct advise_query){.split = true, .only = -1};
	EXPECT_INT(0, where_add(&q.where, "class=a.*", NULL));
	find(&a, &q);
	EXPECT_INT(3, a.advise.findings.count); /* and none of the run */
	for (size_t i = 0; i < a.advise.findings.count; i++)
		EXPECT(a.advise.findings.at[i].row != NULL);
	advise_of_release(&a);
}

/* Garbage below the thresholds, spread over many places: nothing to fix. */
TEST(nothing_to_fix_is_an_answer)
{
	struct sim_site many[20];
	static char names[20][24];
	for (int i = 0; i < 20; i++) {
		snprintf(names[i], sizeof(names[i]), "a.C.m%d:1", i);
		many[i] = (struct sim_site){"a.Thing", {names[i], MAIN}, 64, 10, 100, 0, 0};
	}
	struct advise_of a;
	struct sim s = program();
	s.sites = many;
	s.count = 20;
	EXPECT_INT(0, advise_of_sim(&a, &s));
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT_INT(0, a.advise.findings.count);
	advise_of_release(&a);
}

TEST(an_empty_trace_has_nothing)
{
	struct advise_of a;
	struct sim s = {.interval = 512, .bytes_per_s = 1};
	EXPECT_INT(0, advise_of_sim(&a, &s));
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT_INT(0, a.advise.findings.count);
	advise_of_release(&a);
}

TEST(rules_have_words_of_their_own)
{
	for (int i = 0; i < RULES; i++)
		for (int k = 0; k < i; k++)
			EXPECT(strcmp(rule_word((enum rule)i), rule_word((enum rule)k)) != 0);
}

TEST(out_of_memory_is_told)
{
	struct advise_of a;
	struct sim s = program();
	s.samples = 4000;
	EXPECT_INT(0, advise_of_sim(&a, &s));
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n += 5) {
		mem_fail_at(n);
		err = advise_of_find(&a, 0);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
	}
	advise_of_release(&a);
}
