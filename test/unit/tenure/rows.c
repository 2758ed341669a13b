#include "tenure/rows.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static struct place_context at(uint64_t method)
{
	return (struct place_context){.place = {.vm_method = method, .class_id = 1}};
}

TEST(what_is_added_is_found_until_it_goes)
{
	struct rows r;
	uint32_t row[100];
	EXPECT_INT(0, rows_init(&r, 100));
	for (uint32_t i = 0; i < 100; i++) {
		struct place_context c = at(i);
		row[i] = rows_add(&r, &c, ROW_NONE);
		EXPECT(row[i] != ROW_NONE);
	}
	struct place_context more = at(1000), first = at(0);
	EXPECT_INT(ROW_NONE, rows_add(&r, &more, ROW_NONE));
	EXPECT_INT(ROW_NONE, rows_add(&r, &first, ROW_NONE));
	for (uint32_t i = 0; i < 100; i += 3)
		rows_remove(&r, row[i]);
	for (uint32_t i = 0; i < 100; i++) {
		struct place_context c = at(i);
		EXPECT_INT(i % 3 ? row[i] : ROW_NONE, rows_find(&r, &c));
	}
	EXPECT_INT(66, r.count);
	EXPECT(rows_add(&r, &more, 4) != ROW_NONE);
	EXPECT_INT(4, r.at[rows_find(&r, &more)].parent);
	rows_release(&r);
}

TEST(its_memory_is_foretold)
{
	struct rows r;
	uint64_t held = mem_held();
	EXPECT_INT(0, rows_init(&r, 5000));
	for (uint32_t i = 0; i < 5000; i++) {
		struct place_context c = at(i);
		rows_add(&r, &c, ROW_NONE);
	}
	EXPECT(mem_held() - held <= rows_bytes(5000));
	rows_release(&r);
	EXPECT_INT(held, mem_held());
}
