#include "agent/region.h"

#include <stddef.h>

#include "support/tap.h"

/* As the VM's own, but for a field of no interest. */
struct entry {
	const char *type, *field;
	uint64_t extra;
	const size_t *address;
};

static struct region_table table(const struct entry *entries)
{
	return (struct region_table){.entries = (const char *)entries,
		.stride = sizeof(*entries),
		.type_name = offsetof(struct entry, type),
		.field_name = offsetof(struct entry, field),
		.address = offsetof(struct entry, address)};
}

static uint64_t bytes_with(const char *type, const char *field, size_t size)
{
	const size_t other = 4 << 20;
	const struct entry entries[] = {{"HeapRegion", "LogOfHRGrainBytes", 0, &other},
		{"Other", "GrainBytes", 0, &other}, {"NoField", NULL, 0, &other},
		{type, field, 0, &size}, {NULL, NULL, 0, NULL}};
	struct region_table t = table(entries);
	return region_bytes(&t);
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
	const struct entry entries[] = {
		{"HeapRegion", "GrainBytes", 0, NULL}, {NULL, NULL, 0, NULL}};
	struct region_table t = table(entries);
	EXPECT_INT(REGION_MIN, region_bytes(&t));
}

TEST(a_library_without_the_table)
{
	struct region_table t = region_table_of(&entry_a_library_without_the_table);
	EXPECT(t.entries == NULL);
	EXPECT_INT(REGION_MIN, region_bytes(&t));
	t = region_table_of(NULL);
	EXPECT(t.entries == NULL);
}
