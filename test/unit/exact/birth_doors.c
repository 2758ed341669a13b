/*
 * Code as the compiler makes it calls the probe from places of its own; those that are hot get
 * doors, and what is counted is held against a plain count all the time. A call keeps its door from
 * one test to the next.
 */
#include "exact/birth_doors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rng.h"
#include "exact/birth_jumps.h"
#include "exact/births.h"
#include "exact/shape.h"
#include "hotspot/probe_call.h"
#include "support/tap.h"

#ifdef __x86_64__

struct object {
	_Alignas(16) uint32_t mark_low;
	uint32_t mark_high, klass, length;
};

/* Instances of 16 bytes and 8 for each number; arrays with headers of 16 and 12 bytes; and what the
 * VM must be asked for. */
enum { ARRAY = 100, ARRAYS = 8, ODD = 200 };

static uint32_t align = 8;
static bool wide; /* classes are not compressed */

static uint32_t header_of(uint32_t klass)
{
	return (klass - ARRAY < 4 ? 16u : 12u) + (wide ? 8u : 0u);
}

static uint32_t shape_of(uint32_t klass)
{
	uint32_t header = header_of(klass);
	return klass < ARRAY || klass == ODD
		       ? 0
		       : shape_of_array((int32_t)(3u << 30 | header << 16 | 8u << 8 | (klass & 3)));
}

static uint64_t true_bytes(const struct object *o)
{
	if (o->klass == ODD)
		return 64;
	return o->klass < ARRAY ? 16 + 8 * o->klass
				: (header_of(o->klass) + ((uint64_t)o->length << (o->klass & 3)) +
					  align - 1) /
					  align * align;
}

/* The VM. */

static enum caller caller_is;

static enum caller fake_caller(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	return caller_is;
}

static uint64_t fake_bytes(void *arg, uintptr_t object)
{
	(void)arg;
	return true_bytes((const struct object *)object);
}

static bool fake_outside(void *arg, uintptr_t object, uint64_t bytes)
{
	(void)arg, (void)object, (void)bytes;
	return false;
}

static void fake_define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	struct births *all = births_get();
	(void)arg, (void)b, (void)p;
	s->shape = shape_of(s->klass);
	s->bytes1 = s->klass < ARRAY ? 16 + 8 * s->klass : 0;
	births_place(all, (uint32_t)(s - all->sites.at), s->key, s->key);
}

static bool fake_stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool again,
	struct java_stack *out)
{
	(void)arg, (void)b, (void)cache, (void)again;
	*out = (struct java_stack){.any = false};
	return false;
}

static const struct birth_oracle oracle = {.caller = fake_caller,
	.define = fake_define,
	.stack = fake_stack,
	.bytes = fake_bytes,
	.outside = fake_outside};

/* The code: pieces that call the function, each from a place of its own. Between them is an odd
 * number of bytes, so that constants lie across cache lines too. */
enum { PIECES = 4096, PIECE = 37, CALL = 5, RETURNS = CALL + 13 };

static uint8_t *code;

static const uint8_t piece[] = {0x90, 0x48, 0x83, 0xec, 0x08, /* nop; sub $8, %rsp */
	0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,                   /* mov $function, %r10 */
	0x41, 0xff, 0xd2,                                     /* call *%r10 */
	0x48, 0x83, 0xc4, 0x08,                               /* add $8, %rsp */
	0xc3};

static uintptr_t pc_of(unsigned i)
{
	return (uintptr_t)code + (uintptr_t)i * PIECE + RETURNS;
}

static void write_piece(unsigned i, const void *function)
{
	uint8_t *at = code + (size_t)i * PIECE;
	memcpy(at, piece, sizeof(piece));
	memcpy(at + CALL + 2, &function, sizeof(function));
}

static uintptr_t goes_to(unsigned i)
{
	uintptr_t to;
	memcpy(&to, code + (size_t)i * PIECE + CALL + 2, sizeof(to));
	return to;
}

static bool has_door(unsigned i)
{
	uintptr_t far = goes_to(i) - (uintptr_t)(wide ? births_door_code_wide : births_door_code);
	return far < BIRTH_DOORS * BIRTH_DOOR_BYTES;
}

static void call(unsigned i, struct object *o)
{
	int (*f)(uintptr_t, uintptr_t) =
		(int (*)(uintptr_t, uintptr_t))((uintptr_t)code + (uintptr_t)i * PIECE);
	EXPECT_INT(0, f(0x7777, (uintptr_t)o));
}

static bool not_code;

