#include "exact/census.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "base/rng.h"
#include "exact/site_table.h"
#include "support/census_read.h"
#include "support/tap.h"

enum { SITES = 40 };

/* Counts, plainly. */
struct plain {
	struct census_cell cells[2][SITES][CENSUS_AGES], promoted, young, unknown;
};

static void plain_add(struct census_cell *c, uint64_t bytes)
{
	c->objects++;
	c->bytes += bytes;
}

static bool cell_is(const struct census_cell *want, const struct census_cell *got)
{
	return want->objects == got->objects && want->bytes == got->bytes;
}

/* Sites 1 to SITES - 1; 0 is none. */
static void feed(struct census *c, struct plain *p, struct rng *r)
{
	for (int i = 0; i < 30000; i++) {
		uint32_t site = (uint32_t)rng_below(r, SITES);
		unsigned survived = (unsigned)rng_below(r, 24);
		bool promoted = rng_below(r, 3) == 0;
		uint64_t bytes = 16 + 8 * rng_below(r, 1000);
		census_add(c, site, survived, promoted, bytes);
		if (site == 0 || survived == 0) {
			plain_add(&p->unknown, bytes);
			continue;
		}
		unsigned age = survived < CENSUS_AGES ? survived : CENSUS_AGES;
		plain_add(&p->cells[promoted][site][age - 1], bytes);
		plain_add(promoted ? &p->promoted : &p->young, bytes);
	}
}

static void expect_rows(const struct census *c, const struct plain *p)
{
	bool met[SITES] = {false};
	EXPECT_INT(SITES - 1, c->count);
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t site = c->rows[i].site;
		EXPECT(site > 0 && site < SITES && !met[site]);
		met[site] = true;
		for (unsigned age = 0; age < CENSUS_AGES; age++)
			for (int old = 0; old < 2; old++) {
				struct census_cell got = census_read(c, site, age + 1, old);
				EXPECT(cell_is(&p->cells[old][site][age], &got));
			}
	}
	struct census_sums sums = census_sum(c);
	EXPECT(cell_is(&p->young, &sums.young));
	EXPECT(cell_is(&p->promoted, &sums.promoted));
	EXPECT(cell_is(&p->unknown, &c->unknown));
}

TEST(counts_by_site_and_age)
{
	struct census c;
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, census_init(&c));
	for (int round = 0; round < 3; round++) {
		struct plain *p = mem_zalloc(1, sizeof(*p));
		census_clear(&c);
		EXPECT_INT(0, c.count);
		feed(&c, p, &r);
		expect_rows(&c, p);
		mem_free(p);
	}
	census_release(&c);
}

TEST(no_such_site)
{
	struct census c;
	EXPECT_INT(0, census_init(&c));
	census_add(&c, SITE_NUMBERS, 1, false, 8);
	census_add(&c, SITE_MASK, 3, true, 16);
	census_add(&c, UINT32_MAX, 3, true, 32);
	EXPECT_INT(0, c.count);
	EXPECT_INT(3, c.unknown.objects);
	EXPECT_INT(56, c.unknown.bytes);
	census_add(&c, SITE_NUMBERS - 1, 1, false, 8);
	EXPECT_INT(1, c.count);
	census_release(&c);
}

/* Objects keep the number that an earlier recording gave them. */
TEST(of_another_recording)
{
	struct census c;
	EXPECT_INT(0, census_init(&c));
	c.first = 50;
	census_add(&c, 49, 1, false, 8);
	census_add(&c, SITE_OTHER, 1, false, 16);
	census_add(&c, 50, 1, false, 32);
	EXPECT_INT(2, c.count);
	EXPECT_INT(1, c.unknown.objects);
	EXPECT_INT(8, c.unknown.bytes);
	census_release(&c);
}

TEST(an_account_has_each_age)
{
	struct census c;
	static struct accounts a;
	EXPECT_INT(0, census_init(&c));
	EXPECT_INT(0, accounts_init(&a));
	EXPECT_INT(0, census_cells(&c));
	census_add(&c, 7, 1, false, 24);
	census_add(&c, 7, 1, false, 24);
	census_add(&c, 7, 3, true, 48);
	census_add(&c, 9, CENSUS_AGES + 5, true, 16);
	EXPECT_INT(3, census_cells(&c));
	census_tell(&c, &a);
	accounts_put(&a, &(struct account){.young = 1});
	const struct account_cell want[] = {{7, ACCOUNT_YOUNG, 1, 2, 48},
		{7, ACCOUNT_PROMOTED, 3, 1, 48}, {9, ACCOUNT_PROMOTED, CENSUS_AGES, 1, 16}};
	EXPECT_INT(ARRAY_SIZE(want), accounts_next(&a)->cells);
	for (uint32_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct account_cell *got = accounts_at(&a, accounts_next(&a), i);
		EXPECT_INT(want[i].site, got->site);
		EXPECT_INT(want[i].what, got->what);
		EXPECT_INT(want[i].survived, got->survived);
		EXPECT_INT(want[i].objects, got->objects);
		EXPECT_INT(want[i].bytes, got->bytes);
	}
	accounts_release(&a);
	census_release(&c);
}

