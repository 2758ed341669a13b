#include "exact/heap_count.h"

#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "exact/site_table.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, CLASSES, OBJECTS = 4000, WORDS = OBJECTS * 4, SITES = 30, AGE_AT = 3 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t young[WORDS], old[WORDS];

/* What a test knows of an object. */
struct known {
	uint64_t *at;
	uint32_t site, hash, age, bytes;
	bool jumped;      /* its age is 1, and the mark says that it was born as old as can be */
	bool old, locked; /* locked: its mark is in a lock of its holder's */
};

struct world {
	struct rng rng;
	struct vm_objects objects;
	struct heap_layout layout;
	struct region regions[2];
	struct heap_regions now;
	struct known known[2 * OBJECTS];
	uint64_t locks[2 * OBJECTS];
	size_t count;
	struct heap_count heap;
};

static struct world w;

static void make_classes(void)
{
	static const char *const texts[] = {"Point", "[B"};
	static const int32_t layouts[] = {24, (int32_t)0xc0100800};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	w.objects = vm_objects_made(classes, false);
}

static uint64_t mark_of(const struct known *k)
{
	return 1 | (uint64_t)k->site << SITE_SHIFT | (uint64_t)k->hash << w.objects.hash_shift |
	       (k->jumped ? (uint64_t)BIRTH_JUMPED : (uint64_t)k->age << AGE_AT);
}

/* Fills a space with objects of all kinds; returns where they end. */
static uintptr_t fill(uint64_t *space, bool is_old)
{
	size_t at = 0;
	for (int i = 0; i < OBJECTS; i++) {
		bool array = rng_below(&w.rng, 2);
		uint32_t length = (uint32_t)rng_below(&w.rng, 13);
		struct known k = {.at = &space[at],
			.site = (uint32_t)rng_below(&w.rng, SITES),
			.hash = rng_below(&w.rng, 3) ? 0
						     : 1 + (uint32_t)rng_below(&w.rng, 1u << 30),
			.age = (uint32_t)rng_below(&w.rng, 16),
			.bytes = array ? (16 + length + 7) & ~7u : 24,
			.old = is_old};
		k.age = is_old || k.age ? k.age : 1;
		k.jumped = !is_old && k.age == 1 && rng_below(&w.rng, 2);
		vm_object_put(&w.objects, k.at, &classes[array ? BYTES : POINT], length);
		*k.at = mark_of(&k);
		k.locked = rng_below(&w.rng, 10) == 0;
		if (k.locked) {
			w.locks[w.count] = *k.at;
			*k.at = (uint64_t)&w.locks[w.count];
		}
		w.known[w.count++] = k;
		at += k.bytes / 8;
	}
	return (uintptr_t)&space[at];
}

static struct region region(uint64_t *space, uintptr_t top, enum region_kind kind)
{
	return (struct region){.bottom = (uintptr_t)space,
		.top = top,
		.end = (uintptr_t)space + sizeof(young),
		.compacted = top,
		.kind = (uint8_t)kind};
}

static void begin(uint64_t seed)
{
	memset(&w, 0, sizeof(w));
	w.rng = rng_init(seed);
	make_classes();
	w.layout.collector = HEAP_SERIAL;
	w.regions[0] = region(young, fill(young, false), REGION_SURVIVOR);
	w.regions[1] = region(old, fill(old, true), REGION_OLD);
	w.now = (struct heap_regions){.at = w.regions, .count = 2, .room = 2};
}

static struct heap_sight sight(enum heap_pause pause, uint64_t kind)
{
	static struct region none[2];
	static struct heap_regions before;
	memcpy(none, w.regions, sizeof(none));
	none[0].top = none[0].bottom;
	before = (struct heap_regions){.at = none, .count = 2, .room = 2};
	return (struct heap_sight){.walk = {&w.layout, &w.objects, NULL},
		.before = &before,
		.after = &w.now,
		.pause = pause,
		.kind = kind};
}

