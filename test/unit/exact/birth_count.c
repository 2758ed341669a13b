/* One birth in its slot, or beside it. */
#include "exact/birth_count.h"

#include "exact/birth_blocks.h"
#include "exact/birth_sites.h"
#include "exact/shape.h"
#include "support/tap.h"

enum { PLAIN = 3, ODD = 9, ARRAY = 20, KEY = 1000 };

struct object {
	_Alignas(16) uint64_t mark;
	uint32_t klass, length;
};

static uint64_t bytes_are;
static bool is_outside;

static uint64_t bytes(void *arg, uintptr_t object)
{
	(void)arg, (void)object;
	return bytes_are;
}

static bool outside(void *arg, uintptr_t object, uint64_t size)
{
	(void)arg, (void)object;
	EXPECT(size == bytes_are);
	return is_outside;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	s->bytes1 = s->klass == PLAIN ? 32 : 0;
	s->shape = s->klass == ARRAY
			   ? shape_of_array((int32_t)(3u << 30 | 16u << 16 | 8u << 8 | 2u))
			   : 0;
}

static struct birth_slot *slot_of(struct births *b, uint32_t klass)
{
	const struct birth_place p = {.key = KEY};
	return birth_slot_make(b, births_here, &(struct birth){0}, &p, klass);
}

static struct births *begin(void)
{
	static const struct birth_oracle oracle = {
		.bytes = bytes, .outside = outside, .define = define};
	struct births *b = births_get();
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	if (!births_here)
		birth_block_begin(b);
	bytes_are = 0;
	is_outside = false;
	return b;
}

static uint32_t site_in(const struct object *o)
{
	return (uint32_t)(o->mark >> 42);
}

TEST(instances_and_arrays)
{
	struct births *b = begin();
	struct birth_slot *plain = slot_of(b, PLAIN), *array = slot_of(b, ARRAY);
	struct object o = {.mark = 1, .klass = PLAIN}, a = {.mark = 1, .klass = ARRAY, .length = 5};
	birth_count(plain, (uintptr_t)&o);
	EXPECT(plain->objects == 1 && plain->bytes == 0);
	EXPECT_INT(plain->site & SITE_MASK, site_in(&o));
	birth_count(array, (uintptr_t)&a);
	EXPECT(array->objects == 1 && array->bytes == 40);
	EXPECT_INT(array->site & SITE_MASK, site_in(&a));
	births_close(b);
}

/* Of some the VM is asked how large they are, and where they stand. */
TEST(objects_that_a_slot_does_not_count)
{
	struct births *b = begin();
	struct birth_slot *odd = slot_of(b, ODD);
	uint32_t site = odd->site & SITE_MASK;
	struct object o = {.mark = 1, .klass = ODD};
	const struct birth e = {.object = (uintptr_t)&o};
	EXPECT(!birth_count_asked(b, births_here, odd, &e, CALLER_COMPILED));
	EXPECT(b->uncounted && birth_sums_of(&b->sums, site).objects == 0 && o.mark == 1);
	bytes_are = 72;
	EXPECT(birth_count_asked(b, births_here, odd, &e, CALLER_COMPILED));
	struct birth_sum s = birth_sums_of(&b->sums, site);
	EXPECT(s.objects == 1 && s.bytes == 72 && odd->objects == 0);
	EXPECT_INT(odd->site & SITE_MASK, site_in(&o));
	is_outside = true;
	EXPECT(birth_count_asked(b, births_here, odd, &e, CALLER_COMPILED));
	s = birth_sums_of(&b->sums, site);
	EXPECT(s.objects == 2 && s.outside_objects == 1 && s.outside_bytes == 72);
	births_close(b);
}

/* The VM's own may stand outside, others don't; and where it makes clones they are stamped again.
 */
TEST(births_by_the_vm)
{
	struct births *b = begin();
	uint32_t collections = 1;
	struct birth_slot *plain = slot_of(b, PLAIN);
	struct object o = {.mark = 1, .klass = PLAIN};
	const struct birth e = {.object = (uintptr_t)&o};
	births_clock(b, &collections);
	bytes_are = 32;
	is_outside = true;
	EXPECT(birth_count_asked(b, births_here, plain, &e, CALLER_COMPILED));
	EXPECT(plain->objects == 1 && births_here->again.count == 0);
	EXPECT(birth_count_asked(b, births_here, plain, &e, CALLER_VM));
	EXPECT(plain->objects == 1 &&
		birth_sums_of(&b->sums, plain->site & SITE_MASK).outside_objects == 1);
	is_outside = false;
	o.mark = 1;
	EXPECT(birth_count_asked(b, births_here, plain, &e, CALLER_VM));
	EXPECT(plain->objects == 2 && births_here->again.count == 1);
	births_close(b);
}
