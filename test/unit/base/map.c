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

/* x such that x * of is 1: each step doubles the bits that are right. */
static uint64_t inverse(uint64_t of)
{
	uint64_t x = of;
	for (int i = 0; i < 6; i++)
		x *= 2 - of * x;
	return x;
}

/* The key whose hash64 this is. */
static uint64_t key_of(uint64_t hash)
{
	hash = (hash ^ hash >> 33) * inverse(0xc4ceb9fe1a85ec53ull);
	hash = (hash ^ hash >> 33) * inverse(0xff51afd7ed558ccdull);
	return hash ^ hash >> 33;
}

/* As a hostile trace may have them. Were they all led to one place, this would not end. */
TEST(keys_that_were_made_to_meet_do_not)
{
	enum { MANY = 1 << 18, BITS = 42 };
	struct map m = {0};
	for (uint64_t i = 1; i <= MANY; i++) {
		EXPECT_INT(0, hash64(key_of(i << BITS)) & ((1ull << BITS) - 1));
		EXPECT_INT(0, map_put(&m, key_of(i << BITS), i));
	}
	for (uint64_t i = 1; i <= MANY; i++) {
		const uint64_t *value = map_find(&m, key_of(i << BITS));
		EXPECT(value && *value == i);
		EXPECT(map_remove(&m, key_of(i << BITS)));
	}
	EXPECT_INT(0, m.count);
	map_release(&m);
}