/* A full collection: marks are made anew but for those that have a hash. */
static void forget_marks(void)
{
	for (size_t i = 0; i < w.count; i++)
		if (!w.known[i].locked && !mark_hash(&w.objects, *w.known[i].at))
			*w.known[i].at = 1;
}

struct plain {
	struct heap_count_row rows[SITES];
	struct census_cell none[CLASSES];
};

static void plain_add(struct census_cell *c, uint64_t bytes)
{
	c->objects++;
	c->bytes += bytes;
}

/* What there is to be counted; `lost`: of those without a hash the site isn't known any more. */
static void truth(struct plain *p, bool lost)
{
	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < w.count; i++) {
		const struct known *k = &w.known[i];
		bool array =
			object_klass(&w.objects, (uintptr_t)k->at) == (uintptr_t)&classes[BYTES];
		if (!k->site || (lost && !k->hash && !k->locked))
			plain_add(&p->none[array ? BYTES : POINT], k->bytes);
		else
			plain_add(k->old ? &p->rows[k->site].old
					 : &p->rows[k->site].young[k->age - 1],
				k->bytes);
	}
}

static void expect_classes(const struct plain *p)
{
	struct census_cell found[CLASSES] = {{0}};
	for (size_t i = 0; i < HEAP_CLASSES; i++) {
		const struct heap_class *c = &w.heap.classes[i];
		if (!c->klass)
			continue;
		const char *name = w.heap.names + c->name;
		bool array = strcmp(name, "[B") == 0;
		EXPECT(array || strcmp(name, "Point") == 0);
		found[array ? BYTES : POINT] = c->cell;
	}
	EXPECT(memcmp(found, p->none, sizeof(found)) == 0);
}

static void expect_counts(const struct plain *p)
{
	const struct heap_counted *c = &w.heap.result;
	EXPECT_INT(HEAP_COUNT_READY, atomic_load(&w.heap.state));
	EXPECT(memcmp(w.heap.rows, p->rows, sizeof(p->rows)) == 0);
	expect_classes(p);
	EXPECT_INT(w.count, c->known.objects + c->unknown.objects);
	EXPECT_INT(c->used, c->known.bytes + c->unknown.bytes);
	EXPECT_INT(0, c->unread);
}

/* All that the program can see of its marks is as it was. */
static size_t hashes_changed(void)
{
	size_t changed = 0;
	for (size_t i = 0; i < w.count; i++)
		changed += mark_hash(&w.objects, *w.known[i].at) != w.known[i].hash;
	return changed;
}

TEST(at_the_next_collection)
{
	struct plain want;
	begin(1);
	struct heap_sight s = sight(PAUSE_YOUNG, 0), other = sight(PAUSE_OTHER, 0);
	heap_count_start(&w.heap, &s);
	EXPECT(!heap_count_finish(&w.heap, &s, 1, 0)); /* nobody asked */
	EXPECT_INT(0, heap_count_ask(&w.heap, false, 0));
	EXPECT(!heap_count_finish(&w.heap, &other, 1, 0));
	heap_count_start(&w.heap, &s);
	EXPECT(heap_count_finish(&w.heap, &s, 7, 3));
	truth(&want, false);
	expect_counts(&want);
	EXPECT_INT(7, w.heap.result.young);
	EXPECT_INT(3, w.heap.result.full);
	EXPECT_INT(HEAP_GARBAGE, w.heap.result.flags);
	EXPECT_INT(0, hashes_changed());
	EXPECT(!heap_count_finish(&w.heap, &s, 8, 3)); /* once */
	heap_count_release(&w.heap);
	EXPECT_INT(HEAP_COUNT_IDLE, atomic_load(&w.heap.state));
}

/* Where objects are followed: those that somebody knows, whatever their marks say. */
struct knowing {
	bool begun;
	size_t met;
};

static void knows_begin(void *arg)
{
	*(struct knowing *)arg = (struct knowing){.begun = true};
}