static uintptr_t fake_code(void *arg, uintptr_t pc)
{
	(void)arg;
	uintptr_t from = (uintptr_t)code;
	return !not_code && pc > from && pc <= from + PIECES * PIECE ? from : 0;
}

static void make_code(void)
{
	code = mmap(NULL, PIECES * PIECE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		abort();
	for (unsigned i = 0; i < PIECES; i++)
		write_piece(i, births_entry_rsi);
}

static struct births *begin_with(uint64_t every)
{
	struct births *b = births_get();
	uintptr_t probe = (uintptr_t)(wide ? births_entry_wide_rsi : births_entry_rsi);
	struct birth_door_oracle doors = {.code = fake_code, .probes = {0, probe}, .wide = wide};
	caller_is = CALLER_COMPILED;
	not_code = false;
	if (!code)
		make_code();
	EXPECT(code_fence_open());
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	births_doors_open(b, &doors);
	if (every)
		births_walk(b, every, 1);
	births_set(b, BIRTHS_COUNTED);
	return b;
}

static struct births *begin(void)
{
	return begin_with(0);
}

static void end(struct births *b)
{
	births_set(b, BIRTHS_OFF);
	births_close(b);
}

/* What was counted: of each place and class. */
enum { KLASSES = ODD + 1 };
struct counts {
	uint64_t objects[64][KLASSES], bytes[64][KLASSES];
	uint64_t others; /* of places beyond */
};

static void take(void *arg, const struct birth_sum *s)
{
	struct counts *c = arg;
	const struct exact_site *site = &births_get()->sites.at[s->site];
	uint64_t i = (site->key - pc_of(0)) / PIECE;
	EXPECT(s->site >= births_get()->sites.first && site->klass < KLASSES);
	if (i >= 64 || site->klass >= KLASSES) {
		c->others += s->objects;
		return;
	}
	c->objects[i][site->klass] += s->objects;
	c->bytes[i][site->klass] += s->bytes;
}

/* As in a pause. */
static void stand(struct births *b, struct counts *got)
{
	births_take(b, take, got);
	births_doors_give(b);
}

static uint32_t site_in(const struct object *o)
{
	return o->mark_high >> 10;
}

/* One object of the class is born there, with the mark as it should be; its site. */
static uint32_t born(struct births *b, unsigned i, uint32_t klass)
{
	struct object o = {.mark_low = 1, .klass = klass, .length = 3};
	call(i, &o);
	const struct exact_site *s = &b->sites.at[site_in(&o)];
	EXPECT(s->key == pc_of(i) && s->klass == klass);
	EXPECT_INT(1, o.mark_low);
	EXPECT_INT(0, o.mark_high & 0x3ff);
	EXPECT_INT(klass, o.klass);
	EXPECT_INT(3, o.length);
	return site_in(&o);
}

static void many(struct births *b, unsigned i, uint32_t klass, unsigned count)
{
	for (unsigned n = 0; n < count; n++)
		born(b, i, klass);
}

/* What came through doors and was not taken yet. */
static uint64_t behind_doors(const struct births *b)
{
	uint64_t sum = 0;
	for (struct birth_thread *t = b->threads; t; t = t->next)
		for (int i = 0; i < BIRTH_DOORS; i++)
			sum += t->doors.objects[i];
	return sum;
}

TEST(hot_places_get_doors)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 0, 3, DOOR_WISH_LEAST);
	many(b, 1, 3, DOOR_WISH_LEAST - 1);
	many(b, 2, ARRAY + 2, DOOR_WISH_LEAST);
	many(b, 3, ODD, DOOR_WISH_LEAST); /* the VM must be asked for each */
	stand(b, got);
	EXPECT(has_door(0) && !has_door(1) && has_door(2) && !has_door(3));
	EXPECT_INT(2, b->doors.open);
	EXPECT_INT(0, behind_doors(b));
	many(b, 0, 3, 5);
	many(b, 1, 3, 6);
	many(b, 2, ARRAY + 2, 7);
	EXPECT_INT(12, behind_doors(b));
	stand(b, got);
	EXPECT_INT(0, behind_doors(b));
	EXPECT_INT(DOOR_WISH_LEAST + 5, got->objects[0][3]);
	EXPECT_INT((DOOR_WISH_LEAST + 5) * 40, got->bytes[0][3]);
	EXPECT_INT(DOOR_WISH_LEAST + 5, got->objects[1][3]);
	EXPECT_INT(DOOR_WISH_LEAST + 7, got->objects[2][ARRAY + 2]);
	EXPECT_INT((DOOR_WISH_LEAST + 7) * 32, got->bytes[2][ARRAY + 2]);
	EXPECT_INT(DOOR_WISH_LEAST, got->objects[3][ODD]);
	free(got);
	end(b);
	EXPECT(has_door(0) && has_door(2)); /* they stay */
}

