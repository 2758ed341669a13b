#include "hotspot/vm_fields.h"

#include "base/error.h"
#include "support/tap.h"
#include "support/vm_entries.h"

struct places {
	uint32_t a, b;
};

static const struct vm_field fields[] = {
	{"New", "_a", "Old", NULL, "First", NULL, offsetof(struct places, a)},
	{"T", "_b", NULL, "_bb", NULL, "_bbb", offsetof(struct places, b)},
};

static int read(const char *type, const char *field, uint64_t b, struct places *p, struct diag *d)
{
	const struct vm_entry entries[] = {{.type = type, .field = "_a", .offset = 24},
		{.type = "T", .field = field, .offset = b}, VM_END};
	struct vm_structs s = vm_entries(entries);
	return vm_fields_read(&s, fields, ARRAY_SIZE(fields), p, d);
}

TEST(any_of_their_names)
{
	static const char *const types[] = {"New", "Old", "First"}, *const names[] = {
									    "_b", "_bb", "_bbb"};
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		struct places p = {0};
		EXPECT_INT(0, read(types[i], names[i], 1000, &p, NULL));
		EXPECT_INT(24, p.a);
		EXPECT_INT(1000, p.b);
	}
}

TEST(the_one_that_is_missing_is_named)
{
	struct places p = {0};
	struct diag d = {0};
	EXPECT_INT(ERR_UNSUPPORTED, read("Other", "_b", 8, &p, &d));
	EXPECT_STR("this VM does not tell where New::_a is", d.text);
	EXPECT_INT(ERR_UNSUPPORTED, read("New", "_c", 8, &p, &d));
	EXPECT_STR("this VM does not tell where T::_b is", d.text);
	/* No object is that large. */
	EXPECT_INT(ERR_UNSUPPORTED, read("New", "_b", 1 << 20, &p, &d));
}

TEST(the_release)
{
	static const int32_t told = 27;
	const struct vm_entry entries[] = {
		VM_STATIC("Abstract_VM_Version", "_vm_major_version", &told), VM_END};
	const struct vm_entry none[] = {VM_END};
	struct vm_structs s = vm_entries(entries), empty = vm_entries(none);
	struct diag d = {0};
	int32_t major = 0;
	EXPECT_INT(ERR_NONE, vm_release(&s, &major, NULL));
	EXPECT_INT(27, major);
	EXPECT_INT(ERR_UNSUPPORTED, vm_release(&empty, &major, &d));
	EXPECT_STR("this VM does not tell Abstract_VM_Version::_vm_major_version", d.text);
}
