#include "page/ticks.h"

#include "base/error.h"
#include "support/tap.h"

TEST(some_of_many_at_equal_steps)
{
	for (size_t max = 2; max < 40; max++) {
		for (uint64_t count = 0; count < 300; count += 7) {
			struct ticks t = {.max = max};
			for (uint64_t n = 0; n < count; n++) {
				struct record_tick r = {.time = n,
					.alloc = 2 * n,
					.heap_used = 3 * n,
					.heap_committed = 4 * n};
				EXPECT_INT(0, ticks_add(&t, &r));
			}
			EXPECT(t.list.count <= max);
			EXPECT_INT(count, t.seen);
			EXPECT(!count || t.list.count == (count + t.step - 1) / t.step);
			EXPECT(count > max || t.list.count == count);
			for (size_t i = 0; i < t.list.count; i++) {
				EXPECT_INT(i * t.step, t.list.at[i].time);
				EXPECT_INT(2 * t.list.at[i].time, t.list.at[i].alloc);
				EXPECT_INT(3 * t.list.at[i].time, t.list.at[i].used);
				EXPECT_INT(4 * t.list.at[i].time, t.list.at[i].committed);
			}
			ticks_release(&t);
		}
	}
}

TEST(out_of_memory)
{
	struct ticks t = {.max = 4};
	struct record_tick r = {0};
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, ticks_add(&t, &r));
	mem_fail_at(0);
	ticks_release(&t);
}
