#include "stat/spans.h"

#include <math.h>

#include "base/error.h"
#include "base/hist.h"
#include "base/rng.h"
#include "support/tap.h"

static uint64_t some_time(struct rng *r)
{
	return rng_u64(r) >> (24 + rng_below(r, 40));
}

/* A row never claims more than was seen. */
TEST(rounds_outwards)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 20000; i++) {
		struct spans s = {0};
		uint64_t after = some_time(&r), by = after + some_time(&r);
		EXPECT_INT(0, spans_add(&s, FATE_DIED, after / 2, after, by, 1));
		const struct spans_row *row = &s.rows.at[0];
		EXPECT(spans_edge(row->after) <= after && spans_edge(row->by) >= by);
		EXPECT(spans_edge(row->entry) <= after / 2 && row->by > row->after);
		EXPECT(after < 8 || (double)spans_edge(row->after) > (double)after / 1.126);
		spans_release(&s);
	}
	struct spans s = {0};
	EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, UINT64_MAX, UINT64_MAX, 1));
	EXPECT_INT(HIST_BINS, s.rows.at[0].by);
	spans_release(&s);
}

static bool same(const struct spans *a, const struct spans *b)
{
	bool ok = a->rows.count == b->rows.count && a->all.n == b->all.n && a->coarse == b->coarse;
	for (size_t i = 0; ok && i < a->rows.count; i++) {
		const struct spans_row *x = &a->rows.at[i], *y = &b->rows.at[i];
		ok = x->entry == y->entry && x->after == y->after && x->by == y->by &&
		     x->mass.n == y->mass.n && !(fabs(x->mass.w - y->mass.w) > 0);
	}
	return ok;
}

static void add_some(struct rng *r, struct spans *one, struct spans *two, uint64_t most)
{
	uint64_t after = rng_below(r, most), by = after + rng_below(r, most);
	uint64_t entry = rng_below(r, 2) ? rng_below(r, after + 1) : 0;
	enum fate fate = rng_below(r, 2) ? FATE_DIED : FATE_LOST;
	EXPECT_INT(0, spans_add(one, fate, entry, after, by, 4));
	EXPECT_INT(0, spans_add(two, fate, entry, after, by, 4));
}

TEST(merging_is_adding)
{
	struct rng r = rng_init(tap_seed());
	struct spans all = {0}, part[2] = {0};
	for (int i = 0; i < 2000; i++)
		add_some(&r, &all, &part[i % 2], 60);
	EXPECT_INT(0, spans_merge(&part[0], &part[1]));
	EXPECT(same(&all, &part[0]));
	spans_release(&all);
	spans_release(&part[0]);
	spans_release(&part[1]);
}

/* Coarser, never larger, and nobody is forgotten. */
TEST(bounded_whatever_the_spans)
{
	struct rng r = rng_init(tap_seed());
	struct spans s = {0}, twin = {0};
	for (int i = 0; i < 30000; i++)
		add_some(&r, &s, &twin, 1ull << 50);
	EXPECT(s.rows.count <= SPANS_MAX && s.coarse > 0);
	EXPECT_INT(0, spans_merge(&s, &twin));
	uint64_t n = 0;
	for (size_t i = 0; i < s.rows.count; i++) {
		n += s.rows.at[i].mass.n;
		EXPECT(s.rows.at[i].after % (1u << s.coarse) == 0);
		EXPECT(s.rows.at[i].by > s.rows.at[i].after);
	}
	EXPECT(s.rows.count <= SPANS_MAX);
	EXPECT_INT(60000, n);
	EXPECT_INT(60000, s.all.n);
	spans_release(&s);
	spans_release(&twin);
}

TEST(refuses_nonsense)
{
	struct spans s = {0};
	EXPECT_INT(ERR_USAGE, spans_add(&s, FATE_DIED, 0, 5, 4, 1));
	EXPECT_INT(ERR_USAGE, spans_add(&s, FATE_DIED, 6, 5, 7, 1));
	EXPECT_INT(ERR_USAGE, spans_add(&s, FATE_DIED, 0, 5, 7, HUGE_VAL));
	EXPECT_INT(0, spans_add(&s, FATE_LOST, 0, 5, 0, 1));
	EXPECT_INT(1, s.all.n);
	spans_release(&s);
}

TEST(out_of_memory_leaves_it_valid)
{
	struct rng r = rng_init(tap_seed());
	struct spans from = {0}, twin = {0};
	for (int i = 0; i < 300; i++)
		add_some(&r, &from, &twin, 1000);
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct spans s = {0};
		mem_fail_at(n);
		err = spans_add(&s, FATE_LOST, 0, 1, 0, 1);
		if (!err)
			err = spans_merge(&s, &from);
		mem_fail_at(0);
		EXPECT(s.all.n == (err ? s.rows.count : 301));
		spans_release(&s);
		EXPECT_INT(held, mem_held());
	}
	spans_release(&from);
	spans_release(&twin);
}
