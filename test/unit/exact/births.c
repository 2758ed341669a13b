/*
 * The entries are called as the VM does: with an object in rdi or rsi, from a few call sites, by
 * several threads. What they count and stamp is held against a brute-force count, and against
 * births_event.
 */
#include "exact/birth_jumps.h"
#include "exact/births.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "exact/shape.h"
#include "support/tap.h"

struct object {
	_Alignas(16) uint32_t mark_low;
	uint32_t mark_high, klass, length;
};

/* Classes: instances of 16 bytes and more; arrays of all kinds; and one without a size. None has
 * the number 0, which no VM gives: a slot of it is one that is never met. */
enum { INSTANCES = 8, ARRAY = 100, ARRAYS = 8, ODD = 200, LARGE = 1 << 20 };

static const uint32_t array_klasses[ARRAYS] = {100, 101, 102, 103, 104, 105, 106, 107};

static uint32_t array_header(uint32_t klass)
{
	return klass - ARRAY < 4 ? 16 : 12;
}

static uint32_t shape_of(uint32_t klass)
{
	return klass < ARRAY || klass == ODD
		       ? 0
		       : shape_of_array((int32_t)(3u << 30 | array_header(klass) << 16 | 8u << 8 |
						  (klass & 3)));
}

static uint64_t true_bytes(const struct object *o)
{
	if (o->klass < ARRAY)
		return 16 + 8 * o->klass;
	if (o->klass == ODD)
		return 64 + 8ull * o->length;
	uint64_t bytes = array_header(o->klass) + ((uint64_t)o->length << (o->klass & 3));
	return (bytes + 7) / 8 * 8;
}

/* The VM. */

static uintptr_t special_pc; /* of one that is not compiled code; 0: none */
static enum caller special;
static _Thread_local uintptr_t seen_pc;
static _Thread_local struct birth seen;
static uintptr_t walked_thread;
static bool odd_is_not_counted;
static struct birth_place walk_finds;
static _Atomic unsigned asked;
static _Atomic bool define_slowly, answer_slowly;

static enum caller fake_caller(void *arg, uintptr_t pc)
{
	(void)arg;
	seen_pc = pc;
	atomic_fetch_add(&asked, 1);
	if (answer_slowly)
		usleep(2000);
	return special == CALLER_COMPILED || (special_pc && pc != special_pc) ? CALLER_COMPILED
									      : special;
}

static void fake_walk(
	void *arg, const struct birth *b, struct code_blob_memo *m, struct birth_place *out)
{
	(void)m;
	(void)arg;
	seen = *b;
	walked_thread = b->thread;
	out->key = walk_finds.key;
	out->method = walk_finds.method;
}

static _Thread_local struct birth_place defined_place;

static uint64_t place_of(uint64_t key, uint32_t klass)
{
	return hash64_pair(key, klass);
}

static void fake_define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg;
	EXPECT(s->klass);
	seen = *b;
	defined_place = *p;
	if (define_slowly)
		usleep(500);
	s->shape = shape_of(s->klass);
	s->bytes1 = s->klass < ARRAY ? 16 + 8 * s->klass : 0;
	struct births *all = births_get();
	uint64_t place = place_of(s->key, s->klass);
	births_place(all, (uint32_t)(s - all->sites.at), place, place);
}

static uint64_t fake_bytes(void *arg, uintptr_t object)
{
	const struct object *o = (const struct object *)object;
	(void)arg;
	return odd_is_not_counted && o->klass == ODD ? 0 : true_bytes(o);
}

static bool fake_outside(void *arg, uintptr_t object, uint64_t bytes)
{
	(void)arg, (void)object;
	return bytes >= LARGE;
}

static const struct birth_oracle oracle = {.caller = fake_caller,
	.walk = fake_walk,
	.define = fake_define,
	.bytes = fake_bytes,
	.outside = fake_outside};

static struct births *begin(void)
{
	struct births *b = births_get();
	special = CALLER_COMPILED;
	special_pc = 0;
	walk_finds = (struct birth_place){.key = 0};
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	births_set(b, BIRTHS_COUNTED);
	return b;
}

static void end(struct births *b)
{
	births_set(b, BIRTHS_OFF);
	EXPECT_INT(0, b->refused);
	births_close(b);
}

/* What was done, counted plainly. */

enum { KEYS_MAX = 8192 };

struct line {
	uint64_t key, objects, bytes, outside_objects, outside_bytes;
	uint32_t klass;
};

struct tally {
	struct line at[KEYS_MAX];
	uint32_t count;
	struct map index;
};

static struct tally *tally_make(void)
{
	return mem_zalloc(1, sizeof(struct tally));
}

static void tally_free(struct tally *t)
{
	map_release(&t->index);
	mem_free(t);
}

static struct line *line_of(struct tally *t, uint64_t key, uint32_t klass)
{
	uint64_t mixed = key * 1000 + klass; /* no two in these tests are the same */
	uint64_t *known = map_find(&t->index, mixed);
	if (known)
		return &t->at[*known];
	if (t->count == KEYS_MAX || map_put(&t->index, mixed, t->count))
		abort();
	t->at[t->count] = (struct line){.key = key, .klass = klass};
	return &t->at[t->count++];
}

static void tally_add(struct tally *t, uint64_t key, const struct object *o, bool outside)
{
	struct line *l = line_of(t, key, o->klass);
	uint64_t bytes = true_bytes(o);
	l->objects++;
	l->bytes += bytes;
	l->outside_objects += outside;
	l->outside_bytes += outside ? bytes : 0;
}

static void take(void *arg, const struct birth_sum *s)
{
	struct births *b = births_get();
	EXPECT(s->site < b->sites.count && s->objects);
	struct line *l = line_of(arg, b->sites.at[s->site].key, b->sites.at[s->site].klass);
	l->objects += s->objects;
	l->bytes += s->bytes;
	l->outside_objects += s->outside_objects;
	l->outside_bytes += s->outside_bytes;
}

static void expect_same(struct tally *want, struct tally *got)
{
	unsigned wrong = 0;
	EXPECT_INT(want->count, got->count);
	for (uint32_t i = 0; i < want->count; i++) {
		const struct line *w = &want->at[i], *g = line_of(got, w->key, w->klass);
		wrong += w->objects != g->objects || w->bytes != g->bytes ||
			 w->outside_objects != g->outside_objects ||
			 w->outside_bytes != g->outside_bytes;
	}
	EXPECT_INT(0, wrong);
}

