#include "hotspot/young_flags.h"

#include "base/compiler.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"

enum { PRODUCT = 0x10, MB = 1 << 20 };

static uint64_t size, most, ratio, heap, first;
static struct vm_flag_row rows[5];

static struct vm_flags begin(void)
{
	size = 1363144;
	most = UINT64_MAX;
	ratio = 2;
	heap = first = 400ull * MB;
	rows[0] = (struct vm_flag_row){&size, "NewSize", FLAG_SIZE, PRODUCT};
	rows[1] = (struct vm_flag_row){&most, "MaxNewSize", FLAG_SIZE, PRODUCT};
	rows[2] = (struct vm_flag_row){&ratio, "NewRatio", FLAG_UINTX, PRODUCT};
	rows[3] = (struct vm_flag_row){&heap, "MaxHeapSize", FLAG_SIZE, PRODUCT | FLAG_ERGONOMIC};
	rows[4] = (struct vm_flag_row){
		&first, "InitialHeapSize", FLAG_SIZE, PRODUCT | FLAG_ERGONOMIC};
	return vm_flag_table(rows, ARRAY_SIZE(rows));
}

TEST(both_are_set_as_if_the_command_line_had)
{
	struct vm_flags f = begin();
	EXPECT_INT(400ull * MB, young_flags_heap(&f));
	EXPECT(!young_flags_taken(&f));
	EXPECT(young_flags_set(&f, 200ull * MB));
	EXPECT_INT(200ull * MB, size);
	EXPECT_INT(200ull * MB, most);
	EXPECT_INT(PRODUCT | FLAG_USERS, rows[0].flags);
	EXPECT_INT(PRODUCT | FLAG_USERS, rows[1].flags);
	EXPECT_INT(PRODUCT, rows[2].flags);
	EXPECT(young_flags_taken(&f));
}

TEST(a_heap_that_begins_smaller_has_its_share)
{
	struct vm_flags f = begin();
	first = 100ull * MB;
	EXPECT(young_flags_set(&f, 200ull * MB));
	EXPECT_INT(50ull * MB, size);
	EXPECT_INT(200ull * MB, most);
}

TEST(what_the_program_says_is_left)
{
	for (int i = 0; i < 3; i++) {
		struct vm_flags f = begin();
		rows[i].flags |= FLAG_USERS;
		EXPECT(young_flags_taken(&f));
		EXPECT(!young_flags_set(&f, 200ull * MB));
		EXPECT_INT(1363144, size);
		EXPECT(most == UINT64_MAX);
	}
}

TEST(what_is_not_told_is_left)
{
	struct vm_flags f = begin();
	f.flags = f.stride;
	EXPECT(!young_flags_set(&f, 200ull * MB));
	f = begin();
	f.count = 4; /* where it begins is not told: as large as it may be */
	EXPECT(young_flags_set(&f, 200ull * MB));
	EXPECT_INT(200ull * MB, size);
	f = begin();
	f.count = 3; /* no heap */
	EXPECT(!young_flags_set(&f, 200ull * MB));
	f = begin();
	EXPECT(!young_flags_set(&f, 400ull * MB)); /* all of it */
	rows[1].type = 0;
	EXPECT(!young_flags_set(&f, 200ull * MB));
	EXPECT_INT(1363144, size);
	f = (struct vm_flags){.rows = NULL};
	EXPECT_INT(0, young_flags_heap(&f));
	EXPECT(!young_flags_set(&f, 1));
}
