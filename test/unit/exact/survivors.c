#include "exact/survivors.h"

#include "exact/aged_mark.h"
#include "support/census_read.h"
#include "support/tap.h"
#include "support/vm_heap.h"

/* One object each in a survivor space, eden and the old space. stamps.c has them by the thousand.
 */
enum { EDEN, KEPT, OLD, SPACES, SITE = 7, OBJECT = 24 };
enum { THING, INTS, STACK, CLASSES };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t memory[SPACES][8];

struct rig {
	struct vm_objects objects;
	struct heap_layout layout;
	struct region was[SPACES], is[SPACES];
	struct heap_regions before, after;
	struct region_walk walk;
	struct census census;
	struct survivors survivors;
};

static struct rig rig;

static struct region space(int which, enum region_kind kind, size_t bytes)
{
	uintptr_t at = (uintptr_t)memory[which];
	return (struct region){.bottom = at,
		.top = at + bytes,
		.end = at + sizeof(memory[which]),
		.kind = (uint8_t)kind};
}

static void put(int which, uint64_t bits)
{
	vm_object_put(&rig.objects, memory[which], &classes[THING], 0);
	*memory[which] |= (uint64_t)SITE << SITE_SHIFT | bits;
}

static void make_classes(void)
{
	vm_name_set(&names[THING], "Thing");
	vm_name_set(&names[INTS], "[I");
	vm_name_set(&names[STACK], "jdk/internal/vm/StackChunk");
	classes[THING] =
		(struct vm_klass){.functions = functions, .layout = OBJECT, .name = &names[THING]};
	classes[INTS] = (struct vm_klass){
		.functions = functions, .layout = (int32_t)0xc0100a02, .name = &names[INTS]};
	classes[STACK] = classes[THING];
	classes[STACK].name = &names[STACK];
}

static struct rig *begin(enum heap_pause pause, uint32_t age)
{
	static const enum region_kind kinds[] = {REGION_EDEN, REGION_SURVIVOR, REGION_OLD};
	struct rig *r = &rig;
	*r = (struct rig){.layout = {.collector = HEAP_PARALLEL}};
	make_classes();
	r->objects = vm_objects_made(classes, false);
	for (int i = 0; i < SPACES; i++) {
		r->was[i] = space(i, kinds[i], 0);
		r->is[i] = space(i, kinds[i], OBJECT);
		put(i, age * AGE_ONE);
	}
	r->before = (struct heap_regions){.at = r->was, .count = SPACES, .room = SPACES};
	r->after = (struct heap_regions){.at = r->is, .count = SPACES, .room = SPACES};
	r->walk = (struct region_walk){&r->layout, &r->objects, NULL};
	EXPECT_INT(0, census_init(&r->census));
	r->census.first = SITE_FIRST;
	r->survivors = (struct survivors){
		&r->walk, &r->before, &r->after, pause, &r->census, NULL, NULL, 0, 0};
	return r;
}

static void look(struct rig *r, bool stamped)
{
	for (size_t i = 0; i < SPACES; i++)
		EXPECT_INT(0, r->survivors.pause == PAUSE_FULL
				      ? survivors_look_full(&r->survivors, i, stamped)
				      : survivors_look(&r->survivors, i));
}

/* Of the one site that there is. */
static struct census_cell counted(struct rig *r, unsigned survived, bool promoted)
{
	EXPECT_INT(1, r->census.count);
	return census_read(&r->census, r->census.rows[0].site, survived, promoted);
}

/* What stands in eden was made in the pause for who asked for it. */
TEST(a_young_collection)
{
	struct rig *r = begin(PAUSE_YOUNG, 3);
	look(r, false);
	EXPECT_INT(1, counted(r, 3, false).objects);
	EXPECT_INT(OBJECT, counted(r, 3, false).bytes);
	EXPECT_INT(1, counted(r, 4, true).objects);
	EXPECT_INT(3, aged_of(*memory[KEPT]));
	EXPECT_INT(2, census_cells(&r->census));
	/* Once seen in the old generation it was promoted. */
	census_clear(&r->census);
	look(r, false);
	EXPECT_INT(0, counted(r, 4, true).objects + counted(r, 1, true).objects);
	census_release(&r->census);
}

