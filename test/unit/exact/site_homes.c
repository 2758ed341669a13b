/* Sites of any loaders that come, move and go, against what each was given last. */
#include "exact/site_homes.h"

#include "base/rng.h"
#include "support/tap.h"

enum { SITES = 200, LOADERS = 4, ROUNDS = 20000 };

static struct site_homes any(struct rng *r)
{
	struct site_homes h = {rng_below(r, LOADERS), rng_below(r, LOADERS), {0}, false};
	for (int i = 0; i < SITE_HOMES && rng_below(r, 2); i++)
		h.callers[i] = rng_below(r, LOADERS);
	h.many = rng_below(r, 8) == 0;
	return h;
}

static bool same(const struct site_homes *a, const struct site_homes *b)
{
	bool callers = true;
	for (int i = 0; i < SITE_HOMES; i++)
		callers = callers && a->callers[i] == b->callers[i];
	return callers && a->loader == b->loader && a->home == b->home && a->many == b->many;
}

/* Rows that some site has, no two of them the same. */
static unsigned distinct(const struct site_homes *of)
{
	unsigned count = 0;
	for (int i = 0; i < SITES; i++) {
		bool is = same(&of[i], &(struct site_homes){0});
		for (int k = 0; k < i && !is; k++)
			is = same(&of[i], &of[k]);
		count += !is;
	}
	return count;
}

static unsigned used(const struct site_homes_table *t)
{
	unsigned free = 0;
	for (uint32_t row = t->free; row; row = t->at[row].next)
		free++;
	return t->count - 1 - free;
}

TEST(each_has_what_it_was_given)
{
	static struct site_homes_table t;
	struct site_homes want[SITES] = {{0}};
	uint32_t rows[SITES] = {0}, wrong = 0;
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, site_homes_init(&t));
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t site = (uint32_t)rng_below(&r, SITES);
		want[site] = rng_below(&r, 3) ? any(&r) : (struct site_homes){0};
		rows[site] = site_homes_move(&t, rows[site], &want[site]);
		uint32_t other = (uint32_t)rng_below(&r, SITES);
		wrong += !same(site_homes_at(&t, rows[other]), &want[other]);
	}
	EXPECT_INT(0, wrong);
	EXPECT_INT(distinct(want), used(&t));
	EXPECT(t.count <= SITES + 1);
	site_homes_release(&t);
}

/* What is nobody's is another's. */
TEST(rows_of_loaders_that_went_are_used_again)
{
	static struct site_homes_table t;
	uint32_t row = 0;
	EXPECT_INT(0, site_homes_init(&t));
	for (uintptr_t loader = 1; loader <= 1000; loader++)
		row = site_homes_move(&t, row, &(struct site_homes){.loader = loader});
	EXPECT_INT(1000, site_homes_at(&t, row)->loader);
	EXPECT_INT(2, t.count);
	EXPECT_INT(0, site_homes_move(&t, row, &(struct site_homes){0}));
	EXPECT_INT(0, used(&t));
	site_homes_release(&t);
}