/* All that was counted is what was done, and then there is nothing any more. */
static void expect_taken(struct births *b, struct tally *want)
{
	struct tally *got = tally_make();
	births_take(b, take, got);
	expect_same(want, got);
	tally_free(got);
	got = tally_make();
	births_take(b, take, got);
	EXPECT_INT(0, got->count);
	tally_free(got);
}

/* The site in the mark is the place's, and what was in the mark still is there. */
static bool marked(
	struct births *b, const struct object *before, const struct object *o, uint64_t key)
{
	uint32_t site = o->mark_high >> 10;
	if (o->klass != before->klass || o->length != before->length ||
		o->mark_low != before->mark_low)
		return false;
	if ((before->mark_low & 7) != 1)
		return o->mark_high == before->mark_high;
	return (o->mark_high & 0x3ff) == before->mark_high && site < b->sites.count &&
	       b->sites.at[site].key == key && b->sites.at[site].klass == o->klass;
}

static struct object any_object(struct rng *r, bool odd)
{
	static const uint32_t lows[] = {1, 1, 1, 1, 1, 1, 1 | 5 << 3, 0x55aa00 | 1, 0, 2, 3, 5, 7};
	struct object o = {.mark_low = lows[rng_below(r, ARRAY_SIZE(lows))],
		.mark_high = (uint32_t)rng_below(r, 1 << 10),
		.klass = 1 + (uint32_t)rng_below(r, INSTANCES - 1),
		.length = (uint32_t)rng_below(r, 5000)};
	if (rng_below(r, 2))
		o.klass = array_klasses[rng_below(r, ARRAYS)];
	if (odd && rng_below(r, 16) == 0)
		o.klass = ODD;
	return o;
}

/* births_event: any number of places. */

static void event(uint64_t key, struct object *o)
{
	births_event((uintptr_t)o, (uintptr_t)key, 0, 0, 0, 0, 0);
}

TEST(counts_of_many_places)
{
	struct births *b = begin();
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < 4; round++) {
		struct tally *want = tally_make();
		unsigned wrong = 0;
		for (int i = 0; i < 200000; i++) {
			/* 200 are hot; 8 a set are more than it has ways. */
			uint64_t key =
				0x7f0000001000 +
				16 * (rng_below(&r, 8) ? rng_below(&r, 200) : rng_below(&r, 400));
			struct object o = any_object(&r, true), before = o;
			tally_add(want, key, &o, false);
			event(key, &o);
			wrong += !marked(b, &before, &o, key);
		}
		EXPECT_INT(0, wrong);
		expect_taken(b, want);
		tally_free(want);
	}
	end(b);
}

/* All in one set of the thread's cache, and all of one address. */
TEST(places_that_collide)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	struct rng r = rng_init(tap_seed());
	uint64_t keys[20];
	uint32_t count = 0;
	for (uint64_t key = 0x7f0000000000; count < ARRAY_SIZE(keys); key += 4)
		if (((((uint32_t)key ^ 3u) * 2654435761u) >> 21 & (BIRTH_SETS - 1)) == 77)
			keys[count++] = key;
	for (int i = 0; i < 20000; i++) {
		uint64_t key = keys[rng_below(&r, ARRAY_SIZE(keys))];
		struct object o = {.mark_low = 1, .klass = 3};
		tally_add(want, key, &o, false);
		event(key, &o);
	}
	/* Addresses that differ in their upper half alone are not the same. */
	for (uint64_t high = 1; high < 6; high++)
		for (int i = 0; i < 50; i++) {
			struct object o = {.mark_low = 1, .klass = 3};
			uint64_t key = keys[0] + (high << 40);
			tally_add(want, key, &o, false);
			event(key, &o);
		}
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

TEST(arrays_beyond_four_gigabytes)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	for (uint32_t i = 0; i < ARRAYS; i++)
		for (int k = 0; k < 3; k++) {
			struct object o = {
				.mark_low = 1, .klass = array_klasses[i], .length = INT32_MAX};
			tally_add(want, 0x1000, &o, false);
			event(0x1000, &o);
		}
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

/* Objects that jump. */

static void jump(struct births *b, uint64_t key, uint32_t klass)
{
	uint64_t place = place_of(key, klass);
	EXPECT_INT(0, births_jump(b, &place, 1));
}

static uint32_t low_of(uint64_t key, uint32_t klass)
{
	struct object o = {.mark_low = 1, .klass = klass, .length = 5};
	event(key, &o);
	return o.mark_low;
}

/* What a thread has in its cache follows, and what is new. */
TEST(from_when_on_objects_jump)
{
	struct births *b = begin();
	EXPECT_INT(1, low_of(0x1000, 3));
	EXPECT(births_met(b, place_of(0x1000, 3)) && !births_met(b, place_of(0x1000, 4)));
	jump(b, 0x1000, 3);
	EXPECT_INT(BIRTH_JUMPED | 1, low_of(0x1000, 3));
	births_turn(b);
	EXPECT_INT(BIRTH_JUMPED | 1, low_of(0x1000, 3));
	EXPECT_INT(1, low_of(0x1000, 4));
	EXPECT_INT(1, low_of(0x1010, 3));
	jump(b, 0x2000, ARRAY);
	EXPECT_INT(BIRTH_JUMPED | 1, low_of(0x2000, ARRAY));
	births_turn(b);
	EXPECT_INT(1, low_of(0x1000, 3));
	EXPECT_INT(0, births_jump(b, NULL, 0));
	births_turn(b);
	EXPECT_INT(1, low_of(0x2000, ARRAY));
	jump(b, 0x2000, ARRAY);
	end(b);
	b = begin(); /* another recording */
	EXPECT_INT(1, low_of(0x2000, ARRAY));
	end(b);
}

/* What is born in the old generation has no age to jump over. */
TEST(outside_nobody_jumps)
{
	struct births *b = begin();
	struct object o = {.mark_low = 1, .klass = ODD, .length = LARGE};
	special = CALLER_VM;
	walk_finds.key = 0x5000;
	jump(b, 0x5000, ODD);
	event(0x9999, &o);
	EXPECT_INT(BIRTH_SEEN_OLD | 1, o.mark_low);
	o = (struct object){.mark_low = 1, .klass = ODD, .length = 3};
	event(0x9999, &o);
	EXPECT_INT(BIRTH_JUMPED | 1, o.mark_low);
	end(b);
}

