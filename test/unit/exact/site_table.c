#include "exact/site_table.h"

#include "base/map.h"
#include "base/rng.h"
#include "support/tap.h"

TEST(find_and_add)
{
	struct site_table t;
	struct rng r = rng_init(tap_seed());
	uint32_t ids[64][16] = {{0}}, next = SITE_OTHER + 1;
	EXPECT_INT(0, site_table_init(&t));
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
	EXPECT_INT(0, site_table_init(&t));
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
	EXPECT_INT(0, site_table_init(&t));
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
