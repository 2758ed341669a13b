#include "exact/site_table.h"

#include "base/map.h"
#include "base/rng.h"
#include "exact/pages.h"
#include "support/tap.h"

TEST(find_and_add)
{
	struct site_table t;
	struct rng r = rng_init(tap_seed());
	uint32_t ids[64][16] = {{0}}, next = SITE_OTHER + 1;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	EXPECT_INT(next, t.count);
	for (int i = 0; i < 20000; i++) {
		uint32_t k = (uint32_t)rng_below(&r, 64), c = (uint32_t)rng_below(&r, 16);
		int fresh = -1;
		/* Key 0 is a place like others, and keys and classes that sum up to the same
		 * differ. */
		uint32_t id = site_table_find(&t, (uint64_t)k << 32 | k, c + k, SITES_MAX, &fresh);
		EXPECT_INT(ids[k][c] == 0, fresh);
		if (fresh) {
			EXPECT_INT(next, id);
			ids[k][c] = next++;
			EXPECT(t.at[id].key == ((uint64_t)k << 32 | k) && t.at[id].klass == c + k);
		}
		EXPECT_INT(ids[k][c], id);
	}
	EXPECT_INT(64 * 16 + 2, t.count);
	EXPECT_INT(0, t.refused);
	site_table_release(&t);
	EXPECT(!t.at && !t.index && t.count == 0);
}

TEST(beyond_its_room_all_are_one)
{
	struct site_table t;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (uint32_t i = SITE_OTHER + 1; i < SITES_MAX; i++)
		if (site_table_find(&t, i, 7, SITES_MAX, &fresh) != i || !fresh)
			EXPECT_INT(i, 0);
	EXPECT_INT(SITES_MAX, t.count);
	for (uint32_t i = 0; i < 1000; i++) {
		EXPECT_INT(SITE_OTHER, site_table_find(&t, i, 8, SITES_MAX, &fresh));
		EXPECT_INT(0, fresh);
	}
	EXPECT_INT(1000, t.refused);
	EXPECT_INT(SITES_MAX, t.count);
	/* Those that are there still are. */
	for (uint32_t i = SITE_OTHER + 1; i < SITES_MAX; i += 1001) {
		EXPECT_INT(i, site_table_find(&t, i, 7, SITES_MAX, &fresh));
		EXPECT_INT(0, fresh);
	}
	site_table_release(&t);
}

TEST(retired_sites_are_not_found)
{
	enum { SITES = 3000 };
	struct site_table t;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (uint32_t i = 0; i < SITES; i++)
		site_table_find(&t, i % 50, 1 + i / 50, SITES_MAX, &fresh);
	for (uint32_t id = SITE_OTHER + 1; id < SITE_OTHER + 1 + SITES; id += 3)
		site_table_retire(&t, id);
	for (uint32_t i = 0; i < SITES; i++) {
		uint32_t was = SITE_OTHER + 1 + i,
			 id = site_table_find(&t, i % 50, 1 + i / 50, SITES_MAX, &fresh);
		EXPECT_INT(i % 3 == 0, fresh);
		EXPECT(i % 3 == 0 ? id > SITE_OTHER + SITES : id == was);
		EXPECT_INT(i % 3 == 0, t.at[was].retired);
		EXPECT(t.at[was].klass == t.at[id].klass && t.at[was].key == t.at[id].key);
	}
	/* Once more is nothing. */
	site_table_retire(&t, SITE_OTHER + 1);
	site_table_find(&t, 0, 1, SITES_MAX, &fresh);
	EXPECT_INT(0, fresh);
	site_table_release(&t);
}

/* Against a list, where sites come and go at random: whoever is found is who was put there. */
TEST(sites_come_and_go)
{
	enum { KEYS = 4000, STEPS = 200000 };
	struct site_table t;
	struct rng r = rng_init(tap_seed());
	uint32_t ids[KEYS] = {0}, found = SITE_FIRST;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (int i = 0; i < STEPS; i++) {
		uint32_t k = (uint32_t)rng_below(&r, KEYS);
		if (ids[k] && rng_below(&r, 2)) {
			site_table_retire(&t, ids[k]);
			if (rng_below(&r, 3))
				site_table_spare(&t, ids[k]);
			ids[k] = 0;
			found--;
			continue;
		}
		uint32_t id = site_table_find(&t, k * 64, 7, SITES_MAX, &fresh);
		tap_check(fresh == !ids[k] && (fresh || id == ids[k]) && t.at[id].key == k * 64 &&
				  !t.at[id].retired,
			__FILE__, __LINE__, "found");
		found += fresh != 0;
		ids[k] = id;
	}
	EXPECT_INT(found, t.found);
	for (uint32_t k = 0; k < KEYS; k++)
		for (uint32_t l = 0; ids[k] && l < k && k < 50; l++)
			EXPECT(ids[l] != ids[k]);
	EXPECT_INT(atomic_load(&t.count) - SITE_FIRST,
		site_table_retired(&t) + t.found - SITE_FIRST + t.spare_count);
	site_table_release(&t);
}

