#include "exact/newborns.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "exact/pages.h"
#include "exact/site_table.h"
#include "support/tap.h"

enum { SITES = 50 };

static struct newborns *begin(void)
{
	static struct newborns n;
	EXPECT_INT(0, newborns_init(&n));
	return &n;
}

/* Any births, added here as well. */
static void add_some(struct newborns *n, struct rng *r, struct birth_sum *want, int times)
{
	for (int i = 0; i < times; i++) {
		uint32_t site = 2 + (uint32_t)rng_below(r, SITES);
		struct birth_sum s = {.site = site,
			.objects = 1 + rng_below(r, 9),
			.bytes = 16 * rng_below(r, 99),
			.outside_objects = site < SITES ? rng_below(r, 2) : 0};
		s.outside_bytes = s.outside_objects * 1024;
		newborns_add(n, &s);
		want[site].objects += s.objects;
		want[site].bytes += s.bytes;
		want[site].outside_objects += s.outside_objects;
		want[site].outside_bytes += s.outside_bytes;
	}
}

static void expect_cells(const struct accounts *a, const struct birth_sum *want, uint32_t cells)
{
	uint32_t wrong = 0;
	struct birth_sum left[SITES + 2];
	memcpy(left, want, sizeof(left));
	for (uint32_t i = 0; i < cells; i++) {
		const struct account_cell *c = &a->cells[i];
		struct birth_sum *s = &left[c->site];
		bool out = c->what == ACCOUNT_OUTSIDE;
		wrong += c->survived != 0 || (!out && c->what != ACCOUNT_BIRTHS);
		wrong += c->objects != (out ? s->outside_objects : s->objects);
		wrong += c->bytes != (out ? s->outside_bytes : s->bytes);
		*(out ? &s->outside_objects : &s->objects) = 0; /* once */
	}
	for (uint32_t i = 0; i < SITES + 2; i++)
		wrong += left[i].objects || left[i].outside_objects;
	EXPECT_INT(0, wrong);
}

TEST(each_site_is_told_of_once)
{
	struct birth_sum want[SITES + 2] = {{0}};
	struct rng r = rng_init(tap_seed());
	struct newborns *n = begin();
	struct accounts *a = mem_alloc(sizeof(*a));
	EXPECT_INT(0, accounts_init(a));
	EXPECT_INT(0, newborns_cells(n));
	add_some(n, &r, want, 400);
	uint64_t objects = 0, cells = 0;
	for (uint32_t i = 0; i < SITES + 2; i++) {
		objects += want[i].objects;
		cells += (want[i].objects ? 1u : 0u) + (want[i].outside_objects ? 1u : 0u);
	}
	EXPECT_INT(objects, n->sum.objects);
	EXPECT_INT(cells, newborns_cells(n));
	newborns_tell(n, a);
	EXPECT_INT(cells, a->begun);
	expect_cells(a, want, (uint32_t)cells);
	accounts_release(a);
	mem_free(a);
	newborns_release(n);
}

/* What was told of is none of the next account's. */
TEST(then_there_are_none)
{
	struct newborns *n = begin();
	struct accounts *a = mem_alloc(sizeof(*a));
	EXPECT_INT(0, accounts_init(a));
	newborns_add(n, &(struct birth_sum){7, 3, 48, 1, 16});
	newborns_tell(n, a);
	EXPECT_INT(0, newborns_cells(n));
	EXPECT_INT(0, n->sum.objects + n->sum.outside_bytes);
	newborns_add(n, &(struct birth_sum){7, 1, 16, 0, 0});
	EXPECT_INT(1, newborns_cells(n));
	newborns_tell(n, a);
	EXPECT_INT(3, a->begun);
	EXPECT_INT(1, a->cells[2].objects);
	accounts_release(a);
	mem_free(a);
	newborns_release(n);
}

/* A program that makes class loaders without end uses all numbers, but few of them at a time. */
TEST(sites_that_were_take_no_rows)
{
	enum { AT_WORK = 1024 };
	struct accounts *a = mem_alloc(sizeof(*a));
	uint64_t before = pages_resident();
	struct newborns *n = begin();
	EXPECT_INT(0, accounts_init(a));
	for (uint32_t site = SITE_FIRST; site < SITES_MAX; site++) {
		newborns_add(n, &(struct birth_sum){site, 1, 16, 0, 0});
		if (site % AT_WORK)
			continue;
		newborns_tell(n, a);
		a->begun = 0;
	}
	EXPECT(pages_resident() - before <= SITES_MAX * sizeof(uint32_t) + (1 << 18));
	accounts_release(a);
	mem_free(a);
	newborns_release(n);
}
