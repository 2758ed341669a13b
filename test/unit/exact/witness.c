#include "exact/witness.h"

#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "exact/pages.h"
#include "exact/shape.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, INTS, GAP, CLASSES, WORDS = 1024, SITES = 4 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(4096) uint64_t heap[WORDS];
static struct exact_site sites[SITES];

struct rig {
	struct vm_objects objects;
	struct births births;
	struct witness witness;
	struct follow_oracle oracle;
};

static void make_classes(struct vm_objects *o, bool compact, bool old_fillers)
{
	static const char *const texts[] = {
		"Point", "[B", "[I", "[Ljdk/internal/vm/FillerElement;"};
	static const int32_t layouts[] = {
		24, (int32_t)0xc0100800, (int32_t)0xc0100a02, (int32_t)0xc0100a02};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	*o = vm_objects_made(classes, compact);
	o->ints_name = (uintptr_t)&names[INTS];
	o->filler_name = old_fillers ? 0 : (uintptr_t)&names[GAP];
}

static void rig_of(struct rig *r)
{
	r->births = (struct births){.sites = {.at = sites}};
	for (uint32_t i = 0; i < CLASSES - 1; i++)
		sites[i].klass = (uint32_t)vm_narrow(&r->objects, &classes[i]);
	const struct heap_layout layout = {
		.collector = HEAP_G1, .base = (uintptr_t)heap, .bytes = sizeof(heap)};
	EXPECT_INT(0, witness_init(&r->witness, &r->objects, &r->births, &layout));
	r->oracle = witness_oracle(&r->witness);
}

static void rig_init(struct rig *r, bool compact, bool old_fillers)
{
	memset(heap, 0, sizeof(heap));
	make_classes(&r->objects, compact, old_fillers);
	rig_of(r);
}

/* Classes that are not compressed. */
static void rig_wide(struct rig *r)
{
	memset(heap, 0, sizeof(heap));
	make_classes(&r->objects, false, false);
	r->objects.wide = true;
	r->objects.header = r->objects.array_length = 16;
	rig_of(r);
}

static uintptr_t address(size_t word)
{
	return (uintptr_t)&heap[word];
}

static uintptr_t where(struct rig *r, enum region_fate fate, uint32_t site, size_t word)
{
	return r->oracle.where(r->oracle.arg, fate, site, address(word));
}

TEST(where_an_object_has_gone)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[3], &classes[POINT], 0);
	heap[0] = address(100) | MARK_FORWARDED;
	EXPECT_INT(address(100), where(&r, FATE_EVACUATED, POINT, 0));
	EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, 3));
	EXPECT_INT(address(100), where(&r, FATE_KEPT, POINT, 0));
	EXPECT_INT(address(3), where(&r, FATE_KEPT, POINT, 3));
	witness_release(&r.witness);
}

/* What is gone when it is asked for is read from the copy; so is an array's length. */
TEST(what_is_kept_can_be_read_though_it_is_gone)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[3], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[6], &classes[BYTES], 30);
	heap[0] = address(100) | MARK_FORWARDED;
	sites[BYTES].shape = (uint32_t)shape_of_array(classes[BYTES].layout);
	uint64_t bytes = r.oracle.bytes(r.oracle.arg, BYTES, address(6));
	EXPECT_INT(48, bytes);
	EXPECT(!r.oracle.kept(r.oracle.arg, address(0), address(3)));
	witness_keep(&r.witness, address(0), address(12));
	memset(heap, 0xff, 8 * 12);
	heap[12] = address(200) | MARK_FORWARDED;
	EXPECT(r.oracle.kept(r.oracle.arg, address(0), address(12)));
	EXPECT(!r.oracle.kept(r.oracle.arg, address(0), address(13)));
	EXPECT_INT(address(100), where(&r, FATE_EVACUATED, POINT, 0));
	EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, 3));
	EXPECT_INT(address(200), where(&r, FATE_EVACUATED, POINT, 12));
	EXPECT_INT(bytes, r.oracle.bytes(r.oracle.arg, BYTES, address(6)));
	witness_forget(&r.witness);
	EXPECT(!r.oracle.kept(r.oracle.arg, address(0), address(12)));
	witness_release(&r.witness);
}