/* Another class, a mark that is taken or is not as at birth: as without a door. */
TEST(what_a_door_does_not_know)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 4, 3, DOOR_WISH_LEAST);
	many(b, 5, ARRAY, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(4) && has_door(5));
	born(b, 4, 7);
	born(b, 4, ARRAY + 1);
	born(b, 5, 3);
	born(b, 5, ARRAY + 4);
	EXPECT_INT(0, behind_doors(b));
	struct object o = {.mark_low = 5, .klass = 3};
	call(4, &o);
	EXPECT(o.mark_low == 5 && o.mark_high == 0);
	o = (struct object){.mark_low = 1 | 5 << 3, .mark_high = 17, .klass = 3};
	call(4, &o);
	EXPECT(o.mark_low == (1 | 5 << 3) && (o.mark_high & 0x3ff) == 17);
	EXPECT_INT(born(b, 4, 3), site_in(&o));
	EXPECT_INT(1, behind_doors(b));
	stand(b, got);
	EXPECT_INT(DOOR_WISH_LEAST + 3, got->objects[4][3]);
	EXPECT(got->objects[4][7] == 1 && got->objects[4][ARRAY + 1] == 1);
	EXPECT(got->objects[5][3] == 1 && got->objects[5][ARRAY + 4] == 1);
	EXPECT_INT(24, got->bytes[4][ARRAY + 1]);
	/* A second class of the same place stays without. */
	many(b, 4, 7, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT_INT(1, b->doors.refused);
	born(b, 4, 7);
	EXPECT_INT(0, behind_doors(b));
	free(got);
	end(b);
}

static void arrays_of_all_shapes(void)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	uint64_t bytes[ARRAYS] = {0};
	struct rng r = rng_init(tap_seed());
	for (uint32_t k = 0; k < ARRAYS; k++)
		many(b, 8 + k, ARRAY + k, DOOR_WISH_LEAST);
	stand(b, got);
	memset(got, 0, sizeof(*got));
	for (uint32_t k = 0; k < ARRAYS; k++)
		for (int i = 0; i < 100; i++) {
			uint32_t length = i ? (uint32_t)rng_below(&r, 1u << 12) : INT32_MAX;
			struct object o = {.mark_low = 1, .klass = ARRAY + k, .length = length};
			bytes[k] += true_bytes(&o);
			call(8 + k, &o);
		}
	EXPECT_INT(100 * ARRAYS, behind_doors(b));
	stand(b, got);
	for (uint32_t k = 0; k < ARRAYS; k++) {
		EXPECT_INT(100, got->objects[8 + k][ARRAY + k]);
		EXPECT(bytes[k] == got->bytes[8 + k][ARRAY + k]);
	}
	free(got);
	end(b);
}

TEST(arrays)
{
	arrays_of_all_shapes();
	birth_align_to(align = 64);
	arrays_of_all_shapes();
	birth_align_to(align = 8);
}

/* The state is another: nobody comes through. */
TEST(doors_are_shut_when_it_is_over)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 16, 3, DOOR_WISH_LEAST);
	stand(b, got);
	born(b, 16, 3);
	EXPECT_INT(1, behind_doors(b));
	births_set(b, BIRTHS_OFF);
	struct object o = {.mark_low = 1, .klass = 3};
	call(16, &o);
	EXPECT(o.mark_low == 1 && o.mark_high == 0);
	EXPECT_INT(1, behind_doors(b));
	stand(b, got); /* the last account */
	EXPECT_INT(DOOR_WISH_LEAST + 1, got->objects[16][3]);
	births_close(b);
	call(16, &o);
	EXPECT(o.mark_low == 1 && o.mark_high == 0);
	free(got);
}

/* Another recording: other numbers, and the same doors again for who is hot. */
TEST(the_next_recording_uses_them_again)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 17, 3, DOOR_WISH_LEAST);
	many(b, 18, 4, DOOR_WISH_LEAST);
	stand(b, got);
	uint32_t before = born(b, 17, 3);
	uintptr_t door = goes_to(17);
	end(b);
	b = begin();
	memset(got, 0, sizeof(*got));
	EXPECT_INT(0, behind_doors(b));
	uint32_t after = born(b, 17, 3);
	EXPECT(after != before);
	EXPECT_INT(0, behind_doors(b));
	many(b, 17, 3, DOOR_WISH_LEAST);
	many(b, 18, 5, DOOR_WISH_LEAST); /* another class now */
	many(b, 2, 3, DOOR_WISH_LEAST);  /* had a door for arrays */
	stand(b, got);
	EXPECT(goes_to(17) == door);
	EXPECT_INT(2, b->doors.open);
	EXPECT_INT(1, b->doors.refused);
	EXPECT_INT(after, born(b, 17, 3));
	born(b, 18, 5);
	EXPECT_INT(2, behind_doors(b));
	stand(b, got);
	EXPECT_INT(DOOR_WISH_LEAST + 2, got->objects[17][3]);
	EXPECT_INT(DOOR_WISH_LEAST + 1, got->objects[18][5]);
	free(got);
	end(b);
}

