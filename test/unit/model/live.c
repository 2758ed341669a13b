#include "model/live.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { IDS = 300 };

TEST(agrees_with_an_array)
{
	struct live l = {0};
	uint64_t size[IDS] = {0};
	struct rng rng = rng_init(tap_seed());
	for (uint64_t i = 1; i < 50000; i++) {
		uint64_t id = rng_below(&rng, IDS);
		struct object o = {.id = id, .size = i}, got;
		if (rng_below(&rng, 2)) {
			EXPECT_INT(size[id] ? ERR_USAGE : 0, live_add(&l, &o));
			size[id] = size[id] ? size[id] : i;
		} else {
			EXPECT_INT(size[id] != 0, live_take(&l, id, &got));
			EXPECT(!size[id] || got.size == size[id]);
			size[id] = 0;
		}
	}
	size_t there = 0, used = 0;
	for (size_t i = 0; i < IDS; i++)
		there += size[i] != 0;
	for (size_t i = 0; i < l.slots.count; i++)
		used += l.slots.at[i].used;
	EXPECT_INT(there, used);
	EXPECT_INT(there, l.index.count);
	EXPECT(l.slots.count <= l.peak);
	live_release(&l);
}

TEST(out_of_memory_leaves_it_unchanged)
{
	for (uint64_t n = 1; n <= 3; n++) {
		struct live l = {0};
		struct object o = {.id = 1}, got;
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, live_add(&l, &o));
		mem_fail_at(0);
		EXPECT(!live_take(&l, 1, &got));
		EXPECT_INT(0, live_add(&l, &o));
		live_release(&l);
	}
}