/* It is gone already, or too much. */
TEST(what_can_not_be_kept)
{
	struct rig r;
	rig_init(&r, false, false);
	witness_keep(&r.witness, 4096, 8192);
	EXPECT(!r.oracle.kept(r.oracle.arg, 4096, 8192));
	witness_keep(&r.witness, address(0), address(0) + (65ull << 20));
	EXPECT(!r.oracle.kept(r.oracle.arg, address(0), address(3)));
	witness_release(&r.witness);
}

/* The same answers as one by one, whatever lies between; and not a step too far. */
/* Its mark's first byte is gone, as its page was touched: it may have been moved. */
TEST(who_stood_at_the_start_of_a_page_that_was_touched)
{
	enum { PAGE = 512 };
	struct rig r;
	struct chunk_pool pool;
	struct event_log log = {0};
	const size_t words[] = {3, PAGE, PAGE + 3, PAGE + 6};
	rig_init(&r, false, false);
	EXPECT_INT(0, chunk_pool_init(&pool, 4, 1, 64));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		vm_object_put(&r.objects, &heap[words[i]], &classes[POINT], 0);
		event_log_put(&log, &pool, POINT, address(words[i]));
	}
	EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, PAGE));
	heap[PAGE] &= ~0xffull;
	heap[PAGE + 3] &= ~0xffull; /* of a lock */
	EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_EVACUATED, POINT, PAGE));
	EXPECT_INT(address(PAGE), where(&r, FATE_KEPT, POINT, PAGE));
	EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, PAGE + 3));
	struct chunk *list = event_log_take(&log);
	struct chunk_cursor c = chunk_cursor(list);
	struct event e;
	EXPECT(chunk_cursor_next(&c, &e));
	EXPECT_INT(0, r.oracle.skip(r.oracle.arg, &c, address(WORDS)));
	EXPECT(chunk_cursor_next(&c, &e));
	EXPECT_INT(2, r.oracle.skip(r.oracle.arg, &c, address(WORDS)));
	chunk_pool_give(&pool, list);
	chunk_pool_release(&pool);
	witness_release(&r.witness);
}

TEST(the_dead_are_skipped)
{
	enum { OBJECTS = WORDS / 3 };
	static uint32_t words[OBJECTS + 8];
	struct rng rng = rng_init(tap_seed());
	struct rig r;
	rig_init(&r, false, false);
	for (size_t i = 0; i < OBJECTS; i++) {
		words[i] = POINT << EVENT_DISTANCE_BITS | 3;
		heap[i * 3] = rng_below(&rng, 8) ? (rng_u64(&rng) & ~3ull) | rng_below(&rng, 3)
						 : address(WORDS) | MARK_FORWARDED;
	}
	for (size_t first = 1; first < OBJECTS; first++) {
		size_t top = rng_below(&rng, 2) ? WORDS : first * 3 + rng_below(&rng, 24);
		size_t expect = first;
		size_t end = first + rng_below(&rng, OBJECTS - first + 1);
		size_t far = rng_below(&rng, 4) ? OBJECTS : first + rng_below(&rng, 8);
		top = top < WORDS ? top : WORDS;
		uint32_t kept = words[far];
		words[far] = POINT << EVENT_DISTANCE_BITS; /* an escape */
		struct chunk_cursor c = {
			words + first, words + end, address((first - 1) * 3) >> 3, false};
		while (expect < end && expect < far && expect * 3 < top &&
			!where(&r, FATE_EVACUATED, POINT, expect * 3))
			expect++;
		EXPECT_INT(expect - first, r.oracle.skip(r.oracle.arg, &c, address(top)));
		EXPECT(c.at == words + expect);
		EXPECT_INT(address((expect - 1) * 3) >> 3, c.last);
		words[far] = kept;
	}
	witness_release(&r.witness);
}