/* From then on they jump, on the ordinary way. */
TEST(objects_that_jump_have_no_door)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	uint64_t places[] = {pc_of(19), pc_of(20)};
	many(b, 19, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(19));
	EXPECT_INT(0, births_jump(b, places, ARRAY_SIZE(places)));
	struct object o = {.mark_low = 1, .klass = 3};
	call(19, &o);
	births_turn(b);
	o.mark_low = 1;
	call(19, &o);
	EXPECT_INT(BIRTH_JUMPED | 1, o.mark_low);
	EXPECT_INT(0, behind_doors(b));
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		call(20, &(struct object){.mark_low = 1, .klass = 3});
	stand(b, got);
	EXPECT(!has_door(20));
	EXPECT_INT(DOOR_WISH_LEAST + 2, got->objects[19][3]);
	free(got);
	end(b);
}

static bool of_klass_six(void *arg, const struct exact_site *s)
{
	(void)arg;
	return s->klass == 6;
}

/* The class went, or its code: what came through is still its, and what comes is another's. */
TEST(sites_that_are_forgotten)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 21, 6, DOOR_WISH_LEAST);
	stand(b, got);
	uint32_t before = born(b, 21, 6);
	EXPECT_INT(1, behind_doors(b));
	EXPECT(births_forget(b, of_klass_six, NULL));
	uint32_t after = born(b, 21, 6);
	EXPECT(after != before);
	EXPECT_INT(1, behind_doors(b));
	many(b, 21, 6, DOOR_WISH_LEAST);
	uint32_t count = birth_sums_of(&b->sums, before).objects > 0;
	EXPECT_INT(0, count);
	stand(b, got);
	EXPECT_INT(2 * DOOR_WISH_LEAST + 2, got->objects[21][6]);
	EXPECT_INT(after, born(b, 21, 6)); /* by the same door */
	EXPECT_INT(1, behind_doors(b));
	free(got);
	end(b);
}

static void expect_left_alone(struct births *b, unsigned i, struct counts *got)
{
	uint8_t before[PIECE];
	memcpy(before, code + (size_t)i * PIECE, PIECE);
	many(b, i, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT_INT(0, memcmp(before, code + (size_t)i * PIECE, PIECE));
	born(b, i, 3);
	EXPECT_INT(0, behind_doors(b));
}

static int other_function(uintptr_t thread, uintptr_t object)
{
	(void)thread, (void)object;
	return 0;
}

/* Calls that are not just as the compiler makes them. */
TEST(code_that_is_something_else)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	uint8_t *at = code + (size_t)24 * PIECE + CALL;
	at[0] = 0x49, at[1] = 0xbb; /* %r11 */
	at[10] = 0x41, at[11] = 0xff, at[12] = 0xd3;
	expect_left_alone(b, 24, got);
	at = code + (size_t)25 * PIECE + CALL; /* nop; call *%rax, by way of a constant elsewhere */
	static const uint8_t by_rax[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0x90, 0xff, 0xd0};
	memcpy(at, by_rax, sizeof(by_rax));
	memcpy(at + 2, &(const void *){births_entry_rsi}, 8);
	expect_left_alone(b, 25, got);
	EXPECT_INT(2, b->doors.refused);
	not_code = true;
	expect_left_alone(b, 26, got);
	not_code = false;
	EXPECT_INT(3, b->doors.refused);
	/* A call of another function is not ours to lead, whoever says that births come from it. */
	write_piece(27, (const void *)(uintptr_t)other_function);
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		births_event((uintptr_t) & (struct object){.mark_low = 1, .klass = 3}, pc_of(27), 0,
			0, 0, 0, 0);
	stand(b, got);
	EXPECT(goes_to(27) == (uintptr_t)other_function);
	EXPECT_INT(4, b->doors.refused);
	/* Another's door, at a place that did not get it. */
	write_piece(28, (const void *)goes_to(0));
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		born(b, 28, 3);
	uintptr_t before = goes_to(28);
	stand(b, got);
	EXPECT(goes_to(28) == before);
	EXPECT_INT(5, b->doors.refused);
	free(got);
	end(b);
}