/* What comes from further places is its class's, and has a slot that is met again. */
TEST(more_places_than_there_is_room_for)
{
	struct births *b = begin();
	struct object o = {.mark_low = 1, .klass = 2};
	for (uint64_t i = 0; i < PLACES_MAX - SITE_FIRST; i++)
		event(0x10000 + 8 * i, &o);
	EXPECT(defined_place.key && !b->unplaced);
	event(0x10000 + 8 * (PLACES_MAX + 1), &o);
	EXPECT(defined_place.key == 0 && b->unplaced);
	unsigned before = atomic_load(&asked);
	event(0x10000 + 8 * (PLACES_MAX + 1), &o);
	EXPECT_INT(before, atomic_load(&asked));
	o.mark_high = 0;
	event(0x10000 + 8 * (PLACES_MAX + 2), &o);
	uint32_t class_site = b->sites.first + PLACES_MAX - SITE_FIRST;
	EXPECT_INT(class_site, o.mark_high >> 10);
	EXPECT_INT(class_site + 1, b->sites.count);
	EXPECT_INT(0, b->sites.refused);
	end(b);
}

/* Not even for their classes. */
static void fill_up(struct births *b)
{
	int fresh;
	for (uint32_t i = PLACES_MAX; i < SITES_MAX; i++)
		site_table_find(&b->sites, 0, 1000 + i, SITES_MAX, &fresh);
}

TEST(more_sites_than_there_is_room_for)
{
	struct births *b = begin();
	struct object o = {.mark_low = 1, .klass = 2};
	for (uint64_t i = 0; i < SITES_MAX; i++) {
		if (i == PLACES_MAX - SITE_FIRST)
			fill_up(b);
		o.mark_high = 0;
		event(0x10000 + 8 * i, &o);
	}
	EXPECT_INT(SITE_OTHER, o.mark_high >> 10);
	struct tally *got = tally_make();
	uint64_t all = 0, other = 0;
	for (struct birth_thread *t = b->threads; t; t = t->next)
		for (uint32_t i = 0; i < t->slots.used_count * BIRTH_WAYS; i++)
			all += t->slots.sets[t->slots.used[i / BIRTH_WAYS]][i % BIRTH_WAYS].objects;
	for (uint32_t i = 0; i < b->sites.count; i++)
		all += birth_sums_of(&b->sums, i).objects;
	other = birth_sums_of(&b->sums, SITE_OTHER).objects;
	EXPECT_INT(SITES_MAX, all);
	EXPECT_INT(SITES_MAX - PLACES_MAX + SITE_FIRST, other);
	EXPECT_INT(other * 32, birth_sums_of(&b->sums, SITE_OTHER).bytes);
	tally_free(got);
	end(b);
}

TEST(switched_off)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	struct object o = {.mark_low = 1, .klass = 2};
	births_set(b, BIRTHS_OFF);
	event(0x1000, &o);
	EXPECT_INT(0, o.mark_high);
	births_set(b, BIRTHS_COUNTED);
	tally_add(want, 0x1000, &o, false);
	event(0x1000, &o);
	births_set(b, BIRTHS_OFF);
	event(0x1000, &o);
	births_set(b, BIRTHS_COUNTED);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

/* Of a class that the VM tells of now and then none is counted, and none has a site. */
TEST(a_class_that_is_not_counted)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	struct object o = {.mark_low = 1, .klass = 2}, odd = {.mark_low = 1, .klass = ODD};
	odd_is_not_counted = true;
	EXPECT(!b->uncounted);
	for (int i = 0; i < 3; i++) {
		event(0x1000, &odd);
		event(0x2000, &o);
		tally_add(want, 0x2000, &o, false);
	}
	EXPECT_INT(0, odd.mark_high);
	EXPECT(b->uncounted);
	expect_taken(b, want);
	odd_is_not_counted = false;
	tally_free(want);
	end(b);
}

/* A recording after another has nothing of it; what the heap still has of its numbers is not taken
 * for the new one's. */
TEST(one_recording_after_another)
{
	uint32_t last = 0;
	for (int i = 0; i < 5; i++) {
		struct births *b = begin();
		EXPECT(!last || b->sites.first == last);
		last = b->sites.first + 10;
		struct tally *want = tally_make();
		/* The same place has another number each time. */
		for (int k = 0; k < 10; k++) {
			uint64_t key = 0x1000 + 16 * (uint64_t)((k + 3 * i) % 10);
			struct object o = {.mark_low = 1, .klass = 4}, before = o;
			tally_add(want, key, &o, false);
			event(key, &o);
			EXPECT_INT(b->sites.first + (uint32_t)k, o.mark_high >> 10);
			EXPECT(marked(b, &before, &o, key));
		}
		if (i % 2)
			expect_taken(b, want); /* else it is left */
		tally_free(want);
		end(b);
	}
}

/* The tables could not be given back, since somebody may stand in a probe: threads still have what
 * they counted by their numbers. */
TEST(a_recording_after_one_that_was_not_closed)
{
	struct births *b = begin();
	struct object o = {.mark_low = 1, .klass = 4};
	event(0x1000, &o);
	event(0x2000, &o);
	births_set(b, BIRTHS_OFF);
	struct site_table left = b->sites;
	b = begin();
	struct tally *want = tally_make();
	o = (struct object){.mark_low = 1, .klass = 5};
	event(0x3000, &o);
	tally_add(want, 0x3000, &o, false);
	o = (struct object){.mark_low = 1, .klass = 4};
	event(0x2000, &o);
	EXPECT_INT(b->sites.first + 1, o.mark_high >> 10);
	tally_add(want, 0x2000, &o, false);
	expect_taken(b, want);
	tally_free(want);
	end(b);
	site_table_release(&left);
}

/* Who called. */