static bool knows_meet(void *arg, uintptr_t address)
{
	struct knowing *k = arg;
	EXPECT(k->begun && address == (uintptr_t)w.known[k->met].at);
	return w.known[k->met++].site != 0;
}

static void knows_end(void *arg, const struct heap_regions *after, struct heap_count *to)
{
	EXPECT(((struct knowing *)arg)->met == w.count && after == &w.now && to == &w.heap);
	for (size_t i = 0; i < w.count; i++)
		if (w.known[i].site)
			heap_count_tell(to, w.known[i].site, w.known[i].age, w.known[i].old,
				w.known[i].bytes);
}

static void count_known(bool forced, enum heap_pause pause, uint64_t kind, uint64_t flags)
{
	struct plain want;
	struct knowing knowing = {false, 0};
	begin(12);
	for (size_t i = 0; i < w.count; i += 3)
		w.known[i].site = 0; /* which its mark does not say */
	w.heap.known = (struct heap_known){&knowing, knows_begin, knows_meet, knows_end};
	struct heap_sight s = sight(pause, kind);
	EXPECT_INT(0, heap_count_ask(&w.heap, forced, forced ? w.count : 0));
	heap_count_start(&w.heap, &s);
	EXPECT_INT(0, hashes_changed()); /* nothing was stamped */
	EXPECT(heap_count_finish(&w.heap, &s, 7, 3));
	truth(&want, false);
	expect_counts(&want);
	EXPECT_INT(flags, w.heap.result.flags);
	EXPECT_INT(0, w.heap.result.stamped);
	heap_count_release(&w.heap);
}

TEST(by_who_knows_them)
{
	count_known(false, PAUSE_YOUNG, 0, HEAP_GARBAGE);
	count_known(true, PAUSE_FULL, 4, HEAP_FORCED);
	count_known(true, PAUSE_FULL, 2, HEAP_FORCED | HEAP_SITES_LOST);
}

TEST(one_that_has_survived_more_than_are_told_apart)
{
	begin(13);
	EXPECT_INT(0, heap_count_ask(&w.heap, false, 0));
	heap_count_tell(&w.heap, 5, 255, false, 24);
	heap_count_tell(&w.heap, 5, 255, true, 24);
	heap_count_tell(&w.heap, 5, 0, false, 16);
	heap_count_tell(&w.heap, SITE_NUMBERS + 5, 1, false, 16); /* no site */
	EXPECT_INT(24, w.heap.rows[5].young[CENSUS_AGES - 1].bytes);
	EXPECT_INT(24, w.heap.rows[5].old.bytes);
	EXPECT_INT(16, w.heap.rows[5].young[0].bytes);
	heap_count_release(&w.heap);
}

/* The young ones are stamped by others (pauses.c): here those have kept their marks. */
static void keep_young(uint64_t kept[OBJECTS], bool put)
{
	for (size_t i = 0; i < OBJECTS; i++)
		if (put)
			*w.known[i].at = kept[i];
		else
			kept[i] = *w.known[i].at;
}

TEST(through_a_full_collection)
{
	static uint64_t kept[OBJECTS];
	struct plain want;
	for (uint64_t seed = 1; seed < 6; seed++) {
		begin(seed);
		struct heap_sight s = sight(PAUSE_FULL, 4);
		EXPECT_INT(0, heap_count_ask(&w.heap, true, UINT64_MAX));
		heap_count_start(&w.heap, &s);
		keep_young(kept, false);
		forget_marks();
		keep_young(kept, true);
		EXPECT(heap_count_finish(&w.heap, &s, 9, 4));
		truth(&want, false);
		expect_counts(&want);
		EXPECT_INT(HEAP_FORCED, w.heap.result.flags);
		EXPECT(w.heap.result.stamped > OBJECTS / 2);
		EXPECT_INT(0, hashes_changed());
		heap_count_release(&w.heap);
	}
}