/* Of an interpreter's or a stub's call the key is no return address. */
TEST(places_that_are_no_return_address)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	uintptr_t frame[4] = {0, 0, 0, pc_of(30)};
	caller_is = CALLER_STUB;
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		births_event((uintptr_t) & (struct object){.mark_low = 1, .klass = 3}, 0x9999,
			(uintptr_t)&frame[2], 0, 0, 0, 0);
	stand(b, got);
	EXPECT_INT(DOOR_WISH_LEAST, got->objects[30][3]);
	EXPECT(!has_door(30));
	EXPECT_INT(0, b->doors.refused); /* not even asked */
	free(got);
	end(b);
}

TEST(none_where_paths_are_walked)
{
	struct births *b = begin_with(1000000);
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 31, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(!has_door(31));
	many(b, 17, 3, 3); /* has a door from before */
	EXPECT_INT(0, behind_doors(b));
	stand(b, got);
	EXPECT_INT(3, got->objects[17][3]);
	free(got);
	end(b);
}

/* Threads come and go, the program stands every now and then, and places turn hot, are forgotten,
 * and jump: all that was born is counted. */

enum { THREADS = 4, ROUNDS = 30, STEPS = 12000, AT = 32, PLACES = 24 };

struct worker {
	uint64_t seed;
	uint64_t objects[PLACES][ARRAY + ARRAYS], bytes[PLACES][ARRAY + ARRAYS];
	uint64_t wrong;
};

static uint32_t any_klass(struct rng *r, unsigned place)
{
	uint32_t usual = place % 3 ? 1 + place % 5 : ARRAY + place % ARRAYS;
	return rng_below(r, 16) ? usual : 1 + (uint32_t)rng_below(r, 6);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct rng r = rng_init(w->seed);
	for (int i = 0; i < STEPS; i++) {
		unsigned place = (unsigned)rng_below(&r, PLACES);
		struct object o = {.mark_low = rng_below(&r, 32) ? 1 : 1 | 3 << 3,
			.klass = any_klass(&r, place),
			.length = (uint32_t)rng_below(&r, 100)};
		uint32_t low = o.mark_low;
		call(AT + place, &o);
		w->objects[place][o.klass]++;
		w->bytes[place][o.klass] += true_bytes(&o);
		const struct exact_site *s = &births_get()->sites.at[site_in(&o)];
		w->wrong += s->key != pc_of(AT + place) || s->klass != o.klass ||
			    (o.mark_low & ~(uint32_t)BIRTH_JUMPED) != (low & 7);
	}
	return NULL;
}

static bool is_picked(void *arg, const struct exact_site *s)
{
	struct rng *r = arg;
	return !s->retired && rng_below(r, 16) == 0;
}

static void change(struct births *b, struct rng *r)
{
	uint64_t places[PLACES];
	size_t count = 0;
	if (rng_below(r, 3) == 0)
		births_forget(b, is_picked, r);
	for (unsigned i = 0; i < PLACES; i++)
		if (rng_below(r, 8) == 0)
			places[count++] = pc_of(AT + i);
	if (rng_below(r, 3) == 0)
		EXPECT_INT(0, births_jump(b, places, count));
}

TEST(threads_lose_nothing)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	struct worker *w = calloc(THREADS, sizeof(*w));
	struct rng r = rng_init(tap_seed());
	uint64_t wrong = 0, through = 0;
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t threads[THREADS];
		for (int i = 0; i < THREADS; i++) {
			w[i].seed = rng_u64(&r);
			EXPECT_INT(0, pthread_create(&threads[i], NULL, work, &w[i]));
		}
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		through += behind_doors(b);
		change(b, &r);
		stand(b, got);
		births_turn(b);
	}
	for (int i = 0; i < THREADS; i++)
		wrong += w[i].wrong;
	EXPECT_INT(0, wrong);
	EXPECT(through > (uint64_t)THREADS * ROUNDS * STEPS / 4);
	for (int p = 0; p < PLACES; p++)
		for (int k = 0; k < ARRAY + ARRAYS; k++) {
			uint64_t objects = 0, bytes = 0;
			for (int i = 0; i < THREADS; i++) {
				objects += w[i].objects[p][k];
				bytes += w[i].bytes[p][k];
			}
			wrong += objects != got->objects[AT + p][k] ||
				 bytes != got->bytes[AT + p][k];
		}
	EXPECT_INT(0, wrong);
	free(w);
	free(got);
	end(b);
}

