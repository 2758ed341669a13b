#include "hotspot/region.h"

#include "support/tap.h"
#include "support/vm_entries.h"

static uint64_t bytes_with(const char *type, const char *field, size_t size)
{
	const size_t other = 4 << 20;
	const struct vm_entry entries[] = {VM_STATIC("HeapRegion", "LogOfHRGrainBytes", &other),
		VM_STATIC("Other", "GrainBytes", &other), VM_STATIC("NoField", NULL, &other),
		VM_STATIC(type, field, &size), VM_END};
	struct vm_structs s = vm_entries(entries);
	return region_bytes(&s);
}

TEST(the_vms_own_size)
{
	EXPECT_INT(2 << 20, bytes_with("HeapRegion", "GrainBytes", 2 << 20));
	EXPECT_INT(1 << 29, bytes_with("G1HeapRegion", "GrainBytes", 1 << 29));
}

TEST(what_cannot_be_is_not_believed)
{
	static const size_t sizes[] = {
		0, 1, 512 << 10, 3 << 20, (2 << 20) + 1, 1ull << 30, SIZE_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		EXPECT_INT(REGION_MIN, bytes_with("HeapRegion", "GrainBytes", sizes[i]));
}

TEST(no_such_entry)
{
	EXPECT_INT(REGION_MIN, bytes_with("HeapRegion", "CardsPerRegion", 2 << 20));
	EXPECT_INT(REGION_MIN, bytes_with("Heap", "GrainBytes", 2 << 20));
	const struct vm_entry entries[] = {VM_STATIC("HeapRegion", "GrainBytes", NULL), VM_END};
	struct vm_structs s = vm_entries(entries);
	EXPECT_INT(REGION_MIN, region_bytes(&s));
}