/* point, a gap of an array, a point that was moved and one that is dead, bytes. */
TEST(where_evacuation_failed)
{
	for (int old = 0; old < 2; old++) {
		struct rig r;
		rig_init(&r, false, old);
		size_t moved = 5, dead = 8, bytes = 11, ints = 14;
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		vm_object_put(&r.objects, &heap[moved], &classes[POINT], 0);
		heap[moved] = address(200) | MARK_FORWARDED;
		vm_object_put(&r.objects, &heap[dead], &classes[POINT], 0);
		vm_object_put(&r.objects, &heap[bytes], &classes[BYTES], 8);
		vm_object_put(&r.objects, &heap[ints], &classes[INTS], 2);
		heap[ints] |= 2ull << SITE_SHIFT; /* the program's own */
		/* From JDK 19 on the fillers have a class of their own. */
		vm_object_put(&r.objects, &heap[3], &classes[old ? INTS : GAP], 12);
		EXPECT_INT(0, witness_look(&r.witness, address(0), address(ints + 3)));
		EXPECT_INT(address(0), where(&r, FATE_FAILED, POINT, 0));
		/* Where the filler begins anything may have been. */
		EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, BYTES, 3));
		EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, INTS, 3));
		EXPECT_INT(address(200), where(&r, FATE_FAILED, POINT, moved));
		EXPECT_INT(0, where(&r, FATE_FAILED, POINT, dead));
		EXPECT_INT(address(bytes), where(&r, FATE_FAILED, BYTES, bytes));
		EXPECT_INT(address(ints), where(&r, FATE_FAILED, INTS, ints));
		witness_forget(&r.witness);
		EXPECT_INT(0, where(&r, FATE_FAILED, POINT, 0));
		witness_release(&r.witness);
	}
}

static void set_lower_half(uint64_t *word, uint32_t to)
{
	memcpy(word, &to, sizeof(to));
}

/* A large gap has two fillers, of which the second may begin in the last word of an object: the
 * rest of its header is over the next one's mark, which may have been moved. */
TEST(who_stood_behind_a_second_filler_may_have_been_moved)
{
	for (int how = 0; how < 3; how++) {
		struct rig r;
		rig_init(&r, how == 2, how == 1);
		enum { AT = 12 };
		vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
		heap[AT - 1] = MARK_UNLOCKED;
		EXPECT_INT(0, where(&r, FATE_FAILED, POINT, AT)); /* a field */
		uint64_t filler[2];
		vm_object_put(&r.objects, filler, &classes[how == 1 ? INTS : GAP], 300);
		heap[AT - 1] = filler[0];
		if (how == 2)
			set_lower_half(&heap[AT], 300);
		else
			heap[AT] = filler[1];
		EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, POINT, AT));
		EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, AT));
		witness_mark(&r.witness, address(AT));
		EXPECT_INT(address(AT), where(&r, FATE_FAILED, POINT, AT));
		witness_release(&r.witness);
	}
}

/* Of one object with nothing but a header a filler's length comes behind it: over the next mark. */
TEST(who_stood_under_a_fillers_length_may_have_been_moved)
{
	struct rig r;
	enum { AT = 12 };
	rig_wide(&r);
	vm_object_put(&r.objects, &heap[AT - 2], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
	EXPECT_INT(0, where(&r, FATE_FAILED, POINT, AT));
	heap[AT - 1] = (uintptr_t)&classes[GAP];
	set_lower_half(&heap[AT], 200);
	EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, POINT, AT));
	EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, AT));
	/* One of two words has no length. */
	classes[GAP].layout = 16;
	EXPECT_INT(0, where(&r, FATE_FAILED, POINT, AT));
	/* Right before it: class and length over mark and class. */
	classes[GAP].layout = (int32_t)0xc0100a02;
	heap[AT - 2] = 0;
	vm_object_put(&r.objects, &heap[AT - 1], &classes[GAP], 200);
	EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, POINT, AT));
	witness_release(&r.witness);
}

/* And so it is dead, where it has stood in an old region: nothing is written into the length, which
 * may look like a mark. */