TEST(from_a_stub)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	uintptr_t frame[8] = {0};
	special = CALLER_STUB;
	special_pc = 0x5000;
	for (uintptr_t i = 0; i < 30; i++) {
		struct object o = {.mark_low = 1, .klass = 1}, before = o;
		frame[5] = 0x9000 + i % 3 * 64; /* the stub's return address */
		tally_add(want, frame[5], &o, false);
		births_event((uintptr_t)&o, 0x5000, (uintptr_t)&frame[4], 0, 0, 0, 0);
		EXPECT(marked(b, &before, &o, frame[5]));
		EXPECT(!defined_place.leaf && defined_place.caller == CALLER_STUB);
	}
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

TEST(from_the_interpreter)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	uintptr_t frame[8] = {0, 0xbeef};
	special = CALLER_INTERPRETER;
	special_pc = 0x6000;
	for (uintptr_t i = 0; i < 30; i++) {
		struct object o = {.mark_low = 1, .klass = ARRAY, .length = 10}, before = o;
		uintptr_t bcp = 0x700000 + i % 5;
		tally_add(want, bcp, &o, false);
		births_event((uintptr_t)&o, 0x6000, (uintptr_t)&frame[4], bcp, 0, 0, 0);
		EXPECT(marked(b, &before, &o, bcp));
		EXPECT_INT(0xbeef, defined_place.method);
	}
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

/* What the VM has of a method, as far as it is asked. */
static struct {
	uintptr_t names, constants; /* of a ConstMethod */
	uintptr_t holder;           /* of a ConstantPool */
	uintptr_t none, of;         /* of a Method */
} vm_method;

static const uintptr_t the_method = (uintptr_t)&vm_method.none;
static const struct method_key bytecode_key = {.const_method = 8, .pool = 8};

/* Calls from there are the interpreter's, which runs that method; until births_methods is told of
 * none. */
static void interpret(uintptr_t pc)
{
	vm_method.of = (uintptr_t)&vm_method.names;
	vm_method.constants = (uintptr_t)&vm_method.holder;
	special = CALLER_INTERPRETER;
	special_pc = pc;
	births_methods(&bytecode_key);
}

/* The same bytecode at the same address, of one method and another by turns. */
static void by_turns(void (*make)(uintptr_t object, uintptr_t fp, uintptr_t bcp))
{
	struct births *b = begin();
	struct tally *want = tally_make();
	uintptr_t frame[8] = {0, the_method};
	interpret(0);
	for (uintptr_t i = 0; i < 90; i++) {
		struct object o = {.mark_low = 1, .klass = ARRAY, .length = 10}, before = o;
		vm_method.names = 1 + i % 3;
		vm_method.holder = 1 + i % 2;
		uint64_t is = method_key_at(&bytecode_key, the_method, 0x700000);
		make((uintptr_t)&o, (uintptr_t)&frame[4], 0x700000);
		tally_add(want, is, &before, false);
		EXPECT(marked(b, &before, &o, is));
		EXPECT(defined_place.method == the_method && defined_place.bcp == 0x700000);
	}
	EXPECT_INT(6, b->sites.count - b->sites.first);
	expect_taken(b, want);
	tally_free(want);
	births_methods(&(const struct method_key){0});
	end(b);
}

/* What the interpreter makes at further bytecodes is its method's; compiled code has places left.
 */
TEST(more_bytecodes_than_there_is_room_for)
{
	struct births *b = begin();
	struct object o = {.mark_low = 1, .klass = 2};
	uintptr_t frame[8] = {0, the_method}, bcp = 0x700000;
	interpret(0x6000);
	for (uint32_t i = 0; i < BYTECODES_MAX - SITE_FIRST; i++)
		births_event((uintptr_t)&o, 0x6000, (uintptr_t)&frame[4], bcp++, 0, 0, 0);
	EXPECT(!b->unlined && !defined_place.whole);
	uint32_t whole = b->sites.count;
	for (int i = 0; i < 3; i++) {
		o.mark_high = 0;
		births_event((uintptr_t)&o, 0x6000, (uintptr_t)&frame[4], bcp++, 0, 0, 0);
		EXPECT_INT(whole, o.mark_high >> 10);
	}
	EXPECT(b->unlined && !b->unplaced);
	EXPECT(defined_place.whole &&
		defined_place.key == method_key_at(&bytecode_key, the_method, 0));
	EXPECT_INT(whole + 1, b->sites.count);
	o.mark_high = 0;
	births_event((uintptr_t)&o, 0x6000, (uintptr_t)&frame[4], 0x700000, 0, 0, 0);
	EXPECT_INT(b->sites.first, o.mark_high >> 10); /* those that have a line keep it */
	o.mark_high = 0;
	event(0x10000, &o);
	EXPECT_INT(whole + 1, o.mark_high >> 10);
	births_methods(&(const struct method_key){0});
	end(b);
}

static void make_in_c(uintptr_t object, uintptr_t fp, uintptr_t bcp)
{
	births_event(object, 0x6000, fp, bcp, 0, 0, 0);
}

/* The VM has made their marks anew since it told of them, of some before the next. */
TEST(clones_get_their_sites_when_a_pause_begins)
{
	enum { COUNT = 100 };
	struct object o[COUNT];
	uint32_t collections = 7;
	for (int missed = 0; missed < 2; missed++) {
		struct births *b = begin();
		int known = 0;
		special = CALLER_VM;
		walk_finds.key = 0x5000;
		births_clock(b, &collections);
		for (int i = 0; i < COUNT; i++) {
			o[i] = (struct object){.mark_low = 1, .klass = 1};
			births_event((uintptr_t)&o[i], 0x100, 0, 0, 0, 0, 0);
			o[i] = (struct object){.mark_low = 1, .klass = 1};
		}
		births_again(b, missed);
		for (int i = 0; i < COUNT; i++)
			known += o[i].mark_high >> 10 != 0;
		/* At the least those that the thread has come back to. */
		EXPECT(missed ? known && known < COUNT : known == COUNT);
		collections++;
		births_seen(b);
		EXPECT_INT(collections, b->clock.seen);
		walk_finds.key = 0;
		end(b);
	}
}

TEST(methods_in_one_place)
{
	by_turns(make_in_c);
}

static void vm_event(struct tally *want, uint64_t key, struct object o, uintptr_t thread)
{
	bool outside = true_bytes(&o) >= LARGE;
	struct object before = o;
	tally_add(want, key, &o, outside);
	births_event((uintptr_t)&o, 0x8000, 0, 0, 0, thread, 0);
	/* So that nobody takes it for one that is promoted later. */
	before.mark_low |= outside ? BIRTH_SEEN_OLD : 0;
	EXPECT(marked(births_get(), &before, &o, key));
}

