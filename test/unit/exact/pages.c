#include "exact/pages.h"

#include "base/mem.h"
#include "support/tap.h"

enum { PAGE = 4096, TABLE = 40 * PAGE };

static void touch(uint8_t *table, int pages)
{
	for (int i = 0; i < pages; i++)
		table[i * PAGE] = 1;
}

/* The kernel may give small pages as one large one; not in tables of this size. */
TEST(counts_what_was_touched)
{
	uint64_t before = pages_resident();
	uint8_t *a = pages_map(TABLE), *b = pages_map(TABLE - 100), *c = pages_map(8);
	uint64_t mapped = pages_resident() - before;
	EXPECT(a && b && c);
	EXPECT(mapped <= 3 * PAGE); /* each one's place in the list */
	touch(a, 7);
	touch(b, 20);
	EXPECT_INT(before + mapped + 27 * PAGE, pages_resident());
	pages_clear(b, 20 * PAGE);
	EXPECT_INT(before + mapped + 7 * PAGE, pages_resident());
	EXPECT_INT(0, b[5 * PAGE]);
	/* All of one that does not fill its pages: its place in the list stays. */
	pages_clear(b, TABLE - 100);
	EXPECT_INT(before + mapped + 7 * PAGE, pages_resident());
	/* In the order of neither: the list holds. */
	pages_unmap(b, TABLE - 100);
	EXPECT(pages_resident() >= before + 7 * PAGE);
	pages_unmap(c, 8);
	pages_unmap(a, TABLE);
	EXPECT_INT(before, pages_resident());
}

/* More than the kernel is asked for at once. */
TEST(a_large_table)
{
	enum { PAGES = 10000 };
	uint64_t before = pages_resident();
	uint8_t *table = pages_map((size_t)PAGES * PAGE);
	EXPECT(table);
	table[0] = table[(size_t)4096 * PAGE] = table[(size_t)(PAGES - 1) * PAGE] = 1;
	uint64_t now = pages_resident() - before;
	EXPECT(now >= 3 * PAGE);
	pages_unmap(table, (size_t)PAGES * PAGE);
	EXPECT_INT(before, pages_resident());
}

TEST(without_memory_for_the_list)
{
	uint8_t *table = pages_map(PAGE);
	touch(table, 1);
	mem_fail_at(1);
	EXPECT_INT(0, pages_resident());
	mem_fail_at(0);
	EXPECT(pages_resident() >= PAGE);
	pages_unmap(table, PAGE);
}