/* What a thread does at its very end, after its block has gone to others, is not counted there. */
static pthread_key_t late_key;
static struct birth_thread *block;
static uint64_t through_late;

static void late(void *arg)
{
	static _Thread_local int turns;
	struct object o = {.mark_low = 1, .klass = 3};
	uint64_t before = block ? behind_doors(births_get()) : 0;
	bool gone = turns && !births_here;
	block = births_here ? births_here : block;
	call(56, &o);
	if (gone)
		through_late += behind_doors(births_get()) - before;
	if (turns++ < 2)
		pthread_setspecific(late_key, arg);
}

static void *ends_late(void *arg)
{
	struct births *b = births_get();
	struct object o = {.mark_low = 1, .klass = 3};
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		call(56, &o), o.mark_low = 1, o.mark_high = 0;
	stand(b, arg);
	pthread_setspecific(late_key, arg);
	late(arg);
	return NULL;
}

TEST(births_at_the_very_end_of_a_thread)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	pthread_t thread;
	EXPECT_INT(0, pthread_key_create(&late_key, late));
	EXPECT_INT(0, pthread_create(&thread, NULL, ends_late, got));
	pthread_join(thread, NULL);
	EXPECT(has_door(56));
	EXPECT_INT(0, through_late);
	stand(b, got);
	EXPECT_INT(DOOR_WISH_LEAST + 3, got->objects[56][3]);
	pthread_key_delete(late_key);
	free(got);
	end(b);
}

/* Which doors for instances are somebody's. */
static unsigned doors_taken(const struct births *b)
{
	unsigned taken = 0;
	for (int i = 0; i < BIRTH_DOORS_PLAIN; i++)
		taken += b->doors.at[i].pc != 0;
	return taken;
}

/* A constant that two pages have a part of is left alone. */
static bool in_two_pages(unsigned i)
{
	uintptr_t at = (uintptr_t)code + (uintptr_t)i * PIECE + CALL + 2;
	return at / 4096 != (at + 7) / 4096;
}

/* Places from `first` on, `count` of them that can have doors, make `objects` each. */
static unsigned many_places(unsigned first, unsigned count, unsigned objects)
{
	unsigned i = first;
	for (unsigned done = 0; done < count; i++) {
		if (in_two_pages(i))
			continue;
		for (unsigned n = 0; n < objects; n++)
			call(i, &(struct object){.mark_low = 1, .klass = 3});
		done++;
	}
	return i;
}

static unsigned with_doors(unsigned first, unsigned end_)
{
	unsigned count = 0;
	for (unsigned i = first; i < end_; i++)
		count += has_door(i);
	return count;
}

/* So many at once, until there are no more; the others go the ordinary way, and are not given up.
 */
TEST(of_many_that_are_alike_some)
{
	enum { MANY = 1000 };
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	unsigned next = many_places(100, MANY, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT_INT(BIRTH_DOORS_AT_ONCE, with_doors(100, next));
	for (int i = 0; i < 5; i++) {
		many_places(100, MANY, DOOR_WISH_LEAST);
		stand(b, got);
	}
	EXPECT_INT(BIRTH_DOORS_PLAIN, with_doors(100, next));
	EXPECT_INT(BIRTH_DOORS_PLAIN, b->doors.open);
	EXPECT_INT(0, b->doors.refused);
	many_places(100, MANY, 1);
	EXPECT_INT(BIRTH_DOORS_PLAIN, behind_doors(b));
	stand(b, got);
	EXPECT_INT(MANY * (6 * DOOR_WISH_LEAST + 1), got->others);
	free(got);
	end(b);
}

/* Which makes as much as all others. */
TEST(the_hottest_is_first)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	unsigned hot = 1090;
	many_places(100, 1000, DOOR_WISH_LEAST);
	EXPECT(!in_two_pages(hot) && !has_door(hot));
	many_places(hot, 1, 1000 * DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(hot));
	free(got);
	end(b);
}

/* Of five thousand objects it makes one. */
TEST(who_makes_too_few_of_all)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	unsigned few = 90, hot = 91;
	many(b, few, 3, DOOR_WISH_LEAST);
	many_places(hot, 1, 5000 * DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(!has_door(few) && has_door(hot));
	many(b, few, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(few));
	free(got);
	end(b);
}

