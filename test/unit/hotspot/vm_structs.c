#include "hotspot/vm_structs.h"

#include "support/tap.h"
#include "support/vm_entries.h"

static const int one = 1, two = 2, three = 3;
static const struct vm_entry entries[] = {VM_STATIC("A", "x", &one), VM_STATIC("A", "y", &two),
	VM_STATIC("B", "x", &three), VM_STATIC("C", NULL, &one),
	{.type = "A", .field = "z", .offset = 24}, VM_END, VM_STATIC("D", "x", &one)};

TEST(a_static_field_is_found_by_both_names)
{
	struct vm_structs s = vm_entries(entries);
	int value = 0;
	EXPECT(vm_structs_read(&s, "A", "y", &value, sizeof(value)));
	EXPECT_INT(2, value);
	EXPECT(vm_structs_read(&s, "B", "x", &value, sizeof(value)));
	EXPECT_INT(3, value);
	EXPECT(vm_structs_static(&s, "A", "x") == &one);
	EXPECT(vm_structs_static(&s, "C", "x") == NULL);
	EXPECT(vm_structs_static(&s, "D", "x") == NULL); /* behind the end */
	EXPECT(!vm_structs_read(&s, "B", "y", &value, sizeof(value)));
	EXPECT_INT(3, value);
}

TEST(the_place_of_a_field_in_its_object)
{
	struct vm_structs s = vm_entries(entries);
	uint64_t offset = 0;
	EXPECT(vm_structs_offset(&s, "A", "z", &offset));
	EXPECT_INT(24, offset);
	EXPECT(!vm_structs_offset(&s, "A", "x", &offset)); /* static */
	EXPECT(vm_structs_static(&s, "A", "z") == NULL);
	EXPECT_INT(24, offset);
}

TEST(a_library_without_the_table)
{
	struct vm_structs s = vm_structs_of(&entry_a_library_without_the_table);
	EXPECT(s.table.rows == NULL);
	EXPECT(vm_structs_static(&s, "A", "x") == NULL);
	s = vm_structs_of(NULL);
	EXPECT(s.table.rows == NULL);
}
