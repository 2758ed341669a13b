#include "jvmstat/heap_counters.h"

#include "support/perfimage.h"
#include "support/tap.h"

static struct heap_usage read_image(const struct perfimage *i)
{
	struct perfdata p;
	struct heap_counters h;
	struct heap_usage u;
	EXPECT_INT(0, perfdata_borrow(&p, i->bytes.at, i->bytes.len, NULL));
	heap_counters_find(&h, &p);
	heap_counters_read(&h, &u);
	return u;
}

/* G1 adds 8 and 24 to capacities. */
TEST(g1)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "sun.gc.generation.0.space.0.used", 5 << 20);
	perfimage_long(&i, "sun.gc.generation.0.space.0.capacity", (9 << 20) + 8);
	perfimage_long(&i, "sun.gc.generation.0.space.1.used", 0);
	perfimage_long(&i, "sun.gc.generation.0.space.1.capacity", 8);
	perfimage_long(&i, "sun.gc.generation.0.space.2.used", 2 << 20);
	perfimage_long(&i, "sun.gc.generation.0.space.2.capacity", (3 << 20) + 8);
	perfimage_long(&i, "sun.gc.generation.1.space.0.used", 7 << 20);
	perfimage_long(&i, "sun.gc.generation.1.space.0.capacity", (20 << 20) + 8);
	perfimage_long(&i, "sun.gc.metaspace.used", 1234);
	struct heap_usage u = read_image(&i);
	EXPECT_INT(5 << 20, u.eden_used.v);
	EXPECT_INT(9 << 20, u.eden_committed.v);
	EXPECT_INT(2 << 20, u.survivor_used.v);
	EXPECT_INT(3 << 20, u.survivor_committed.v);
	EXPECT_INT(7 << 20, u.old_used.v);
	EXPECT_INT(14 << 20, u.used.v);
	EXPECT_INT(32 << 20, u.committed.v);
	EXPECT_INT(1234, u.metaspace_used.v);
	perfimage_release(&i);
}

/* Serial and Parallel use the survivor spaces by turns. */
TEST(two_survivor_spaces)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "sun.gc.generation.0.space.1.used", 100);
	perfimage_long(&i, "sun.gc.generation.0.space.2.used", 10);
	EXPECT_INT(110, read_image(&i).survivor_used.v);
	perfimage_release(&i);
}

TEST(one_generation)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "sun.gc.generation.1.space.0.used", 77);
	struct heap_usage u = read_image(&i);
	EXPECT_INT(77, u.old_used.v);
	EXPECT_INT(77, u.used.v);
	EXPECT_INT(0, u.eden_used.v);
	perfimage_release(&i);
}