TEST(from_the_vm)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	special = CALLER_VM;
	special_pc = 0x8000;
	walk_finds.key = 0x1234000;
	struct object small = {.mark_low = 1, .klass = 3};
	struct object array = {.mark_low = 1, .klass = ARRAY, .length = 100};
	struct object large = {.mark_low = 1, .klass = ARRAY, .length = LARGE};
	struct object odd = {.mark_low = 1, .klass = ODD, .length = 7};
	struct object large_odd = {.mark_low = 1, .klass = ODD, .length = LARGE};
	for (int i = 0; i < 10; i++) {
		vm_event(want, 0x1234000, small, 0x77);
		EXPECT_INT(0x77, walked_thread);
		vm_event(want, 0x1234000, array, 0);
		vm_event(want, 0x1234000, large, 0);
		vm_event(want, 0x1234000, odd, 0);
		vm_event(want, 0x1234000, large_odd, 0);
	}
	/* Nobody in Java: the class alone. */
	walk_finds.key = 0;
	for (int i = 0; i < 10; i++)
		vm_event(want, 0, small, 0);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

/* Many threads that meet a new caller at once fill only one place of few with it. */
static void *meet(void *arg)
{
	struct object o = {.mark_low = 1, .klass = 3};
	uintptr_t frame[8] = {0};
	pthread_barrier_wait(arg);
	births_event((uintptr_t)&o, 0x5000, (uintptr_t)&frame[4], 0x111, 0, 0, 0);
	return NULL;
}

TEST(callers_are_asked_about_once)
{
	pthread_t threads[24];
	pthread_barrier_t barrier;
	struct births *b = begin();
	special = CALLER_INTERPRETER;
	pthread_barrier_init(&barrier, NULL, ARRAY_SIZE(threads));
	answer_slowly = true;
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		EXPECT_INT(0, pthread_create(&threads[i], NULL, meet, &barrier));
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
	answer_slowly = false;
	/* Room for others is left. */
	for (uintptr_t pc = 0x6000; pc < 0x6008; pc++) {
		uintptr_t frame[8] = {0};
		struct object o = {.mark_low = 1, .klass = 3};
		births_event((uintptr_t)&o, pc, (uintptr_t)&frame[4], 0x222, 0, 0, 0);
		unsigned before = asked;
		births_event((uintptr_t)&o, pc, (uintptr_t)&frame[4], 0x333, 0, 0, 0);
		EXPECT_INT(before, asked);
	}
	end(b);
}

/* The entries. */

#ifdef __x86_64__

typedef int entry_rdi(uintptr_t object);
typedef int entry_rsi(uintptr_t thread, uintptr_t object);

static bool dynamic; /* those that ask the loader */

static entry_rdi *rdi(void)
{
	return (entry_rdi *)(uintptr_t)(dynamic ? births_dynamic_rdi : births_entry_rdi);
}

static entry_rsi *rsi(void)
{
	return (entry_rsi *)(uintptr_t)(dynamic ? births_dynamic_rsi : births_entry_rsi);
}

static void by_both(void (*test)(void))
{
	test();
	dynamic = true;
	test();
	dynamic = false;
}

/* Functions with a call of their own each. */
#define CALL(n)                                                                                    \
	static __attribute__((noinline)) void call_##n(uintptr_t o)                                \
	{                                                                                          \
		if ((n) % 2 ? rsi()(0x7777, o) : rdi()(o))                                         \
			abort();                                                                   \
		__asm__ volatile("# " #n);                                                         \
	}
CALL(0)
CALL(1)
CALL(2)
CALL(3)
CALL(4)
CALL(5)
CALL(6)
CALL(7)
CALL(8)
CALL(9)
CALL(10)
CALL(11)

static void (*const calls[])(uintptr_t) = {call_0, call_1, call_2, call_3, call_4, call_5, call_6,
	call_7, call_8, call_9, call_10, call_11};
static uintptr_t pcs[ARRAY_SIZE(calls)]; /* of their calls */

static void learn(void)
{
	struct births *b = begin();
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct object o = {.mark_low = 1, .klass = 1};
		seen_pc = 0;
		calls[i]((uintptr_t)&o);
		pcs[i] = seen_pc;
		EXPECT(seen_pc > (uintptr_t)calls[i] && seen_pc < (uintptr_t)calls[i] + 200);
		EXPECT_INT(i % 2 ? 0x7777 : 0, seen.thread);
	}
	end(b);
}

