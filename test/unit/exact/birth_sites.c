/* Places that are new to the table, or to a thread's slots. */
#include "exact/birth_sites.h"

#include "exact/birth_blocks.h"
#include "exact/shape.h"
#include "support/tap.h"

enum { ODD = 9, ARRAY = 20 }; /* of the class nobody knows a size */

static unsigned defined;

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	defined++;
	s->bytes1 = s->klass == ODD || s->klass == ARRAY ? 0 : 32;
	s->shape = s->klass == ARRAY
			   ? shape_of_array((int32_t)(3u << 30 | 16u << 16 | 8u << 8 | 2u))
			   : 0;
}

static struct births *begin(void)
{
	static const struct birth_oracle oracle = {.define = define};
	struct births *b = births_get();
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	defined = 0;
	return b;
}

static uint32_t site_of(struct births *b, uint64_t key, uint32_t klass, bool leaf)
{
	const struct birth_place p = {.caller = CALLER_COMPILED, .key = key, .leaf = leaf};
	return birth_site_of(b, &(struct birth){0}, &p, klass);
}

TEST(a_site_is_defined_once)
{
	struct births *b = begin();
	uint32_t one = site_of(b, 1000, 3, true), other = site_of(b, 1000, 4, false);
	EXPECT(one != other && defined == 2);
	EXPECT(one == site_of(b, 1000, 3, true) && defined == 2);
	EXPECT(b->sites.at[one].leaf && !b->sites.at[other].leaf);
	EXPECT_INT(32, b->sites.at[one].bytes1);
	births_close(b);
}

/* 0: it has no slot. */
static uint64_t objects_at(struct birth_slots *s, uint64_t key, uint32_t klass)
{
	const struct birth_slot *slot = birth_slots_find(s, key, klass);
	return slot ? slot->objects : 0;
}

/* Keys whose tags share a set: the set is told by bits that these do not reach. */
static uint64_t same_set(const struct birth_slots *s, uint64_t key, uint32_t klass)
{
	uint32_t set = birth_slots_at(s, birth_tag(key, klass));
	do
		key++;
	while (birth_slots_at(s, birth_tag(key, klass)) != set);
	return key;
}

static struct birth_slot *put(
	struct births *b, struct birth_slots *s, uint64_t key, uint32_t klass, uint64_t objects)
{
	struct birth_slot *slot = birth_slot_put(b, s, key, klass, site_of(b, key, klass, true));
	slot->objects = objects;
	return slot;
}

TEST(the_last_of_a_set_goes_with_its_counts)
{
	struct births *b = begin();
	struct birth_thread *t = birth_block_begin(b);
	uint64_t k1 = 1000, k2 = same_set(&t->slots, k1, 3), k3 = same_set(&t->slots, k2, 3);
	put(b, &t->slots, k1, 3, 5);
	put(b, &t->slots, k2, 3, 6);
	EXPECT_INT(1, t->slots.used_count);
	EXPECT_INT(5, objects_at(&t->slots, k1, 3));
	put(b, &t->slots, k3, 3, 7);
	EXPECT(!birth_slots_find(&t->slots, k1, 3));
	EXPECT_INT(6, objects_at(&t->slots, k2, 3));
	EXPECT_INT(7, objects_at(&t->slots, k3, 3));
	const struct birth_sum gone = birth_sums_of(&b->sums, site_of(b, k1, 3, true));
	EXPECT(gone.objects == 5 && gone.bytes == 160);
	EXPECT_INT(1, t->slots.crowded);
	births_close(b);
}

/* Of one that has no size the tag is 0. */
TEST(a_slot_that_is_never_met)
{
	struct births *b = begin();
	struct birth_thread *t = births_here ? births_here : birth_block_begin(b);
	struct birth_slot *s = put(b, &t->slots, 2000, ODD, 0);
	EXPECT_INT(0, s->tag);
	EXPECT(!birth_slots_find(&t->slots, 2000, ODD));
	s = put(b, &t->slots, 2001, ARRAY, 2);
	EXPECT(s->tag == birth_tag(2001, ARRAY) && s->site & SHAPE_ARRAY);
	s->bytes = 100;
	EXPECT_INT(100, birth_slot_bytes(b, s));
	birth_slot_flush(b, s);
	EXPECT(!s->objects && !s->bytes);
	EXPECT_INT(100, birth_sums_of(&b->sums, s->site & SITE_MASK).bytes);
	births_close(b);
}

TEST(the_table_is_widened_where_places_crowd)
{
	struct births *b = begin();
	struct birth_thread *t = births_here ? births_here : birth_block_begin(b);
	const struct birth_place one = {.key = 3000}, two = {.key = 3001};
	birth_slot_make(b, t, &(struct birth){0}, &one, 3)->objects = 4;
	EXPECT(!birth_slots_wide(&t->slots));
	t->slots.crowded = BIRTH_CROWDED;
	b->wide = BIRTHS_WIDE_MOST; /* others have all the room */
	birth_slot_make(b, t, &(struct birth){0}, &two, 3);
	EXPECT(!birth_slots_wide(&t->slots) && t->slots.crowded == 0);
	t->slots.crowded = BIRTH_CROWDED;
	b->wide = 0;
	birth_slot_make(b, t, &(struct birth){0}, &two, 4);
	EXPECT(birth_slots_wide(&t->slots) && b->wide == 1);
	EXPECT_INT(4, objects_at(&t->slots, 3000, 3));
	births_close(b);
}
