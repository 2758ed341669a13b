#include "exact/shape.h"

#include "base/rng.h"
#include "support/tap.h"

/* As klass.hpp has it: a tag in the two highest bits (2: of objects, 3: of others), 8 bits of
 * header, 8 bits of the element's type, 8 bits of its size's log2. */
static int32_t layout_of_array(uint32_t tag, uint32_t header, uint32_t type, uint32_t log)
{
	uint32_t bits = tag << 30 | header << 16 | type << 8 | log;
	int32_t layout;
	memcpy(&layout, &bits, sizeof(layout));
	return layout;
}

/* Elements one by one, then up to a multiple. */
static uint64_t array_bytes(uint32_t header, uint32_t log, uint32_t length, uint32_t align)
{
	uint64_t bytes = header;
	for (uint32_t i = 0; i < length; i++)
		bytes += 1u << log;
	while (bytes % align)
		bytes++;
	return bytes;
}

static void expect_array(uint32_t tag, uint32_t header, uint32_t type, uint32_t log)
{
	uint32_t shape = shape_of_array(layout_of_array(tag, header, type, log));
	EXPECT(shape & SHAPE_ARRAY);
	EXPECT_INT(0, shape & ((1u << SHAPE_LOG_SHIFT) - 1)); /* a site's number goes there */
	EXPECT_INT(0, shape & SHAPE_JUMPS);
	for (uint32_t align = 8; align <= 256; align *= 2)
		for (uint32_t length = 0; length < 70; length++)
			EXPECT_INT(array_bytes(header, log, length, align),
				shape_bytes(shape, length, align));
	EXPECT_INT(((header + ((uint64_t)INT32_MAX << log)) + 7) / 8 * 8,
		shape_bytes(shape, INT32_MAX, 8));
}

TEST(arrays_of_all_kinds)
{
	/* Boolean to long, then objects, narrow and wide: with headers of 12 to 24. */
	static const uint32_t logs[] = {0, 1, 2, 3, 0, 1, 2, 3};
	for (uint32_t header = 12; header <= 24; header += 4)
		for (uint32_t i = 0; i < ARRAY_SIZE(logs); i++)
			expect_array(3, header, 4 + i, logs[i]);
	expect_array(2, 16, 12, 2);
	expect_array(2, 16, 12, 3);
	expect_array(2, 24, 12, 3);
}

/* A site's number in the low bits changes nothing, nor what is stamped beside it. */
TEST(with_a_site)
{
	struct rng r = rng_init(tap_seed());
	uint32_t shape = shape_of_array(layout_of_array(3, 20, 8, 0));
	for (int i = 0; i < 1000; i++) {
		uint32_t length = (uint32_t)rng_below(&r, 1u << 31);
		uint32_t site = (uint32_t)rng_below(&r, 1u << SHAPE_LOG_SHIFT);
		EXPECT_INT(shape_bytes(shape, length, 8), shape_bytes(shape | site, length, 8));
		EXPECT_INT(shape_bytes(shape, length, 8),
			shape_bytes(shape | site | SHAPE_JUMPS, length, 8));
	}
}

TEST(what_the_bits_can_not_say)
{
	EXPECT_INT(0, shape_of_array(0));
	EXPECT_INT(0, shape_of_array(24));
	EXPECT_INT(0, shape_of_array(INT32_MAX));
	EXPECT_INT(0, shape_of_array(layout_of_array(3, 16, 8, 4)));
	EXPECT_INT(0, shape_of_array(layout_of_array(3, 16, 8, 64)));
	EXPECT_INT(0, shape_of_array(layout_of_array(3, 18, 8, 0)));
	EXPECT_INT(0, shape_of_array(layout_of_array(3, 8, 8, 0)));
	EXPECT_INT(0, shape_of_array(layout_of_array(3, 28, 8, 0)));
}

TEST(instances)
{
	for (int32_t bytes = 8; bytes < 1024; bytes += 8) {
		EXPECT_INT(bytes, shape_instance(bytes));
		EXPECT_INT(bytes, shape_instance(bytes | 1)); /* "look closer" */
	}
	EXPECT_INT(0, shape_instance(0));
	EXPECT_INT(0, shape_instance(INT32_MIN));
	EXPECT_INT(0, shape_instance(layout_of_array(2, 16, 12, 2)));
}