static void count_as_event(void)
{
	learn();
	struct births *b = begin();
	struct tally *want = tally_make();
	struct rng r = rng_init(tap_seed());
	unsigned wrong = 0;
	for (int i = 0; i < 300000; i++) {
		size_t at = rng_below(&r, ARRAY_SIZE(calls));
		struct object o = any_object(&r, true), before = o, twin = o;
		tally_add(want, pcs[at], &o, false);
		tally_add(want, pcs[at], &o, false);
		calls[at]((uintptr_t)&o);
		event(pcs[at], &twin);
		wrong += !marked(b, &before, &o, pcs[at]) || memcmp(&o, &twin, sizeof(o)) != 0;
	}
	EXPECT_INT(0, wrong);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

TEST(entries_count_as_the_event_does)
{
	by_both(count_as_event);
}

/* Some of the places' objects jump, and every now and then others. */
struct jumpers {
	bool jumps[ARRAY_SIZE(calls)][ODD + 1];
};

static void choose_jumpers(struct births *b, struct rng *r, struct jumpers *j)
{
	uint64_t places[ARRAY_SIZE(calls) * (ODD + 1)];
	size_t count = 0;
	for (size_t at = 0; at < ARRAY_SIZE(calls); at++)
		for (uint32_t klass = 0; klass <= ODD; klass++) {
			j->jumps[at][klass] = rng_below(r, 3) == 0;
			if (j->jumps[at][klass])
				places[count++] = place_of(pcs[at], klass);
		}
	EXPECT_INT(0, births_jump(b, places, count));
	births_turn(b);
}

static void let_jump(void)
{
	learn();
	struct births *b = begin();
	struct tally *want = tally_make();
	struct rng r = rng_init(tap_seed());
	struct jumpers j;
	unsigned wrong = 0, jumped = 0;
	for (int i = 0; i < 100000; i++) {
		size_t at = rng_below(&r, ARRAY_SIZE(calls));
		struct object o = any_object(&r, true), before = o, twin = o;
		if (i % 5000 == 0)
			choose_jumpers(b, &r, &j);
		tally_add(want, pcs[at], &o, false);
		tally_add(want, pcs[at], &o, false);
		calls[at]((uintptr_t)&o);
		event(pcs[at], &twin);
		wrong += memcmp(&o, &twin, sizeof(o)) != 0;
		bool jumps = (before.mark_low & 7) == 1 && j.jumps[at][o.klass];
		wrong += o.mark_low != (before.mark_low | (jumps ? (uint32_t)BIRTH_JUMPED : 0u));
		jumped += jumps;
		o.mark_low = before.mark_low;
		wrong += !marked(b, &before, &o, pcs[at]);
	}
	EXPECT_INT(0, wrong);
	EXPECT(jumped > 10000);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

TEST(entries_let_jump_who_is_to)
{
	by_both(let_jump);
}

/* -- Call paths -- */

enum { PATHS = 5 };
static _Thread_local unsigned path_turn;
static uintptr_t path_sp;

/* Paths take turns; of the last there is no frame. */
static bool fake_stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool told,
	struct java_stack *out)
{
	(void)arg, (void)cache;
	path_turn += !told;
	path_sp = b->sp;
	out->count = told;
	out->any = path_turn % PATHS != 0;
	out->hash = 0xabc0000ull + path_turn % PATHS;
	out->end = out->any ? STACK_ROOT : STACK_NONE;
	return false;
}

static struct births *begin_walks(uint64_t every)
{
	static struct birth_oracle walking;
	struct births *b = births_get();
	walking = oracle;
	walking.stack = fake_stack;
	special = CALLER_COMPILED;
	EXPECT_INT(0, births_open(b, &walking, NULL));
	births_walk(b, every, tap_seed());
	births_set(b, BIRTHS_COUNTED);
	path_turn = 0;
	return b;
}

static void take_sums(void *arg, const struct birth_sum *s)
{
	struct births *b = births_get();
	uint64_t *by_path = arg, key = b->sites.at[s->site].key;
	by_path[key >> 4 == 0xabc000 ? key & 15 : 15] += s->objects;
}

/* One in `every` by its path, the others by their line, and none lost; by the entries and by C. */
static void walk_some(uint64_t every, bool by_c)
{
	enum { BIRTHS = 60000 };
	struct births *b = begin_walks(every);
	struct walk_totals walked;
	uint64_t counts[16] = {0}, all = 0;
	struct object o = {.mark_low = 1, .klass = 3};
	for (int i = 0; i < BIRTHS; i++) {
		o.mark_high = 0;
		if (by_c)
			births_event((uintptr_t)&o, 0x4000, 0, 0, 0, 0, 0x5008);
		else
			call_2((uintptr_t)&o);
	}
	births_take(b, take_sums, counts);
	births_walked(b, &walked);
	for (int i = 0; i < 16; i++)
		all += counts[i];
	EXPECT_INT(BIRTHS, all);
	double want = (double)BIRTHS / (double)every;
	double error = 4 * sqrt(want * (1 - 1 / (double)every)) + 1e-9;
	EXPECT_NEAR(want, (double)walked.walks, error);
	EXPECT_INT(walked.walks, walked.ends[STACK_ROOT] + walked.ends[STACK_NONE]);
	EXPECT_INT(BIRTHS - walked.ends[STACK_ROOT], counts[15]);
	for (unsigned p = 1; p < PATHS; p++)
		EXPECT_NEAR((double)walked.walks / PATHS, (double)counts[p], 1);
	EXPECT(path_sp % 8 == 0 && path_sp);
	end(b);
}

static void count_some_by_path(void)
{
	static const uint64_t rates[] = {1, 2, 100, 1000};
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		walk_some(rates[i], false);
		walk_some(rates[i], true);
	}
}

TEST(some_are_counted_by_their_path)
{
	by_both(count_some_by_path);
}

TEST(paths_beyond_the_bound_are_counted_by_their_line)
{
	struct births *b = begin_walks(1);
	struct walk_totals walked;
	uint64_t counts[16] = {0};
	struct object o = {.mark_low = 1, .klass = 3};
	b->sites.found = PATHS_MAX;
	for (int i = 0; i < 100; i++)
		call_4((uintptr_t)&o);
	births_take(b, take_sums, counts);
	births_walked(b, &walked);
	EXPECT_INT(100, walked.walks);
	EXPECT_INT(80, walked.refused);
	EXPECT_INT(100, counts[15]);
	end(b);
}

/* What is interpreted has its line behind all paths, and then what is compiled has room. */
TEST(paths_leave_room_for_bytecodes)
{
	const uint32_t bounds[] = {PATHS_MAX, BYTECODES_PATHS_MAX};
	struct births *b = begin_walks(1);
	struct object o = {.mark_low = 1, .klass = 3};
	uintptr_t frame[8] = {0, the_method};
	interpret(0x6000);
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		b->sites.found = bounds[i];
		births_event((uintptr_t)&o, 0x6000, (uintptr_t)&frame[4], 0x700000 + i, 0, 0, 0);
		EXPECT(b->unlined == i && defined_place.whole == i);
	}
	special = CALLER_COMPILED;
	event(0x10000, &o);
	EXPECT(defined_place.key == 0x10000 && !b->unplaced);
	births_methods(&(const struct method_key){0});
	end(b);
}

static bool of_any_path(void *arg, const struct exact_site *s)
{
	(void)arg;
	return s->key >> 4 == 0xabc000;
}

/* A path that is forgotten is another when it is walked again, in the thread that knew it too. */
TEST(paths_that_are_forgotten)
{
	struct births *b = begin_walks(1);
	uint64_t counts[16] = {0};
	uint32_t before = 0;
	for (int round = 0; round < 3; round++) {
		struct object o = {.mark_low = 1, .klass = 3};
		for (int i = 0; i < 20; i++) {
			o.mark_high = 0;
			births_event((uintptr_t)&o, 0x4000, 0, 0, 0, 0, 0x5008);
		}
		EXPECT(b->sites.count >= before + PATHS - 1);
		before = b->sites.count;
		EXPECT(births_forget(b, of_any_path, NULL));
	}
	births_take(b, take_sums, counts);
	for (unsigned p = 1; p < PATHS; p++)
		EXPECT_INT(12, counts[p]);
	end(b);
}

