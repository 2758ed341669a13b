/* Keys of any kind, against a plain list. */
#include "agent/key_ids.h"

#include "base/rng.h"
#include "support/tap.h"

enum { IDS = 3000, KEYS = 4000 };

static uint32_t listed(const uint64_t *keys, uint32_t count, uint64_t key)
{
	for (uint32_t i = 0; i < count; i++)
		if (keys[i] == key)
			return i + 1;
	return 0;
}

/* 0 is a key like others; what is not to be found has an id all the same. */
TEST(each_key_has_one_id)
{
	static uint64_t want[IDS];
	struct key_ids s = {0};
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, key_ids_find(&s, 0));
	while (s.keys.count < IDS) {
		uint64_t key = rng_below(&r, KEYS) << 32;
		uint32_t id = key_ids_find(&s, key), next = (uint32_t)s.keys.count + 1;
		EXPECT_INT(listed(want, next - 1, key), id);
		EXPECT_INT(0, key_ids_reserve(&s));
		bool skip = id || rng_below(&r, 4) == 0;
		want[next - 1] = skip ? UINT64_MAX : key;
		EXPECT_INT(next, skip ? key_ids_skip(&s) : key_ids_add(&s, key));
	}
	key_ids_release(&s);
}

TEST(without_memory_it_stays_as_it_is)
{
	struct key_ids s = {0};
	EXPECT_INT(0, key_ids_reserve(&s));
	key_ids_add(&s, 7);
	while (s.keys.count < s.keys.room)
		key_ids_add(&s, 100 + s.keys.count);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, key_ids_reserve(&s));
	mem_fail_at(0);
	EXPECT_INT(1, key_ids_find(&s, 7));
	EXPECT_INT(0, key_ids_find(&s, 8));
	key_ids_release(&s);
}
