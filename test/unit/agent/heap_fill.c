#include "agent/heap_fill.h"

#include "support/tap.h"

enum { SAMPLES = 7777 };

static void pause_at(struct heap_fill *f, uint64_t start, uint64_t before, uint64_t after)
{
	struct record_gc gc = {.start = start, .heap_before = before, .heap_after = after};
	heap_fill_pause(f, &gc, false);
}

/* A remark gives old regions back; what was made before it is not lost. */
TEST(what_the_heap_has_more_of_was_allocated)
{
	struct heap_fill f = {0};
	pause_at(&f, 1, 0, 100);
	EXPECT_INT(SAMPLES, heap_fill_take(&f, SAMPLES)); /* nobody saw it begin */
	pause_at(&f, 2, 600, 150);
	EXPECT_INT(500, heap_fill_take(&f, SAMPLES));
	pause_at(&f, 3, 250, 80);
	pause_at(&f, 4, 480, 90);
	EXPECT_INT(100 + 400, heap_fill_take(&f, SAMPLES));
}

/* Its second part begins and ends where the first does. */
TEST(a_pause_of_two_parts_is_one)
{
	struct heap_fill f = {.used = 100};
	pause_at(&f, 5, 600, 200);
	pause_at(&f, 5, 600, 200);
	EXPECT_INT(500, heap_fill_take(&f, SAMPLES));
	pause_at(&f, 6, 650, 300);
	EXPECT_INT(450, heap_fill_take(&f, SAMPLES));
}

TEST(what_is_not_known_is_told_by_samples)
{
	static const struct {
		uint64_t before, after;
	} cases[] = {{0, 150}, {99, 150}, {600, 0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct heap_fill f = {.used = 100};
		pause_at(&f, 1, cases[i].before, cases[i].after);
		pause_at(&f, 2, 700, 200);
		EXPECT_INT(SAMPLES, heap_fill_take(&f, SAMPLES));
		pause_at(&f, 3, 700, 200);
		EXPECT_INT(500, heap_fill_take(&f, SAMPLES));
	}
}