TEST(without_a_row)
{
	struct census c;
	EXPECT_INT(0, census_init(&c));
	for (uint32_t site = 1; site <= CENSUS_ROWS + 100; site++)
		census_add(&c, site, 2, site & 1, 24);
	EXPECT_INT(CENSUS_ROWS, c.count);
	EXPECT_INT(100, c.unknown.objects);
	EXPECT_INT(2400, c.unknown.bytes);
	struct census_sums sums = census_sum(&c);
	EXPECT_INT(CENSUS_ROWS, sums.young.objects + sums.promoted.objects);
	/* Those that have one go on. */
	census_add(&c, CENSUS_ROWS, 2, false, 24);
	EXPECT_INT(2, census_read(&c, CENSUS_ROWS, 2, false).objects);
	EXPECT_INT(100, c.unknown.objects);
	/* And afterwards there is room for others. */
	census_clear(&c);
	census_add(&c, CENSUS_ROWS + 100, 2, false, 24);
	EXPECT_INT(1, c.count);
	EXPECT_INT(0, c.unknown.objects);
	EXPECT_INT(1, census_read(&c, CENSUS_ROWS + 100, 2, false).objects);
	EXPECT_INT(0, census_read(&c, CENSUS_ROWS + 100, 2, true).objects);
	census_release(&c);
}

/* Sites of all ages take more cells than sites of a few. */
TEST(without_a_cell)
{
	enum { EACH = 2 * CENSUS_AGES, WHOLE = (CENSUS_CELLS - 1) / EACH };
	struct census c, more;
	EXPECT_INT(0, census_init(&c));
	EXPECT_INT(0, census_init(&more));
	for (uint32_t i = 0; i < (WHOLE + 1) * EACH; i++)
		census_add(&c, 1 + i / EACH, 1 + i % CENSUS_AGES, i / CENSUS_AGES & 1, 24);
	EXPECT_INT(WHOLE + 1, c.count);
	EXPECT_INT(1, c.unknown.objects);
	EXPECT_INT(CENSUS_CELLS - 1, census_cells(&c));
	EXPECT_INT(0, census_read(&c, WHOLE + 1, CENSUS_AGES, true).objects);
	EXPECT_INT(1, census_read(&c, WHOLE + 1, CENSUS_AGES, false).objects);
	/* Taken by one that has none left; what has a cell goes on. */
	census_add(&more, WHOLE + 1, CENSUS_AGES, true, 48);
	census_add(&more, WHOLE + 1, CENSUS_AGES, false, 16);
	census_take(&c, &more);
	EXPECT_INT(2, c.unknown.objects);
	EXPECT_INT(72, c.unknown.bytes);
	EXPECT_INT(40, census_read(&c, WHOLE + 1, CENSUS_AGES, false).bytes);
	census_release(&more);
	census_release(&c);
}

/* That what jumped was promoted says something only where what did not jump stayed young. */
TEST(where_what_jumped_lands)
{
	struct census c, more;
	EXPECT_INT(0, census_init(&c));
	EXPECT_INT(0, census_init(&more));
	census_add(&c, 3, 1, false, 16);
	EXPECT_INT(LANDING_OPEN, census_landing(&c)); /* nothing jumped */
	census_land(&c, true);
	census_add(&c, 4, 1, true, 16);
	census_add(&c, 4, 2, true, 16); /* it was time */
	EXPECT_INT(LANDING_PROMOTED, census_landing(&c));
	census_add(&more, 5, 1, true, 16); /* without a jump: survivor spaces overflow */
	census_take(&c, &more);
	EXPECT_INT(LANDING_OPEN, census_landing(&c));
	census_land(&more, true);
	census_add(&more, 6, 1, true, 16);
	census_take(&c, &more);
	EXPECT_INT(LANDING_OPEN, census_landing(&c));
	EXPECT_INT(0, more.landed[true]);
	census_land(&more, false);
	census_take(&c, &more);
	EXPECT_INT(LANDING_YOUNG, census_landing(&c));
	census_clear(&c);
	census_land(&c, true);
	census_add(&c, 4, 1, true, 16);
	EXPECT_INT(LANDING_OPEN, census_landing(&c)); /* all are promoted at once */
	census_release(&more);
	census_release(&c);
}
