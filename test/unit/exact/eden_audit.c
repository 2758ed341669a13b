#include "exact/eden_audit.h"

#include <string.h>

#include "base/rng.h"
#include "exact/site_table.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, INTS, CHUNK, CLASSES, OBJECTS = 3000, WORDS = OBJECTS * 6 };
enum { FROM, EDEN, OLD, SPACES, SEEDS = 20 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t memory[SPACES][WORDS];

struct world {
	struct rng rng;
	struct vm_objects objects;
	struct heap_layout layout;
	struct region was[SPACES], is[SPACES];
	struct heap_regions before, after;
	struct eden_audit audit;
	uint64_t count, bytes;          /* of the program's in eden */
	uint64_t fillers, filler_bytes; /* and what may not be */
};

static struct world w;

static void make_classes(bool own_fillers)
{
	static const char *const texts[] = {"Point", "[B", "[I", "StackChunk"};
	static const int32_t layouts[] = {
		24, (int32_t)0xc0100800, (int32_t)0xc0100a02, 40 /* without a stack */};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	w.objects = vm_objects_made(classes, false);
	w.objects.chunk_name = (uintptr_t)&names[CHUNK];
	w.objects.filler_name = own_fillers ? 8 : 0;
}

/* Bytes of the one that is put there. */
static size_t put(uint64_t *at)
{
	static const uint32_t plain[] = {24, 16, 16, 40}, element[] = {0, 1, 4, 0};
	uint32_t class = (uint32_t)rng_below(&w.rng, CLASSES);
	uint32_t length = (uint32_t)rng_below(&w.rng, 6);
	bool sited = rng_below(&w.rng, 2), moved = rng_below(&w.rng, 3) == 0;
	size_t bytes = plain[class] + ((length * element[class] + 7) & ~7u);
	vm_object_put(&w.objects, at, &classes[class], length);
	*at |= sited ? 5ull << SITE_SHIFT : 0;
	*at = moved ? (uintptr_t)memory[OLD] | 3 : *at;
	bool filler = class == INTS && !sited && !moved && !w.objects.filler_name;
	w.fillers += filler;
	w.filler_bytes += filler ? bytes : 0;
	if (!filler && class != CHUNK) {
		w.count++;
		w.bytes += bytes;
	}
	return bytes;
}

static struct region space(int which, enum region_kind kind)
{
	return (struct region){.bottom = (uintptr_t)memory[which],
		.top = (uintptr_t)memory[which],
		.end = (uintptr_t)memory[which] + sizeof(memory[which]),
		.kind = (uint8_t)kind};
}

/* Eden is full of objects, and was emptied; a survivor space has what nobody is to look at. */
static void begin(uint64_t seed, bool own_fillers)
{
	memset(&w, 0, sizeof(w));
	memset(memory, 0, sizeof(memory));
	w.rng = rng_init(seed);
	make_classes(own_fillers);
	w.layout.collector = HEAP_SERIAL;
	w.was[FROM] = w.is[FROM] = space(FROM, REGION_SURVIVOR);
	w.was[EDEN] = w.is[EDEN] = space(EDEN, REGION_EDEN);
	w.was[OLD] = w.is[OLD] = space(OLD, REGION_OLD);
	for (int i = 0; i < OBJECTS; i++)
		w.was[EDEN].top += put((uint64_t *)w.was[EDEN].top);
	w.was[FROM].top += 80;
	w.before = (struct heap_regions){.at = w.was, .count = SPACES, .room = SPACES};
	w.after = (struct heap_regions){.at = w.is, .count = SPACES, .room = SPACES};
	eden_audit_begin(&w.audit, &w.layout, &w.before);
}

static struct account_audit audited(enum heap_pause pause)
{
	const struct heap_sight s = {.walk = {&w.layout, &w.objects, NULL},
		.before = &w.before,
		.after = &w.after,
		.pause = pause};
	const struct birth_sum births = {0, 900, 70000, 30, 5000};
	struct account_audit a = {.walked = 7, .seen = 9, .attributed = 4};
	eden_audit_make(&w.audit, &s, &births, 1234, &a);
	return a;
}

static void expect_none(struct account_audit a)
{
	EXPECT(!a.walked && !a.walked_bytes && !a.seen && !a.seen_bytes && !a.attributed);
	EXPECT_INT(0, w.audit.count);
	EXPECT_INT(0, w.audit.last);
}

/* Eden as so many regions, or one fewer; objects of its last are its own, too. */
static size_t split(struct region *to, size_t count)
{
	uintptr_t at = w.was[EDEN].bottom, step = (w.was[EDEN].top - at) / count;
	size_t i = 0;
	for (; i < count && at < w.was[EDEN].top; i++) {
		uintptr_t end = i + 1 < count ? at : w.was[EDEN].top;
		while (end < at + step && end < w.was[EDEN].top)
			end += object_bytes(&w.objects, end, object_klass(&w.objects, end));
		to[i] = w.was[EDEN];
		to[i].bottom = at;
		to[i].top = to[i].end = at = end;
	}
	return i;
}

TEST(all_of_eden_but_what_is_not_the_programs)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		begin(seed, seed % 2);
		struct account_audit a = audited(PAUSE_YOUNG);
		EXPECT_INT(w.count, a.walked);
		EXPECT_INT(w.bytes, a.walked_bytes);
		EXPECT_INT(w.fillers, a.fillers);
		EXPECT_INT(w.filler_bytes, a.filler_bytes);
		EXPECT_INT(870, a.seen);
		EXPECT_INT(65000, a.seen_bytes);
		EXPECT_INT(0, a.attributed);
		EXPECT_INT(1, w.audit.count);
		EXPECT_INT(1234, w.audit.last);
		EXPECT(seed % 2 ? !w.fillers : w.fillers > 50);
	}
}