/* No birth of one is counted: a copy without a site is none that lost it. */
TEST(stacks_of_virtual_threads)
{
	for (int failed = 0; failed < 2; failed++) {
		struct rig *r = begin(PAUSE_YOUNG, 1);
		r->objects.chunk_name = (uintptr_t)&names[STACK];
		if (failed)
			r->was[EDEN] = r->is[EDEN];
		for (int i = 0; i < SPACES; i++) {
			vm_object_put(&r->objects, memory[i], &classes[STACK], 0);
			*memory[i] |= AGE_ONE;
		}
		look(r, false);
		EXPECT_INT(0, r->census.count);
		EXPECT_INT(0, r->census.unknown.objects);
		EXPECT_INT(failed ? 3 : 2, r->census.stacks);
		struct census all;
		EXPECT_INT(0, census_init(&all));
		census_take(&all, &r->census);
		EXPECT_INT(failed ? 3 : 2, all.stacks);
		EXPECT_INT(0, r->census.stacks);
		census_release(&all);
		census_release(&r->census);
	}
}

/* Our own object has no site either, and has lost none. */
TEST(the_sentry_is_nobody)
{
	for (int failed = 0; failed < 2; failed++) {
		struct rig *r = begin(PAUSE_YOUNG, 1);
		if (failed)
			r->was[EDEN] = r->is[EDEN];
		for (int i = 0; i < SPACES; i++) {
			vm_object_put(&r->objects, memory[i], &classes[THING], 0);
			*memory[i] |= AGE_ONE | BIRTH_SEEN_OLD;
		}
		look(r, false);
		EXPECT_INT(0, r->census.count);
		EXPECT_INT(0, r->census.unknown.objects);
		EXPECT_INT(AGE_ONE | BIRTH_SEEN_OLD | MARK_UNLOCKED, *memory[KEPT]);
		census_release(&r->census);
	}
}

TEST(where_what_jumped_lands)
{
	struct rig *r = begin(PAUSE_YOUNG, 1);
	*memory[OLD] |= BIRTH_JUMPED;
	look(r, false);
	EXPECT_INT(LANDING_PROMOTED, census_landing(&r->census));
	EXPECT_INT(1, counted(r, 1, true).objects);
	census_clear(&r->census);
	look(r, false); /* it was seen there */
	EXPECT_INT(LANDING_OPEN, census_landing(&r->census));
	*memory[KEPT] |= BIRTH_JUMPED;
	census_clear(&r->census);
	look(r, false);
	EXPECT_INT(LANDING_YOUNG, census_landing(&r->census));
	census_clear(&r->census);
	look(r, false); /* it has served */
	EXPECT_INT(LANDING_OPEN, census_landing(&r->census));
	census_release(&r->census);
}

TEST(where_it_could_not_be_moved)
{
	struct rig *r = begin(PAUSE_YOUNG, 0);
	r->was[EDEN] = r->is[EDEN];
	*memory[EDEN] |= BIRTH_JUMPED;
	look(r, false);
	EXPECT_INT(2, counted(r, 1, false).objects); /* the copy too: the VM's count of it is 0 */
	EXPECT_INT(1, aged_of(*memory[EDEN]));
	EXPECT_INT(1, aged_of(*memory[KEPT]));
	census_release(&r->census);
}

/* Of what was moved out of there before it failed the copy counts alone. */
TEST(what_moved_before_it_failed)
{
	struct rig *r = begin(PAUSE_YOUNG, 0);
	r->was[EDEN] = r->is[EDEN];
	*memory[EDEN] = (uint64_t)(uintptr_t)memory[KEPT] | MARK_FORWARDED;
	look(r, false);
	EXPECT_INT(1, counted(r, 1, false).objects);
	EXPECT_INT(0, r->census.unknown.objects);
	census_release(&r->census);
}

TEST(a_full_one_that_was_stamped)
{
	struct rig *r = begin(PAUSE_FULL, 2);
	look(r, true);
	EXPECT_INT(2, counted(r, 2, false).objects);
	EXPECT_INT(1, counted(r, 2, true).objects);
	census_release(&r->census);
}

/* None tells one more than the greatest: it is the greatest again. */
TEST(the_oldest_of_a_full_one)
{
	struct rig *r = begin(PAUSE_FULL, 0);
	look(r, true);
	EXPECT_INT(2, counted(r, CENSUS_AGES, false).objects);
	EXPECT_INT(1, counted(r, CENSUS_AGES, true).objects);
	EXPECT_INT(15, aged_of(*memory[EDEN]));
	EXPECT_INT(15, aged_of(*memory[KEPT]));
	census_release(&r->census);
}

