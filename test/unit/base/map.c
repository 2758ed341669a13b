#include "base/map.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { KEYS = 512 };

/* Random puts and removes against a plain array. */
TEST(agrees_with_an_array)
{
	struct map m = {0};
	uint64_t value[KEYS] = {0};
	bool there[KEYS] = {false};
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 200000; i++) {
		uint64_t k = rng_below(&r, KEYS);
		uint64_t key = k * 0x10000000000ull;
		if (rng_below(&r, 2)) {
			EXPECT_INT(0, map_put(&m, key, (uint64_t)i));
			value[k] = (uint64_t)i;
			there[k] = true;
		} else {
			uint64_t taken = UINT64_MAX;
			EXPECT_INT(
				there[k], i % 2 ? map_remove(&m, key) : map_take(&m, key, &taken));
			EXPECT(i % 2 || taken == (there[k] ? value[k] : UINT64_MAX));
			there[k] = false;
		}
	}
	size_t count = 0;
	for (uint64_t k = 0; k < KEYS; k++) {
		uint64_t *found = map_find(&m, k * 0x10000000000ull);
		EXPECT_INT(there[k], found != NULL);
		EXPECT(!found || *found == value[k]);
		count += there[k];
	}
	EXPECT_INT(count, m.count);
	map_release(&m);
}

TEST(out_of_memory_leaves_it_unchanged)
{
	struct map m = {0};
	for (uint64_t k = 0; k < 12; k++)
		EXPECT_INT(0, map_put(&m, k, k));
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, map_put(&m, 99, 1));
	mem_fail_at(0);
	EXPECT_INT(12, m.count);
	EXPECT(map_find(&m, 99) == NULL);
	map_release(&m);
}