/* Twice, and what the program has hashed in between keeps its hash, whatever its age was. */
TEST(again)
{
	struct plain want;
	begin(3);
	struct heap_sight s = sight(PAUSE_FULL, 4);
	for (int round = 0; round < 3; round++) {
		EXPECT_INT(0, heap_count_ask(&w.heap, true, UINT64_MAX));
		heap_count_start(&w.heap, &s);
		EXPECT(heap_count_finish(&w.heap, &s, 9, 4));
		truth(&want, false);
		expect_counts(&want);
		EXPECT_INT(0, hashes_changed());
		heap_count_release(&w.heap);
		for (size_t i = (size_t)round; i < w.count; i += 5) {
			struct known *k = &w.known[i];
			if (k->hash || k->locked)
				continue;
			k->hash = 0x2c6b1a5; /* as ours, even, and as old */
			*k->at |= (uint64_t)k->hash << w.objects.hash_shift;
			*k->at |= k->old ? 15 << AGE_AT : 0;
		}
	}
}

TEST(no_more_than_may_be)
{
	begin(4);
	struct heap_sight s = sight(PAUSE_FULL, 4);
	EXPECT_INT(0, heap_count_ask(&w.heap, true, 100));
	heap_count_start(&w.heap, &s);
	forget_marks();
	EXPECT(heap_count_finish(&w.heap, &s, 9, 4));
	EXPECT_INT(100, w.heap.result.stamped);
	EXPECT_INT(w.count, w.heap.result.known.objects + w.heap.result.unknown.objects);
	size_t sited = 0;
	for (size_t i = OBJECTS; i < w.count; i++)
		sited += w.known[i].site && !w.known[i].hash && !w.known[i].locked;
	EXPECT_INT(sited - 100, w.heap.result.unstamped);
	heap_count_release(&w.heap);
}

/* Another collection comes first: what was stamped is taken back, and the request stays. */
TEST(another_one_first)
{
	struct plain want;
	begin(5);
	struct heap_sight first = sight(PAUSE_YOUNG, 0);
	EXPECT_INT(0, heap_count_ask(&w.heap, true, UINT64_MAX));
	heap_count_start(&w.heap, &first);
	EXPECT(hashes_changed() > 0);
	EXPECT(heap_count_finish(&w.heap, &first, 1, 0));
	EXPECT_INT(0, hashes_changed());
	EXPECT_INT(HEAP_COUNT_WANTED, atomic_load(&w.heap.state));
	struct heap_sight s = sight(PAUSE_FULL, 4);
	heap_count_start(&w.heap, &s);
	EXPECT(heap_count_finish(&w.heap, &s, 2, 1));
	truth(&want, false);
	expect_counts(&want);
	EXPECT_INT(0, hashes_changed());
	heap_count_release(&w.heap);
}

TEST(nobody_waits)
{
	begin(6);
	struct heap_sight s = sight(PAUSE_YOUNG, 0);
	EXPECT_INT(0, heap_count_ask(&w.heap, false, 0));
	EXPECT(heap_count_cancel(&w.heap));
	EXPECT(!heap_count_finish(&w.heap, &s, 1, 0));
	EXPECT_INT(0, heap_count_ask(&w.heap, true, UINT64_MAX));
	heap_count_start(&w.heap, &s);
	EXPECT(!heap_count_cancel(&w.heap)); /* a pause is at it */
	heap_count_miss(&w.heap);
	EXPECT(heap_count_cancel(&w.heap));
}

/* A full collection that nobody prepared for. */
TEST(sites_are_lost)
{
	struct plain want;
	begin(7);
	struct heap_sight s = sight(PAUSE_FULL, 2);
	EXPECT_INT(0, heap_count_ask(&w.heap, false, 0));
	heap_count_start(&w.heap, &s);
	forget_marks();
	EXPECT(heap_count_finish(&w.heap, &s, 1, 1));
	truth(&want, true);
	expect_counts(&want);
	EXPECT_INT(HEAP_SITES_LOST, w.heap.result.flags);
	heap_count_release(&w.heap);
}
