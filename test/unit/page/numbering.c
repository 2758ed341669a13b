#include "page/numbering.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { COUNT = 500 };

TEST(used_ones_keep_their_order)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 50; round++) {
		bool used[COUNT] = {true};
		struct numbering n;
		EXPECT_INT(0, numbering_init(&n, COUNT));
		for (int i = 0; i < 200; i++) {
			uint32_t index = (uint32_t)rng_below(&rng, COUNT);
			EXPECT(numbering_mark(&n, index) == !used[index]);
			used[index] = true;
		}
		EXPECT_INT(0, numbering_settle(&n));
		uint32_t next = 1;
		for (uint32_t i = 1; i < COUNT; i++) {
			EXPECT_INT(used[i] ? next : 0, numbering_get(&n, i));
			if (used[i])
				EXPECT_INT(i, n.used.at[next++]);
		}
		EXPECT_INT(next, n.used.count);
		EXPECT_INT(0, n.used.at[0]);
		numbering_release(&n);
	}
}

TEST(what_is_not_in_the_list)
{
	struct numbering n;
	EXPECT_INT(0, numbering_init(&n, 3));
	EXPECT(!numbering_mark(&n, 0));
	EXPECT(!numbering_mark(&n, 3));
	EXPECT(!numbering_mark(&n, UINT32_MAX));
	EXPECT_INT(0, numbering_settle(&n));
	EXPECT_INT(1, n.used.count);
	EXPECT_INT(0, numbering_get(&n, UINT32_MAX));
	numbering_release(&n);
	EXPECT_INT(0, numbering_init(&n, 0));
	EXPECT_INT(0, numbering_settle(&n));
	EXPECT_INT(1, n.used.count);
	numbering_release(&n);
}

TEST(out_of_memory)
{
	struct numbering n;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, numbering_init(&n, 3));
	mem_fail_at(2);
	EXPECT_INT(0, numbering_init(&n, 3));
	EXPECT_INT(ERR_NOMEM, numbering_settle(&n));
	mem_fail_at(0);
	numbering_release(&n);
}