/* Told of where the object was looked at for the first time, and only then. */
static uint64_t met(enum heap_pause pause, uint32_t age)
{
	static struct chunk_pool pool;
	static struct follow follow;
	const struct follow_bounds bounds = {.residents = 1000,
		.identities = 1000,
		.regions = SPACES,
		.base = (uintptr_t)memory};
	const struct follow_oracle oracle = {.arg = NULL};
	struct rig *r = begin(pause, age);
	EXPECT_INT(0, chunk_pool_init(&pool, 16, 2, 64));
	EXPECT_INT(0, follow_init(&follow, &pool, &oracle, &bounds, 0));
	follow.meets = true;
	r->survivors.meets = &follow;
	look(r, true);
	follow_rest(&follow, 0);
	uint64_t births = follow.workers[0].sums.births;
	EXPECT_INT(births, residents_count(&follow.residents));
	chunk_pool_give(&pool, gc_chunks_take(&follow.workers[0].out));
	follow_release(&follow);
	chunk_pool_release(&pool);
	census_release(&r->census);
	return births;
}

TEST(who_is_met)
{
	EXPECT_INT(2, met(PAUSE_YOUNG, 0)); /* promoted at once, and left where it was */
	EXPECT_INT(1, met(PAUSE_YOUNG, 1)); /* in the survivor space; what is old was met before */
	EXPECT_INT(0, met(PAUSE_YOUNG, 2));
	EXPECT_INT(3, met(PAUSE_FULL, 1));
	EXPECT_INT(0, met(PAUSE_FULL, 2));
}

TEST(a_full_one_that_was_not)
{
	struct rig *r = begin(PAUSE_FULL, 2);
	look(r, false);
	EXPECT_INT(0, r->census.count);
	EXPECT_INT(0, aged_site(*memory[EDEN]));
	EXPECT_INT(0, aged_site(*memory[KEPT]));
	EXPECT_INT(SITE, aged_site(*memory[OLD]));
	EXPECT(birth_seen_old(*memory[OLD]));
	census_release(&r->census);
}

/* Of another recording, or of none: unknown, and left as it is. */
TEST(who_is_not_ours)
{
	struct rig *r = begin(PAUSE_YOUNG, 1);
	r->census.first = SITE + 1;
	look(r, false);
	EXPECT_INT(0, r->census.count);
	EXPECT_INT(2, r->census.unknown.objects);
	EXPECT_INT(SITE, aged_site(*memory[KEPT]));
	census_release(&r->census);
}

/* Arrays of int in place of all, without a site: how many are counted as unknown. */
static uint64_t unknown_ints(enum heap_collector collector, uint64_t mark, bool named)
{
	struct rig *r = begin(PAUSE_YOUNG, 0);
	r->layout.collector = collector;
	r->objects.filler_name = named ? (uintptr_t)&names[THING] : 0;
	for (int i = 0; i < SPACES; i++) {
		vm_object_put(&r->objects, memory[i], &classes[INTS], 2);
		*memory[i] = mark;
	}
	look(r, false);
	EXPECT_INT(0, r->census.count);
	uint64_t unknown = r->census.unknown.objects;
	census_release(&r->census);
	return unknown;
}

/* Up to JDK 18 or so they look like it: what the program had of them has an age, but for where each
 * is copied alone, or has a name of its own. */
TEST(what_fills_the_collectors_buffers)
{
	EXPECT_INT(0, unknown_ints(HEAP_PARALLEL, MARK_UNLOCKED, false));
	EXPECT_INT(0, unknown_ints(HEAP_G1, MARK_UNLOCKED, false));
	EXPECT_INT(2, unknown_ints(HEAP_SERIAL, MARK_UNLOCKED, false));
	EXPECT_INT(2, unknown_ints(HEAP_PARALLEL, MARK_UNLOCKED, true));
	EXPECT_INT(2, unknown_ints(HEAP_PARALLEL, MARK_UNLOCKED | AGE_ONE, false));
	EXPECT_INT(2, unknown_ints(HEAP_G1, MARK_UNLOCKED | 0x123400, false)); /* a hash */
}

/* Its mark was made anew where it could not be moved. */
TEST(an_array_that_g1_could_not_move)
{
	struct rig *r = begin(PAUSE_YOUNG, 0);
	r->layout.collector = HEAP_G1;
	r->was[OLD] = r->is[OLD];
	r->was[OLD].kind = REGION_EDEN;
	vm_object_put(&r->objects, memory[OLD], &classes[INTS], 2);
	look(r, false);
	EXPECT_INT(1, r->census.unknown.objects);
	census_release(&r->census);
}
