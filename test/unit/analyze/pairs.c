#include "analyze/pairs.h"

#include <string.h>

#include "base/error.h"
#include "support/tap.h"

enum { MOST = 8 };
#define NO_LINE UINT32_MAX /* of a side that does not have the place */

/* Places as side_collect leaves them, of one run or two. */
struct places {
	struct place at[MOST];
	struct total alloc[MOST][2];
	struct side side;
};

struct given {
	uint32_t name, line;
	double bytes;
};
/* The lines of a pair. */
struct wanted {
	uint32_t name, a, b;
};

static void fill(struct places *p, const struct given *g, size_t count, size_t runs)
{
	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < count; i++) {
		p->at[i] =
			(struct place){.name = g[i].name, .line = g[i].line, .alloc = p->alloc[i]};
		for (size_t run = 0; run < runs; run++)
			p->alloc[i][run].bytes.sum = g[i].bytes;
	}
	p->side.places.at = p->at;
	p->side.places.count = count;
	p->side.runs = runs;
}

static uint32_t line_of(const struct place *p)
{
	return p ? p->line : NO_LINE;
}

static void expect(
	const struct places *a, const struct places *b, const struct wanted *want, size_t count)
{
	struct pairs got;
	EXPECT_INT(0, pairs_match(&got, &a->side, &b->side));
	EXPECT_INT(count, got.list.count);
	for (size_t i = 0; i < count && i < got.list.count; i++) {
		const struct pair *p = &got.list.at[i];
		EXPECT_INT(want[i].name, (p->a ? p->a : p->b)->name);
		EXPECT(!p->a || !p->b || p->a->name == p->b->name);
		EXPECT_INT(want[i].a, line_of(p->a));
		EXPECT_INT(want[i].b, line_of(p->b));
	}
	pairs_release(&got);
}

TEST(lines_that_moved_are_pairs)
{
	struct places a, b;
	fill(&a, (struct given[]){{1, 10, 100}, {1, 20, 5}, {1, 30, 7}}, 3, 1);
	fill(&b, (struct given[]){{1, 14, 90}, {1, 24, 6}, {1, 34, 7}}, 3, 1);
	expect(&a, &b, (struct wanted[]){{1, 10, 14}, {1, 20, 24}, {1, 30, 34}}, 3);
}

TEST(what_only_one_side_has_is_left_alone)
{
	struct places a, b;
	fill(&a, (struct given[]){{1, 10, 100}, {1, 15, 2000}, {1, 30, 7}, {1, 50, 900}}, 4, 1);
	fill(&b, (struct given[]){{1, 10, 100}, {1, 30, 7}}, 2, 1);
	expect(&a, &b,
		(struct wanted[]){{1, 10, 10}, {1, 15, NO_LINE}, {1, 30, 30}, {1, 50, NO_LINE}}, 4);
	expect(&b, &a,
		(struct wanted[]){{1, 10, 10}, {1, NO_LINE, 15}, {1, 30, 30}, {1, NO_LINE, 50}}, 4);
}

TEST(names_are_matched_each_by_itself)
{
	struct places a, b;
	fill(&a, (struct given[]){{1, 10, 100}, {3, 10, 100}, {3, 20, 5}, {4, 0, 8}}, 4, 1);
	fill(&b, (struct given[]){{2, 10, 100}, {3, 12, 100}, {3, 22, 5}, {4, 0, 1}, {6, 7, 5}}, 5,
		1);
	expect(&a, &b,
		(struct wanted[]){{1, 10, NO_LINE}, {2, NO_LINE, 10}, {3, 10, 12}, {3, 20, 22},
			{4, 0, 0}, {6, NO_LINE, 7}},
		6);
}

/* Else twice the runs would look like twice the bytes: the line of 160 is the one that moved. */
TEST(bytes_are_those_of_a_run)
{
	struct places a, b;
	fill(&a, (struct given[]){{1, 10, 160}}, 1, 2);
	fill(&b, (struct given[]){{1, 14, 160}, {1, 18, 320}}, 2, 1);
	expect(&a, &b, (struct wanted[]){{1, 10, 14}, {1, NO_LINE, 18}}, 2);
	expect(&b, &a, (struct wanted[]){{1, 14, 10}, {1, 18, NO_LINE}}, 2);
}

TEST(a_side_may_have_nothing)
{
	struct places a, none;
	fill(&a, (struct given[]){{1, 10, 100}, {2, 20, 5}}, 2, 1);
	fill(&none, NULL, 0, 1);
	expect(&a, &none, (struct wanted[]){{1, 10, NO_LINE}, {2, 20, NO_LINE}}, 2);
	expect(&none, &a, (struct wanted[]){{1, NO_LINE, 10}, {2, NO_LINE, 20}}, 2);
	expect(&none, &none, NULL, 0);
}

TEST(running_out_of_memory_is_told)
{
	struct places a;
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	fill(&a, (struct given[]){{1, 10, 100}, {2, 20, 5}}, 2, 1);
	for (uint64_t n = 1; err == ERR_NOMEM && n < 100; n++) {
		struct pairs got;
		mem_fail_at(n);
		err = pairs_match(&got, &a.side, &a.side);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
		pairs_release(&got);
	}
	EXPECT_INT(0, err);
	EXPECT_INT(held, mem_held());
}