/* What outlived the collection before is nobody's birth, what the program has put behind it is. */
TEST(and_of_a_survivor_space_what_was_born_there)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		begin(seed, false);
		for (uint64_t n = seed % 4 * 10; n; n--)
			w.was[FROM].top += put((uint64_t *)w.was[FROM].top);
		w.is[FROM].top = w.is[FROM].bottom;
		EXPECT_INT(w.count, audited(PAUSE_YOUNG).walked);
		w.layout.collector = HEAP_G1; /* it has no such thing */
		eden_audit_begin(&w.audit, &w.layout, &w.before);
		w.layout.collector = HEAP_SERIAL;
		EXPECT(seed % 4 == 0 || audited(PAUSE_YOUNG).walked < w.count);
	}
}

/* Of a full collection: up to where it ended its work. What was asked for may stand behind that. */
TEST(and_what_asked_for_the_collection_before)
{
	begin(1, false);
	uintptr_t top = w.was[FROM].top;
	w.is[FROM].compacted = top;
	w.is[FROM].top = top + put((uint64_t *)top);
	const struct heap_sight full = {.walk = {&w.layout, &w.objects, NULL},
		.before = &w.before,
		.after = &w.after,
		.pause = PAUSE_FULL};
	eden_audit_next(&w.audit, &full);
	EXPECT_INT(top, w.audit.survived[FROM]);
	w.was[FROM].top = w.is[FROM].top;
	w.is[FROM].top = w.is[FROM].bottom;
	EXPECT_INT(w.count, audited(PAUSE_YOUNG).walked);
}

/* Eden, as a full collection leaves it with some there, and what the program puts behind. */
static void leave_in_eden(uintptr_t compacted)
{
	struct region left = w.was[EDEN];
	const struct heap_sight full = {.walk = {&w.layout, &w.objects, NULL},
		.before = &w.before,
		.after = &w.after,
		.pause = PAUSE_FULL};
	left.compacted = compacted;
	w.is[EDEN] = left;
	w.is[FROM] = w.was[FROM];
	w.was[EDEN].top -= 8; /* as it was before */
	eden_audit_next(&w.audit, &full);
	w.is[FROM].top = w.is[FROM].bottom;
	w.was[EDEN] = left;
	w.count = w.bytes = 0;
	for (int i = 0; i < 100; i++)
		w.was[EDEN].top += put((uint64_t *)w.was[EDEN].top);
	w.is[EDEN].top = w.is[EDEN].bottom;
}