/* Sets of places come one after the other. Who had the doors calls the VM's function again. */
TEST(cold_ones_give_way)
{
	enum { GROUP = 64, GROUPS = 20 };
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	unsigned first = 1200, next = first;
	for (int g = 0; g < GROUPS; g++) {
		unsigned from = next;
		next = many_places(from, GROUP, DOOR_WISH_LEAST);
		stand(b, got);
		EXPECT_INT(GROUP, with_doors(from, next));
		many_places(from, GROUP, 1);
		EXPECT_INT(GROUP, behind_doors(b));
	}
	stand(b, got);
	EXPECT_INT(BIRTH_DOORS_PLAIN, with_doors(first, next));
	for (unsigned i = first; i < next; i++)
		EXPECT(has_door(i) || goes_to(i) == (uintptr_t)births_entry_rsi);
	EXPECT_INT(0, b->doors.refused);
	many_places(first, GROUP * GROUPS, 1);
	EXPECT_INT(BIRTH_DOORS_PLAIN, behind_doors(b));
	many_places(first, GROUP, DOOR_WISH_LEAST); /* the first ones again */
	stand(b, got);
	EXPECT(has_door(first));
	EXPECT_INT(BIRTH_DOORS_PLAIN, with_doors(first, next));
	EXPECT_INT(GROUP * GROUPS * (DOOR_WISH_LEAST + 2) + GROUP * DOOR_WISH_LEAST, got->others);
	free(got);
	end(b);
}

/* As long as those that have them are nearly as hot. */
TEST(hot_ones_keep_theirs)
{
	enum { MORE = 64 };
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	unsigned first = 2700, next = first;
	while (next < first + BIRTH_DOORS_PLAIN) {
		next = many_places(next, MORE, DOOR_WISH_LEAST);
		stand(b, got);
	}
	/* All make objects, those that have doors and those that have none. */
	unsigned last = next;
	for (int i = 0; i < 8; i++) {
		last = many_places(first, BIRTH_DOORS_PLAIN + MORE, DOOR_WISH_LEAST);
		stand(b, got);
	}
	unsigned cold = first;
	while (has_door(cold) || in_two_pages(cold))
		cold++;
	EXPECT(cold < last);
	EXPECT_INT(BIRTH_DOORS_PLAIN, with_doors(first, last));
	EXPECT_INT(0, b->doors.refused);
	many_places(first, BIRTH_DOORS_PLAIN + MORE, DOOR_WISH_LEAST);
	many_places(cold, 1, 3 * DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(cold)); /* is four times as hot now */
	EXPECT_INT(BIRTH_DOORS_PLAIN, with_doors(first, last));
	free(got);
	end(b);
}

/* Code that has gone meanwhile: what stands there is left as it is. */
TEST(doors_of_code_that_went)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	many(b, 57, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(57));
	uintptr_t door = goes_to(57);
	write_piece(57, (const void *)(uintptr_t)other_function);
	unsigned next = 3300;
	for (int g = 0; g < 8; g++) {
		next = many_places(next, 64, DOOR_WISH_LEAST);
		stand(b, got);
	}
	EXPECT(goes_to(57) == (uintptr_t)other_function);
	bool given = false;
	for (unsigned i = 3300; i < next; i++)
		given |= goes_to(i) == door;
	EXPECT(given);
	EXPECT_INT(0, b->doors.refused);
	free(got);
	end(b);
}

/* Where the system does not let the call be written, the door is the next one's. */
static uint8_t *shared;

static uintptr_t shared_code(void *arg, uintptr_t pc)
{
	uintptr_t far = pc - (uintptr_t)shared;
	return far && far < 4096 ? (uintptr_t)shared : fake_code(arg, pc);
}

static void map_shared(void)
{
	int fd = memfd_create("code", MFD_CLOEXEC);
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXPECT(write(fd, code + 60 * PIECE, PIECE) == PIECE && ftruncate(fd, 4096) == 0);
	int again = open(path, O_RDONLY | O_CLOEXEC);
	shared = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, again, 0);
	EXPECT(shared != MAP_FAILED);
	close(again);
	close(fd);
}

TEST(calls_that_can_not_be_written)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	map_shared();
	b->doors.oracle.code = shared_code;
	EXPECT_INT(BIRTH_DOORS_PLAIN, doors_taken(b)); /* of tests before */
	for (int i = 0; i < DOOR_WISH_LEAST; i++)
		((int (*)(uintptr_t, uintptr_t))(uintptr_t)shared)(
			0, (uintptr_t) & (struct object){.mark_low = 1, .klass = 3});
	stand(b, got);
	EXPECT_INT(DOOR_WISH_LEAST, got->others);
	EXPECT_INT(1, b->doors.refused);
	EXPECT_INT(BIRTH_DOORS_PLAIN - 1, doors_taken(b));
	EXPECT_INT(0, b->doors.open);
	many(b, 58, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(58));
	EXPECT_INT(1, b->doors.open);
	munmap(shared, 4096);
	free(got);
	end(b);
}