TEST(no_identity_into_a_fillers_length)
{
	struct rig r;
	enum { AT = 12, LIKE_A_LOCK = 16, LIKE_A_MARK = 17 };
	rig_wide(&r);
	vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[AT - 2], &classes[GAP], LIKE_A_LOCK);
	uint64_t before = heap[AT];
	EXPECT_INT(FOLLOW_DEAD, r.oracle.identify(r.oracle.arg, POINT, address(AT), 78));
	EXPECT_INT(before, heap[AT]);
	vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
	heap[AT - 2] = 0;
	vm_object_put(&r.objects, &heap[AT - 1], &classes[GAP], LIKE_A_MARK);
	EXPECT_INT(FOLLOW_DEAD, r.oracle.identify(r.oracle.arg, POINT, address(AT), 78));
	/* At the object itself. */
	vm_object_put(&r.objects, &heap[0], &classes[GAP], 4);
	EXPECT_INT(FOLLOW_DEAD, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	witness_release(&r.witness);
}

/* Right before a live object: its mark is no length, or would be an odd one. */
TEST(nobody_dies_of_an_old_fillers_header)
{
	struct rig r;
	enum { AT = 12, ODD = 17 };
	rig_wide(&r);
	vm_object_put(&r.objects, &heap[AT - 2], &classes[GAP], 0);
	vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(AT), 78));
	EXPECT_INT(MARK_UNLOCKED, heap[AT]);
	vm_object_put(&r.objects, &heap[AT - 2], &classes[GAP], ODD);
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(AT), 78));
	EXPECT_INT(ODD, heap[AT]);
	witness_release(&r.witness);
}

/* Serial and Parallel leave nothing that tells what was moved, but for what still has its mark. */
TEST(where_nothing_tells)
{
	struct rig r;
	rig_init(&r, false, false);
	r.witness.sparing = false;
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	EXPECT_INT(0, witness_look(&r.witness, address(0), address(3)));
	EXPECT_INT(FOLLOW_UNKNOWN, where(&r, FATE_FAILED, POINT, 0));
	heap[0] = address(200) | MARK_FORWARDED;
	EXPECT_INT(address(200), where(&r, FATE_FAILED, POINT, 0));
	witness_release(&r.witness);
}

TEST(a_region_that_can_not_be_read)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	EXPECT_INT(ERR_CORRUPT, witness_look(&r.witness, address(0), address(1)));
	witness_release(&r.witness);
}

TEST(how_large_an_array_is)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		r.births.sites.at[BYTES].shape = (uint32_t)shape_of_array(classes[BYTES].layout);
		vm_object_put(&r.objects, &heap[0], &classes[BYTES], 100);
		heap[0] = address(200) | MARK_FORWARDED; /* moved: only the mark is gone */
		EXPECT_INT(16 + 104, r.oracle.bytes(r.oracle.arg, BYTES, address(0)));
		EXPECT_INT(0, r.oracle.bytes(r.oracle.arg, POINT, address(0)));
		witness_release(&r.witness);
	}
}

TEST(identities_of_free_marks_alone)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		uint64_t mark = heap[0];
		EXPECT_INT(77, r.oracle.identify(r.oracle.arg, POINT, address(0), 77));
		EXPECT_INT(mark | 77ull << r.objects.hash_shift, heap[0]);
		EXPECT_INT(77, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
		heap[0] = mark;
		/* There is none of that class: nothing may be written. */
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, BYTES, address(0), 80));
		EXPECT_INT(mark, heap[0]);
		witness_release(&r.witness);
	}
}

/* From 20 on G1 writes fillers over the dead, and only over them. */
TEST(who_is_written_over_has_been_dead)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[GAP], 4);
		for (int twice = 0; twice < 2; twice++) {
			EXPECT_INT(FOLLOW_DEAD,
				r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
			EXPECT(!r.oracle.same(r.oracle.arg, POINT, address(0)));
		}
		/* No class, and none that can be read. */
		((uint32_t *)heap)[compact ? 1 : 2] = 0;
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
		((uint32_t *)heap)[compact ? 1 : 2] = 0xfffffff0;
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
		witness_release(&r.witness);
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[GAP], 4);
		r.witness.sparing = false; /* Serial and Parallel don't */
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
		witness_release(&r.witness);
	}
}

/* A filler's length where a mark was, that looks like one of an object that was moved. */
TEST(no_move_to_where_no_heap_is)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		heap[0] = (heap[0] & ~0xffffffffull) | 0xef33;
		EXPECT_INT(0, where(&r, FATE_EVACUATED, POINT, 0));
		EXPECT_INT(address(0), where(&r, FATE_KEPT, POINT, 0));
		r.oracle.same(r.oracle.arg, POINT, address(0)); /* follows no such mark */
		(void)r.oracle.identify(r.oracle.arg, POINT, address(0), 78);
		witness_release(&r.witness);
	}
}

