#include "hotspot/vm_constants.h"

#include <stddef.h>

#include "support/tap.h"

struct small {
	const char *name;
	int32_t value;
};
struct large {
	const char *name;
	int64_t value;
};
struct sized {
	const char *name, *super;
	uint64_t size;
};

static const struct small ints[] = {{"oopSize", 8}, {"minus", -1}, {NULL, 0}, {"behind", 1}};
static const struct large longs[] = {
	{"markWord::hash_shift", 8}, {"oopSize", 9}, {"mask", INT64_MIN}, {NULL, 0}};
static const struct sized types[] = {{"JVMFlag", NULL, 40}, {NULL, NULL, 0}};

#define TABLE(rows_, value)                                                                        \
	{                                                                                          \
		.rows = (const char *)(rows_), .stride = sizeof((rows_)[0]), .columns = {          \
			0,                                                                         \
			value                                                                      \
		}                                                                                  \
	}
static const struct vm_constants all = {
	.ints = TABLE(ints, offsetof(struct small, value)),
	.longs = TABLE(longs, offsetof(struct large, value)),
	.types = TABLE(types, offsetof(struct sized, size)),
};

TEST(by_name_ints_first)
{
	int64_t v = 0;
	EXPECT(vm_constants_find(&all, "oopSize", &v));
	EXPECT_INT(8, v);
	EXPECT(vm_constants_find(&all, "minus", &v));
	EXPECT_INT(-1, v);
	EXPECT(vm_constants_find(&all, "markWord::hash_shift", &v));
	EXPECT_INT(8, v);
	EXPECT(vm_constants_find(&all, "mask", &v));
	EXPECT(v == INT64_MIN);
	EXPECT(!vm_constants_find(&all, "behind", &v));
	EXPECT(v == INT64_MIN);
}

TEST(sizes_of_types)
{
	uint64_t size = 0;
	EXPECT(vm_constants_type(&all, "JVMFlag", &size));
	EXPECT_INT(40, size);
	EXPECT(!vm_constants_type(&all, "Flag", &size));
}

TEST(a_library_without_them)
{
	int64_t v;
	struct vm_constants none = vm_constants_of(&entry_a_library_without_them);
	EXPECT(!vm_constants_find(&none, "oopSize", &v));
}