/* The longest spared first; and what is told of a site goes with its number. */
TEST(numbers_are_given_again)
{
	struct site_table t;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (uint32_t i = 0; i < 10; i++)
		site_table_find(&t, i, 7, SITES_MAX, &fresh);
	for (uint32_t i = 0; i < 10; i += 2)
		site_table_retire(&t, SITE_FIRST + i);
	t.at[SITE_FIRST + 4].told = 99;
	site_table_spare(&t, SITE_FIRST + 4);
	site_table_spare(&t, SITE_FIRST);
	EXPECT_INT(3, site_table_retired(&t));
	EXPECT_INT(0, t.at[SITE_FIRST + 4].told);
	EXPECT_INT(SITE_FIRST + 4, site_table_find(&t, 100, 7, SITES_MAX, &fresh));
	EXPECT_INT(SITE_FIRST, site_table_find(&t, 101, 7, SITES_MAX, &fresh));
	EXPECT_INT(SITE_FIRST + 10, site_table_find(&t, 102, 7, SITES_MAX, &fresh));
	EXPECT(fresh && t.at[SITE_FIRST].key == 101 && !t.at[SITE_FIRST].retired);
	EXPECT_INT(SITE_FIRST + 4, site_table_find(&t, 100, 7, SITES_MAX, &fresh));
	EXPECT(!fresh);
	site_table_release(&t);
}

/* Sites that are gone take numbers, and no room; where numbers go, less may be had of them. */
TEST(numbers_that_are_not_spared_run_out)
{
	enum { GONE = SITES_SPAN - SITES_MAX / 2 };
	struct site_table t;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (uint32_t i = 0; i < GONE - SITE_FIRST; i++)
		site_table_retire(&t, site_table_find(&t, i, 7, SITES_MAX, &fresh));
	EXPECT_INT(GONE - SITE_FIRST, site_table_retired(&t));
	EXPECT_INT(0, t.refused);
	EXPECT_INT(0, site_table_find(&t, GONE, 7, SITES_MAX / 2, &fresh));
	for (uint32_t i = GONE; i < SITES_SPAN; i++)
		site_table_find(&t, i, 7, SITES_MAX, &fresh);
	EXPECT_INT(SITES_SPAN, t.count);
	EXPECT_INT(SITE_OTHER, site_table_find(&t, SITES_SPAN, 7, SITES_MAX, &fresh));
	site_table_spare(&t, SITE_FIRST);
	EXPECT_INT(SITE_FIRST, site_table_find(&t, SITES_SPAN, 7, SITES_MAX, &fresh));
	site_table_release(&t);
}

/* Numbers of one recording after another: no two have the same, until there are none left. */
TEST(numbers_go_on)
{
	struct site_table t;
	uint32_t first = SITE_FIRST, recordings = 0;
	int fresh;
	do {
		EXPECT_INT(0, site_table_init(&t, first));
		EXPECT_INT(first, site_table_find(&t, 5, 7, SITES_MAX, &fresh));
		EXPECT_INT(first + 1, site_table_find(&t, 6, 7, SITES_MAX, &fresh));
		EXPECT(site_is_of(t.first, first) && site_is_of(t.first, SITE_OTHER));
		EXPECT(!site_is_of(t.first, first - 1) || first - 1 == SITE_OTHER);
		atomic_store(&t.count, first + 100000); /* as if there had been so many */
		first = site_table_next(&t);
		site_table_release(&t);
		recordings++;
	} while (first != SITE_FIRST);
	EXPECT_INT((SITE_NUMBERS - SITES_MAX) / 100000 + 1, recordings);
	EXPECT(!site_is_of(SITE_FIRST, 0) && !site_is_of(0, 0));
	EXPECT(!site_is_of(SITE_FIRST, SITE_NUMBERS));
}

/* As many as ever, wherever they begin. */
TEST(each_recording_has_all_its_room)
{
	struct site_table t;
	uint32_t first = SITE_NUMBERS - SITES_MAX;
	int fresh;
	EXPECT_INT(0, site_table_init(&t, first));
	for (uint32_t i = 0; i < SITES_MAX - SITE_FIRST; i++)
		if (site_table_find(&t, i, 7, SITES_MAX, &fresh) != first + i || !fresh)
			tap_check(false, __FILE__, __LINE__, "a number");
	EXPECT_INT(SITE_OTHER, site_table_find(&t, SITES_MAX, 7, SITES_MAX, &fresh));
	EXPECT_INT(1, t.refused);
	EXPECT_INT(SITE_FIRST, site_table_next(&t));
	site_table_release(&t);
	/* And of those that may only have a part of it. */
	EXPECT_INT(0, site_table_init(&t, first));
	for (uint32_t i = SITE_FIRST; i < 100; i++)
		EXPECT(site_table_find(&t, i, 7, 100, &fresh));
	EXPECT_INT(0, site_table_find(&t, 100, 7, 100, &fresh));
	site_table_release(&t);
}

/* The agent has 64 MB for all that it knows. */
TEST(a_full_table_takes_80_bytes_for_each_site)
{
	struct site_table t;
	int fresh;
	uint64_t before = pages_resident();
	EXPECT_INT(0, site_table_init(&t, SITE_FIRST));
	for (uint32_t i = SITE_FIRST; i < SITES_MAX; i++)
		site_table_find(&t, i, 7, SITES_MAX, &fresh);
	EXPECT_INT(SITES_MAX, t.count);
	EXPECT(pages_resident() - before <= SITES_MAX * 80 + (1 << 16)); /* pages begun */
	site_table_release(&t);
}