/* In one thread membarrier(2) is not allowed any more. */
static bool forbid_fence(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {ARRAY_SIZE(filter), filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void *stand_without_fence(void *arg)
{
	EXPECT(forbid_fence() && !code_fence());
	stand(births_get(), arg);
	return NULL;
}

/* The calls go where they went, and later recordings find the doors free. */
TEST(calls_are_led_back_where_no_fence_is)
{
	struct births *b = begin();
	struct counts *got = calloc(1, sizeof(*got));
	pthread_t thread;
	many(b, 61, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(61));
	many(b, 62, 3, DOOR_WISH_LEAST);
	many(b, 63, ARRAY, DOOR_WISH_LEAST);
	EXPECT_INT(0, pthread_create(&thread, NULL, stand_without_fence, got));
	pthread_join(thread, NULL);
	EXPECT(goes_to(62) == (uintptr_t)births_entry_rsi);
	EXPECT(goes_to(63) == (uintptr_t)births_entry_rsi);
	EXPECT(!b->doors.oracle.code);
	EXPECT_INT(1, b->doors.open);
	many(b, 61, 3, 5); /* has had its fence */
	many(b, 62, 3, 7);
	EXPECT_INT(5, behind_doors(b));
	many(b, 62, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(!has_door(62));
	EXPECT_INT(DOOR_WISH_LEAST + 5, got->objects[61][3]);
	EXPECT_INT(2 * DOOR_WISH_LEAST + 7, got->objects[62][3]);
	for (int i = 0; i < BIRTH_DOORS; i++)
		EXPECT(b->doors.at[i].pc != pc_of(62) && b->doors.at[i].pc != pc_of(63));
	end(b);
	b = begin();
	many(b, 62, 3, DOOR_WISH_LEAST);
	stand(b, got);
	EXPECT(has_door(62));
	free(got);
	end(b);
}

/* An object whose class is an address. */
struct wide_object {
	_Alignas(16) uint64_t mark;
	uint32_t klass, upper, length;
};

static void born_wide(unsigned i, uint32_t klass, uint32_t length)
{
	struct wide_object o = {1, klass, 0x7f3a, length};
	call(i, (struct object *)&o);
	EXPECT_INT(klass, births_get()->sites.at[o.mark >> 42].klass);
	EXPECT(o.klass == klass && o.upper == 0x7f3a && o.length == length);
}

/* The last one: a VM's classes are all compressed or none, and here calls would lead to doors of
 * the other kind. Each array is held against what its length and header come to, and a door falls
 * back to what knows the header. */
TEST(classes_that_are_not_compressed)
{
	enum { INSTANCE_AT = 40, ARRAY_AT };
	struct counts *got = calloc(1, sizeof(*got));
	uint64_t bytes = 0;
	wide = true;
	birth_mark_of(BIRTH_HEADER_WIDE);
	struct births *b = begin();
	write_piece(INSTANCE_AT, births_entry_wide_rsi);
	write_piece(ARRAY_AT, births_entry_wide_rsi);
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t n = 0; n < DOOR_WISH_LEAST; n++) {
			born_wide(INSTANCE_AT, 3, 0);
			born_wide(ARRAY_AT, ARRAY + 5, n % 97);
			bytes += (20 + 2 * (n % 97) + 7) / 8 * 8;
		}
		EXPECT_INT(round ? 2 * DOOR_WISH_LEAST : 0, behind_doors(b));
		stand(b, got);
		EXPECT(has_door(INSTANCE_AT) && has_door(ARRAY_AT));
	}
	born_wide(INSTANCE_AT, ARRAY + 1, 9); /* another class: no door's */
	stand(b, got);
	EXPECT_INT(2 * DOOR_WISH_LEAST, got->objects[INSTANCE_AT][3]);
	EXPECT_INT(2 * DOOR_WISH_LEAST * 40, got->bytes[INSTANCE_AT][3]);
	EXPECT_INT(2 * DOOR_WISH_LEAST, got->objects[ARRAY_AT][ARRAY + 5]);
	EXPECT_INT(bytes, got->bytes[ARRAY_AT][ARRAY + 5]);
	EXPECT_INT((24 + 18 + 7) / 8 * 8, got->bytes[INSTANCE_AT][ARRAY + 1]);
	end(b);
	birth_mark_of(BIRTH_HEADER_NARROW);
	wide = false;
	free(got);
}

#endif