static void count_nothing(void)
{
	struct births *b = begin();
	births_set(b, BIRTHS_OFF);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct object o = {.mark_low = 1, .klass = 1};
		calls[i]((uintptr_t)&o);
		EXPECT_INT(0, o.mark_high);
	}
	births_set(b, BIRTHS_COUNTED);
	struct tally *none = tally_make();
	expect_taken(b, none);
	tally_free(none);
	end(b);
}

TEST(entries_switched_off)
{
	by_both(count_nothing);
}

/* With the registers that compiled code and the interpreter have: rbp, r13, r15. */
static void call_with(uintptr_t object, uintptr_t fp, uintptr_t bcp, uintptr_t java_thread)
{
	uintptr_t at = (uintptr_t)rdi();
	register uintptr_t thread __asm__("r8") = java_thread; /* no call behind it */
	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "lea -256(%%rsp), %%rsp\n\t"
			 "and $-16, %%rsp\n\t"
			 "push %%rbp\n\t"
			 "push %%r13\n\t"
			 "push %%r15\n\t"
			 "push %%rbx\n\t"
			 "mov %%rcx, %%rbp\n\t"
			 "mov %%rdx, %%r13\n\t"
			 "mov %%r8, %%r15\n\t"
			 "call *%%rax\n\t"
			 "pop %%rbx\n\t"
			 "pop %%r15\n\t"
			 "pop %%r13\n\t"
			 "pop %%rbp\n\t"
			 "mov %%rbx, %%rsp"
			 : "+a"(at), "+D"(object), "+c"(fp), "+d"(bcp), "+r"(thread)
			 :
			 : "rbx", "rsi", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2",
			 "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
			 "xmm12", "xmm13", "xmm14", "xmm15");
	EXPECT_INT(0, at);
}

static void expect_caller(enum caller caller, uint64_t key)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	uintptr_t frame[8] = {0, 0xfeed, 0, 0, 0, 0x4444};
	special = caller;
	walk_finds.key = 0x5555;
	for (int i = 0; i < 20; i++) {
		struct object o = {.mark_low = 1, .klass = ARRAY + 1, .length = 3}, before = o;
		key = key ? key : seen_pc;
		call_with((uintptr_t)&o, (uintptr_t)&frame[4], 0x3333, 0x2222);
		key = key ? key : seen_pc;
		tally_add(want, key, &before, false);
		EXPECT(marked(b, &before, &o, key));
	}
	EXPECT_INT(1, b->sites.count - b->sites.first);
	EXPECT_INT(0x3333, seen.bcp);
	EXPECT_INT(0x2222, seen.java_thread);
	EXPECT(seen.fp == (uintptr_t)&frame[4]);
	EXPECT_INT(caller, defined_place.caller);
	EXPECT_INT(caller == CALLER_INTERPRETER ? 0xfeed : 0, defined_place.method);
	EXPECT_INT(caller == CALLER_COMPILED, defined_place.leaf);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

static void make_by_entry(uintptr_t object, uintptr_t fp, uintptr_t bcp)
{
	call_with(object, fp, bcp, 0);
}

static void tell_methods_apart(void)
{
	by_turns(make_by_entry);
}

TEST(entries_tell_methods_apart)
{
	by_both(tell_methods_apart);
}

static void see_registers(void)
{
	seen_pc = 0;
	expect_caller(CALLER_COMPILED, 0);
	expect_caller(CALLER_STUB, 0x4444);
	expect_caller(CALLER_INTERPRETER, 0x3333);
	expect_caller(CALLER_VM, 0x5555);
}

TEST(entries_see_registers)
{
	by_both(see_registers);
}

/* Many places behind one return address, on the entries' own way to them. */
static void tell_places_apart(void)
{
	static const enum caller callers[] = {CALLER_STUB, CALLER_INTERPRETER};
	for (size_t c = 0; c < ARRAY_SIZE(callers); c++) {
		struct births *b = begin();
		struct tally *want = tally_make();
		uintptr_t frame[8] = {0, 0xfeed, 0, 0, 0, 0x4444};
		unsigned wrong = 0;
		special = callers[c];
		for (uintptr_t i = 0; i < 3000; i++) {
			struct object o = {.mark_low = 1, .klass = 1 + (uint32_t)(i % 3)},
				      before = o;
			uintptr_t key = 0x4000 + i % 7 * 16;
			frame[5] = special == CALLER_STUB ? key : 0x1111;
			call_with((uintptr_t)&o, (uintptr_t)&frame[4], key, 0x2222);
			tally_add(want, key, &before, false);
			wrong += !marked(b, &before, &o, key);
		}
		EXPECT_INT(0, wrong);
		EXPECT(special == CALLER_STUB ? births_stub != 0 : births_templates[0] != 0);
		expect_taken(b, want);
		tally_free(want);
		end(b);
	}
}

TEST(entries_tell_places_apart)
{
	by_both(tell_places_apart);
}

/* Threads. */

enum { THREADS = 6, ROUNDS = 12, STEPS = 20000 };

struct worker {
	uint64_t seed;
	struct tally *tally; /* owned */
	uint64_t wrong;
	pthread_t thread;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct rng r = rng_init(w->seed);
	struct births *b = births_get();
	for (int i = 0; i < STEPS; i++) {
		size_t at = rng_below(&r, ARRAY_SIZE(calls));
		bool far = rng_below(&r, 10) == 0;
		uint64_t key = far ? 0x7000 + 16 * rng_below(&r, 100) : pcs[at];
		struct object o = any_object(&r, true), before = o;
		tally_add(w->tally, key, &o, false);
		if (far)
			event(key, &o);
		else
			calls[at]((uintptr_t)&o);
		w->wrong += !marked(b, &before, &o, key);
	}
	return NULL;
}

static void merge(struct tally *to, const struct tally *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct line *l = line_of(to, from->at[i].key, from->at[i].klass);
		l->objects += from->at[i].objects;
		l->bytes += from->at[i].bytes;
	}
}