TEST(who_may_have_left_where_promotion_failed)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	const uint64_t plain = heap[0], dead = plain | (uint64_t)BYTES << SITE_SHIFT;
	for (int failed = 0; failed < 2; failed++) {
		r.witness.failed = failed;
		heap[0] = plain;
		EXPECT(r.oracle.left(r.oracle.arg, BYTES, address(0)) == failed);
		heap[0] = dead;
		EXPECT(!r.oracle.left(r.oracle.arg, BYTES, address(0)));
		heap[0] = 0x1000; /* locked */
		EXPECT(!r.oracle.left(r.oracle.arg, BYTES, address(0)));
	}
	r.objects.compact = true;
	r.objects.sites = false;
	heap[0] = plain;
	EXPECT(!r.oracle.left(r.oracle.arg, BYTES, address(0)));
	witness_release(&r.witness);
}

/* The copy is it: that gets the identity, and has the hash. */
TEST(identities_of_what_was_moved_where_promotion_failed)
{
	enum { AT = 12 };
	for (int failed = 0; failed < 2; failed++) {
		struct rig r;
		rig_init(&r, false, false);
		r.witness.failed = failed;
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		vm_object_put(&r.objects, &heap[AT], &classes[POINT], 0);
		const uint64_t plain = heap[AT], gone = address(AT) | MARK_FORWARDED;
		heap[0] = gone;
		EXPECT_INT(failed ? 78 : 0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
		EXPECT(heap[0] == gone && (heap[AT] != plain) == failed);
		EXPECT_INT(failed ? 78 : 0, r.oracle.identify(r.oracle.arg, POINT, address(0), 79));
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, BYTES, address(0), 80));
		heap[0] = 0xef33; /* a filler's length: no heap is there */
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 81));
		witness_release(&r.witness);
	}
}

/* JDK 11: where a lock is biased to a thread that may hold it nothing is written. */
TEST(identities_of_biased_ones)
{
	enum { AGE = 3 << 3, NOBODY = 5, EPOCH = 2 << 8, HOLDER = 1 << 10 };
	struct rig r;
	rig_init(&r, false, false);
	r.objects.biased = true;
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	heap[0] = AGE | EPOCH | NOBODY;
	EXPECT_INT(78, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	EXPECT_INT(1 | AGE | 78ull << r.objects.hash_shift, heap[0]);
	heap[0] = AGE | HOLDER | NOBODY;
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	EXPECT_INT(AGE | HOLDER | NOBODY, heap[0]);
	witness_release(&r.witness);
}

/* Locked, with its mark elsewhere; compact headers have no such locks. */
TEST(identities_of_locked_ones)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	uint64_t displaced = 1 | 99ull << r.objects.hash_shift;
	heap[0] = (uintptr_t)&displaced;
	EXPECT_INT(99, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	displaced = 1;
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	EXPECT_INT(1, displaced);
	EXPECT_INT((uintptr_t)&displaced, heap[0]);
	witness_release(&r.witness);
}

/* A filler's class and length over the mark of what was dead already; its own class is left. */
TEST(no_identity_where_a_filler_begins_before)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	heap[0] = 0x0000ef3a20008000;
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, POINT, address(0), 78));
	EXPECT_INT(0x0000ef3a20008000, heap[0]);
	/* Where it happens to be readable, no lock with this site is there. */
	uint64_t other = 1 | 99ull << r.objects.hash_shift | (uint64_t)BYTES << SITE_SHIFT;
	heap[0] = (uintptr_t)&other;
	sites[GAP].klass = sites[POINT].klass;
	EXPECT_INT(0, r.oracle.identify(r.oracle.arg, GAP, address(0), 78));
	witness_release(&r.witness);
}

TEST(the_same_by_class)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[BYTES], 5);
		EXPECT(r.oracle.same(r.oracle.arg, BYTES, address(0)));
		EXPECT(!r.oracle.same(r.oracle.arg, POINT, address(0)));
		witness_release(&r.witness);
	}
}