TEST(not_what_a_full_collection_left_in_eden)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		begin(seed, seed % 2);
		leave_in_eden(w.was[EDEN].top);
		struct account_audit a = audited(PAUSE_YOUNG);
		EXPECT_INT(w.count, a.walked);
		EXPECT_INT(w.bytes, a.walked_bytes);
	}
	begin(1, false);
	leave_in_eden(0); /* what was asked for may have come behind it: nobody tells */
	expect_none(audited(PAUSE_YOUNG));
}

TEST(an_eden_that_is_not_whole)
{
	begin(1, false);
	w.is[EDEN].top = w.was[EDEN].top; /* not all could be moved */
	expect_none(audited(PAUSE_YOUNG));
	begin(1, false);
	expect_none(audited(PAUSE_FULL));
	begin(1, false);
	w.is[FROM].end = w.is[FROM].bottom; /* its end was given back */
	w.is[EDEN].end = w.was[EDEN].top - 8;
	expect_none(audited(PAUSE_YOUNG));
	begin(1, false);
	w.was[EDEN].top -= 8; /* the last one goes beyond it */
	expect_none(audited(PAUSE_YOUNG));
}

TEST(an_eden_that_was_empty)
{
	begin(1, false);
	w.was[EDEN].top = w.was[EDEN].bottom;
	struct account_audit a = audited(PAUSE_YOUNG);
	EXPECT_INT(0, a.walked);
	EXPECT_INT(870, a.seen);
}

TEST(one_and_then_by_their_price)
{
	struct eden_audit e = {.last = 1000000000};
	EXPECT(eden_audit_due(&e, 1000000, 1000000001));
	e.count = 1;
	EXPECT(!eden_audit_due(&e, 1000, 1000000000 + 1000 * 6 * 1000));
	EXPECT(eden_audit_due(&e, 1000, 1000000001 + 1000 * 6 * 1000));
	EXPECT_INT(0, e.passed);
}

/* However short ago the last one was; one that could not be made is made later. */
TEST(one_more_where_it_is_wanted)
{
	begin(1, true);
	w.audit.count = 1;
	w.audit.last = 1000000000;
	atomic_store(&w.audit.wanted, true);
	EXPECT(eden_audit_due(&w.audit, 1u << 30, 1000000001));
	w.is[EDEN].top = w.was[EDEN].top;
	EXPECT_INT(0, audited(PAUSE_YOUNG).walked);
	EXPECT(eden_audit_due(&w.audit, 1u << 30, 1000000002));
	w.is[EDEN].top = w.is[EDEN].bottom;
	EXPECT_INT(w.count, audited(PAUSE_YOUNG).walked);
	EXPECT(!eden_audit_due(&w.audit, 1000, 1235));
}

/* However long ago the last one was. */
TEST(none_makes_a_pause_much_longer)
{
	struct eden_audit e = {.last = 0};
	EXPECT(eden_audit_due(&e, 8333333, UINT64_MAX));
	EXPECT(!eden_audit_due(&e, 8333334, UINT64_MAX));
	EXPECT_INT(1, e.passed);
	atomic_store(&e.all, true);
	EXPECT(eden_audit_due(&e, 1u << 30, 1000000001));
	EXPECT_INT(1, e.passed);
}

/* Eden as many regions, with whom there is to help. */
TEST(a_crew_walks_the_same)
{
	struct region was[40], is[40];
	struct crew crew;
	crew_start(&crew, 3);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		begin(seed, seed % 2);
		w.layout.collector = HEAP_G1; /* others have one region of it */
		eden_audit_begin(&w.audit, &w.layout, &w.before);
		w.audit.crew = &crew;
		size_t count = split(was, ARRAY_SIZE(was));
		memcpy(is, was, sizeof(is));
		for (size_t i = 0; i < count; i++)
			is[i].top = is[i].bottom;
		w.before = (struct heap_regions){.at = was, .count = count, .room = count};
		w.after = (struct heap_regions){.at = is, .count = count, .room = count};
		struct account_audit a = audited(PAUSE_YOUNG);
		EXPECT_INT(w.count, a.walked);
		EXPECT_INT(w.bytes, a.walked_bytes);
		EXPECT_INT(w.fillers, a.fillers);
		is[count / 2].kind = REGION_OLD; /* not all could be moved */
		a = audited(PAUSE_YOUNG);
		EXPECT_INT(0, a.walked);
		EXPECT_INT(1, w.audit.count);
	}
	crew_stop(&crew);
}