static unsigned blocks(const struct births *b)
{
	unsigned count = 0;
	for (struct birth_thread *t = b->threads; t; t = t->next)
		count++;
	return count;
}

static void start(struct worker *w, uint64_t seed)
{
	*w = (struct worker){.seed = seed, .tally = tally_make()};
	if (pthread_create(&w->thread, NULL, work, w))
		abort();
}

static void finish(struct worker *w, struct tally *want)
{
	pthread_join(w->thread, NULL);
	EXPECT_INT(0, w->wrong);
	merge(want, w->tally);
	tally_free(w->tally);
}

/* Each round's threads end and leave their blocks to the next one's. Counts are taken only every
 * third round, so that they are left too. */
/* As many as crowd each other out of a thread's first table, but not of its second; objects of some
 * jump, from a moment on. */
TEST(more_places_at_work_than_a_thread_has_slots)
{
	enum { PLACES = 1500, TIMES = 60, LATER = TIMES / 2 };
	struct births *b = begin();
	struct tally *want = tally_make();
	uintptr_t frame[8] = {0, 0xfeed};
	unsigned wrong = 0;
	special = CALLER_INTERPRETER;
	for (uintptr_t i = 0; i < PLACES * TIMES; i++) {
		struct object o = {.mark_low = 1, .klass = 1 + (uint32_t)(i % PLACES % 3)},
			      before = o;
		uintptr_t key = 0x4000 + i % PLACES * 24;
		if (i == PLACES * LATER)
			jump(b, 0x4000, 1);
		call_with((uintptr_t)&o, (uintptr_t)&frame[4], key, 0x2222);
		tally_add(want, key, &before, false);
		wrong +=
			(o.mark_low != 1) != (i >= PLACES * LATER && key == 0x4000 && o.klass == 1);
		o.mark_low = 1;
		wrong += !marked(b, &before, &o, key);
	}
	EXPECT_INT(0, wrong);
	uint32_t wide = 0, crowded = 0;
	for (struct birth_thread *t = b->threads; t; t = t->next)
		if (birth_slots_wide(&t->slots))
			wide++, crowded += t->slots.crowded;
	EXPECT_INT(1, wide);
	EXPECT(crowded < PLACES * TIMES / 6); /* in the first it were some five of six */
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

TEST(threads_come_and_go)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	struct worker workers[THREADS];
	unsigned before = blocks(b);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t i = 0; i < THREADS; i++)
			start(&workers[i], tap_seed() + round * THREADS + i);
		for (int i = 0; i < THREADS; i++)
			finish(&workers[i], want);
		if (round % 3 == 2) {
			expect_taken(b, want);
			tally_free(want);
			want = tally_make();
		}
	}
	EXPECT(blocks(b) <= before + THREADS);
	tally_free(want);
	end(b);
}

/* A site that one thread is just defining is met by others. */
static void *meet_site(void *arg)
{
	struct worker *w = arg;
	for (int i = 0; i < 200; i++) {
		struct object o = {
			.mark_low = 1, .klass = array_klasses[i / 4 % ARRAYS], .length = 50};
		uint64_t key = 0x8000 + 16 * (uint64_t)(i / 4);
		tally_add(w->tally, key, &o, false);
		event(key, &o);
	}
	return NULL;
}

TEST(sites_that_are_just_being_made)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	struct worker workers[THREADS];
	define_slowly = true;
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.tally = tally_make()};
		if (pthread_create(&workers[i].thread, NULL, meet_site, &workers[i]))
			abort();
	}
	for (int i = 0; i < THREADS; i++)
		finish(&workers[i], want);
	define_slowly = false;
	EXPECT_INT(50, b->sites.count - b->sites.first);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}

/* A native thread may allocate in what it does at its very end, after its block has gone. */
static pthread_key_t late_key;

static void late(void *arg)
{
	static _Thread_local int turns;
	struct tally *t = arg;
	struct object o = {.mark_low = 1, .klass = 1};
	tally_add(t, pcs[0], &o, false);
	calls[0]((uintptr_t)&o);
	if (turns++ < 2)
		pthread_setspecific(late_key, arg);
}

static void *ends_late(void *arg)
{
	pthread_setspecific(late_key, arg);
	late(arg);
	return NULL;
}

TEST(births_at_the_very_end_of_a_thread)
{
	struct births *b = begin();
	struct tally *want = tally_make();
	unsigned before = blocks(b);
	EXPECT_INT(0, pthread_key_create(&late_key, late));
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		EXPECT_INT(0, pthread_create(&thread, NULL, ends_late, want));
		pthread_join(thread, NULL);
	}
	expect_taken(b, want);
	EXPECT(blocks(b) <= before + 20);
	pthread_key_delete(late_key);
	tally_free(want);
	end(b);
}

#endif

static bool of_klass_three(void *arg, const struct exact_site *s)
{
	(*(int *)arg)++;
	return s->klass == 3;
}

/* What comes with the class's number and place is another site; what was counted is not lost. */
TEST(sites_that_are_forgotten)
{
	struct births *b = begin();
	struct object gone = {.mark_low = 1, .klass = 3}, stays = {.mark_low = 1, .klass = 4};
	struct tally *want = tally_make();
	int seen_sites = 0;
	for (int round = 0; round < 3; round++) {
		struct object a = gone, c = stays;
		for (int i = 0; i < 5; i++) {
			event(0x1000, &a);
			event(0x1000, &c);
			tally_add(want, 0x1000, &a, false);
			tally_add(want, 0x1000, &c, false);
		}
		/* A new number each time, but for the one that stays. */
		EXPECT_INT(b->sites.first + (uint32_t)(round ? round + 1 : 0), a.mark_high >> 10);
		EXPECT_INT(b->sites.first + 1, c.mark_high >> 10);
		EXPECT(births_forget(b, of_klass_three, &seen_sites));
		births_unload(b);
		EXPECT_INT(round + 1, b->epoch);
	}
	EXPECT_INT(6, seen_sites); /* 2 each time: not those that went before */
	EXPECT(!births_forget(b, of_klass_three, &seen_sites));
	EXPECT_INT(3, b->epoch);
	expect_taken(b, want);
	tally_free(want);
	end(b);
}
