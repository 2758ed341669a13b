#include "hotspot/java_fields.h"

#include "support/tap.h"

static bool is_index(const void *arg, uint32_t name_index)
{
	const uint32_t *wanted = arg;
	return name_index == *wanted;
}

static bool find(struct slice stream, uint32_t name, uint32_t *out)
{
	return java_fields_offset(stream, is_index, &name, out);
}

/* A byte is one more than the number. Three fields of Java's, the second with all that can follow;
 * one of the VM's. */
static const uint8_t stream[] = {4, 2,     /* 3 and 1 */
	11, 21, 13, 1, 1,                  /* name 10, at 12 */
	12, 22, 17, 1, 1 + 21, 90, 91, 92, /* name 11, at 16 */
	13, 23, 192, 1, 1, 1,              /* name 12, at 191 */
	14, 24, 21, 1, 3, 0};

TEST(fields_by_name)
{
	uint32_t offset = 0;
	EXPECT(find(slice(stream, sizeof(stream)), 10, &offset));
	EXPECT_INT(12, offset);
	EXPECT(find(slice(stream, sizeof(stream)), 11, &offset));
	EXPECT_INT(16, offset);
	EXPECT(find(slice(stream, sizeof(stream)), 12, &offset));
	EXPECT_INT(191, offset);
}

TEST(what_is_not_there)
{
	uint32_t offset = 7;
	EXPECT(!find(slice(stream, sizeof(stream)), 13, &offset)); /* the VM's own */
	EXPECT(!find(slice(stream, sizeof(stream)), 90, &offset));
	EXPECT(!find(slice(NULL, 0), 10, &offset));
	for (size_t len = 0; len < 7; len++)
		EXPECT(!find(slice(stream, len), 10, &offset));
	EXPECT_INT(7, offset);
}
