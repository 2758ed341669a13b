#include "agent/footprint.h"

#include "base/mem.h"
#include "exact/pages.h"
#include "support/tap.h"

enum { PAGE = 4096, TABLE = 64 * PAGE };

TEST(has_both)
{
	struct footprint f = {0};
	uint8_t *table = pages_map(TABLE), *block = mem_alloc(10000);
	EXPECT_INT(mem_held(), footprint_bytes(&f)); /* not looked yet */
	for (int i = 0; i < 64; i++)
		table[i * PAGE] = 1;
	footprint_look_now(&f);
	EXPECT(footprint_bytes(&f) >= mem_held() + TABLE);
	mem_free(block);
	pages_unmap(table, TABLE);
	footprint_look_now(&f);
	EXPECT(footprint_bytes(&f) < TABLE);
	EXPECT(footprint_most(&f) >= TABLE + 10000);
}

TEST(does_not_look_all_the_time)
{
	struct footprint f = {0};
	footprint_look(&f);
	EXPECT(atomic_load(&f.next) > 0);
	atomic_store(&f.next, UINT64_MAX);
	uint8_t *table = pages_map(PAGE);
	table[0] = 1;
	uint64_t before = atomic_load(&f.pages);
	footprint_look(&f);
	EXPECT_INT(before, atomic_load(&f.pages));
	atomic_store(&f.next, 0);
	footprint_look(&f);
	EXPECT(atomic_load(&f.pages) > before);
	pages_unmap(table, PAGE);
}
