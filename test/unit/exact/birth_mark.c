#include "exact/birth_mark.h"

#include <string.h>

#include "base/rng.h"
#include "exact/shape.h"
#include "exact/site_table.h"
#include "support/tap.h"

enum { FREE = 1, LOCKED = 0, INFLATED = 2, MARKED = 3, BIASED = 5, ROUNDS = 10000 };

/* As it lies in the VM: the mark, the class, an array's length; compact: mark, length. */
struct object {
	_Alignas(8) uint64_t mark;
	uint32_t klass, length;
};

static uintptr_t at(struct object *o)
{
	return (uintptr_t)o;
}

/* The class's lower half is its number; the length is behind all of it. */
TEST(what_a_wide_header_says)
{
	_Alignas(8) uint32_t object[] = {FREE, 0, 77, 0x7f3a, 5, 6};
	birth_mark_of(BIRTH_HEADER_WIDE);
	EXPECT_INT(77, birth_klass((uintptr_t)object));
	EXPECT_INT(5, birth_length((uintptr_t)object));
	birth_stamp((uintptr_t)object, 9);
	EXPECT_INT(9u << 10, object[1]);
	birth_mark_of(BIRTH_HEADER_NARROW);
}

TEST(what_the_header_says)
{
	struct object o = {(uint64_t)0x123 << BIRTHS_KLASS_SHIFT | FREE, 77, 5};
	EXPECT_INT(77, birth_klass(at(&o)));
	EXPECT_INT(5, birth_length(at(&o)));
	birth_mark_of(BIRTH_HEADER_COMPACT);
	EXPECT_INT(0x123, birth_klass(at(&o)));
	EXPECT_INT(77, birth_length(at(&o)));
	birth_mark_of(BIRTH_HEADER_NARROW);
}

/* The site's number comes back out of the mark, and nothing else of it changes. */
TEST(a_free_mark_gets_the_site)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t site = 1 + (uint32_t)rng_below(&r, SITES_MAX - 1);
		uint32_t word = site | SHAPE_ARRAY | (uint32_t)rng_below(&r, 4) << SHAPE_LOG_SHIFT;
		uint64_t hash = rng_below(&r, 1u << 31) << 8;
		struct object o = {hash | FREE, 1, 2};
		birth_stamp(at(&o), word);
		EXPECT_INT(site, o.mark >> 42);
		EXPECT_INT(hash | FREE, o.mark & ((1ull << 42) - 1));
		EXPECT_INT(1, o.klass);
		EXPECT_INT(2, o.length);
	}
}

TEST(objects_that_jump)
{
	struct object o = {FREE, 1, 0};
	birth_stamp(at(&o), 9 | SHAPE_JUMPS);
	EXPECT_INT(9, o.mark >> 42);
	EXPECT(birth_jumped(o.mark));
	EXPECT(!birth_seen_old(o.mark));
}

/* A mark that is locked, inflated, forwarded or biased is somebody's. */
TEST(a_mark_that_is_taken)
{
	static const uint64_t taken[] = {LOCKED, INFLATED, MARKED, BIASED};
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		struct object o = {0x7f00 | taken[i], 1, 0};
		birth_stamp(at(&o), 9 | SHAPE_JUMPS);
		EXPECT_INT(0x7f00 | taken[i], o.mark);
		birth_stamp_outside(at(&o), 9);
		EXPECT_INT(0x7f00 | taken[i], o.mark);
	}
}

/* Born in the old generation: it is not to be seen being promoted, and jumps over nothing. */
TEST(born_outside)
{
	struct object o = {FREE, 1, 0};
	birth_stamp_outside(at(&o), 9 | SHAPE_JUMPS);
	EXPECT_INT(9, o.mark >> 42);
	EXPECT(birth_seen_old(o.mark));
	EXPECT(!birth_jumped(o.mark));
}

/* There the class stands where the site would. */
TEST(compact_headers_are_left_alone)
{
	struct object o = {(uint64_t)3 << BIRTHS_KLASS_SHIFT | FREE, 1, 0}, before = o;
	birth_mark_of(BIRTH_HEADER_COMPACT);
	birth_stamp(at(&o), 9 | SHAPE_JUMPS);
	birth_stamp_outside(at(&o), 9);
	EXPECT(!memcmp(&o, &before, sizeof(o)));
	birth_mark_of(BIRTH_HEADER_NARROW);
}
