/*
 * Births as events: through the entries that the VM's functions jump to, and their C twin, with
 * headers of all kinds. Each object must be told of once, in the order of its thread, by its
 * address and the site that was counted for it.
 */
#include "exact/births.h"

#include <pthread.h>
#include <string.h>

#include "base/compiler.h"
#include "base/rng.h"
#include "exact/chunk_cursor.h"
#include "exact/shape.h"
#include "support/tap.h"

enum { OBJECTS = 20000, WORDS = 64, PLACES = 5, KLASSES = 3, ARRAY_KLASS = 2, UNTOLD = 3 };

static uint32_t align = 8;
static enum birth_header header; /* a narrow one but where a test says otherwise */
static bool dynamic;
static _Alignas(8) uint64_t heap[OBJECTS * 4];

struct told {
	uintptr_t address;
	uint32_t klass;
	unsigned place;
};
static struct told told[OBJECTS];
static uint64_t expected_bytes;

static enum caller compiled(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	return CALLER_COMPILED;
}

static void walk(
	void *arg, const struct birth *b, struct code_blob_memo *m, struct birth_place *out)
{
	(void)m;
	(void)arg, (void)b, (void)out;
}

/* Before an array's bytes. */
static uint32_t array_header(void)
{
	return header == BIRTH_HEADER_WIDE ? 20 : 16;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	s->bytes1 = s->klass == ARRAY_KLASS || s->klass == UNTOLD ? 0 : 32;
	s->shape = s->klass == ARRAY_KLASS
			   ? shape_of_array((int32_t)(3u << 30 | array_header() << 16 | 8u << 8))
			   : 0;
}

static uint64_t bytes(void *arg, uintptr_t object)
{
	(void)arg;
	return ((const uint32_t *)object)[2] == UNTOLD ? 0 : 32;
}

static bool outside(void *arg, uintptr_t object, uint64_t size)
{
	(void)arg, (void)object, (void)size;
	return false;
}

static const struct birth_oracle oracle = {NULL, compiled, walk, NULL, define, bytes, outside};

static void put_class(uint64_t *at, uint32_t klass, uint32_t length)
{
	static const uint64_t upper_half = 0x7f3a;
	if (header == BIRTH_HEADER_COMPACT) {
		at[1] = length;
	} else if (header == BIRTH_HEADER_NARROW) {
		at[1] = klass | (uint64_t)length << 32;
	} else {
		at[1] = klass | upper_half << 32;
		at[2] = length;
	}
}

/* An object 32 bytes behind the last, now and then far away. */
static struct told make(struct rng *rng, size_t i)
{
	uint64_t *at = &heap[i * 4];
	uint32_t klass = 1 + (uint32_t)rng_below(rng, KLASSES - 1), length = 0;
	static const uint64_t odd[] = {2, 9, 0, 0x7f01, 5}; /* 9 and 0x7f01 are free */
	at[0] = header == BIRTH_HEADER_COMPACT ? 1 | (uint64_t)klass << 42
		: rng_below(rng, 20)           ? 1
					       : odd[rng_below(rng, ARRAY_SIZE(odd))];
	if (klass == ARRAY_KLASS)
		length = (uint32_t)rng_below(rng, 9);
	put_class(at, klass, length);
	expected_bytes +=
		klass == ARRAY_KLASS ? (array_header() + length + align - 1) / align * align : 32;
	return (struct told){(uintptr_t)at, klass, 0};
}

typedef int entry_rdi(uintptr_t object);
typedef int entry_rsi(uintptr_t thread, uintptr_t object);

/* Each is a place of its own: where it calls from. */
static __attribute__((noinline)) void by_rdi(uintptr_t o)
{
	static const char *const entries[][BIRTH_HEADERS] = {
		{births_entry_rdi, births_entry_compact_rdi, births_entry_wide_rdi},
		{births_dynamic_rdi, births_dynamic_compact_rdi, births_dynamic_wide_rdi}};
	const char *at = entries[dynamic][header];
	EXPECT_INT(0, ((entry_rdi *)(uintptr_t)at)(o));
	__asm__ volatile("# rdi");
}

static __attribute__((noinline)) void by_rsi(uintptr_t o)
{
	static const char *const entries[][BIRTH_HEADERS] = {
		{births_entry_rsi, births_entry_compact_rsi, births_entry_wide_rsi},
		{births_dynamic_rsi, births_dynamic_compact_rsi, births_dynamic_wide_rsi}};
	const char *at = entries[dynamic][header];
	EXPECT_INT(0, ((entry_rsi *)(uintptr_t)at)(99, o));
	__asm__ volatile("# rsi");
}

static void give_birth(struct told *t, unsigned place)
{
	t->place = place;
	if (place == 0)
		by_rdi(t->address);
	else if (place == 1)
		by_rsi(t->address);
	else
		births_event(t->address, 0x1000 * place, 0, 0, 0, 0, 0);
}

struct taken {
	struct chunk *first, *last;
	uint64_t dropped;
};

static void take_log(void *arg, struct event_log *log)
{
	struct taken *t = arg;
	struct chunk *list = event_log_take(log);
	t->dropped += log->dropped;
	log->dropped = 0;
	for (; list; list = list->next) {
		if (t->last)
			t->last->next = list;
		else
			t->first = list;
		t->last = list;
	}
}

static void visit(void *arg, const struct birth_sum *s)
{
	struct birth_sum *sum = arg;
	sum->objects += s->objects;
	sum->bytes += s->bytes;
}

/* The site's key, where it is one of the C twin's places. */
static void expect_event(const struct births *b, const struct event *e, const struct told *t)
{
	const struct exact_site *site = &b->sites.at[e->site];
	EXPECT_INT(t->address, e->address);
	EXPECT_INT(t->klass, site->klass);
	if (t->place > 1)
		EXPECT_INT(0x1000 * t->place, site->key);
}

static size_t expect_events(const struct births *b, const struct taken *taken, uint64_t thread)
{
	size_t i = 0;
	for (const struct chunk *c = taken->first; c; c = c->next) {
		struct chunk_cursor cursor = chunk_cursor(c);
		struct event e;
		EXPECT_INT(thread, c->thread);
		while (chunk_cursor_next(&cursor, &e) && i < OBJECTS)
			expect_event(b, &e, &told[i++]);
	}
	return i;
}

static void run(struct births *b, uint32_t chunks)
{
	struct rng rng = rng_init(tap_seed());
	struct chunk_pool pool;
	struct taken taken = {NULL, NULL, 0};
	struct birth_sum sum = {0, 0, 0, 0, 0};
	EXPECT_INT(0, chunk_pool_init(&pool, chunks, 0, WORDS));
	EXPECT_INT(0, births_open(b, &oracle, &pool));
	births_set(b, BIRTHS_LOGGED);
	struct told first = make(&rng, 0);
	told[0] = first;
	give_birth(&told[0], 2);
	births_name(7);
	births_logs(b, take_log, &taken); /* that was another's */
	chunk_pool_give(&pool, taken.first);
	taken = (struct taken){NULL, NULL, 0};
	for (size_t i = 0; i < OBJECTS; i++) {
		told[i] = make(&rng, i);
		give_birth(&told[i], (unsigned)rng_below(&rng, PLACES));
	}
	births_set(b, BIRTHS_OFF);
	births_logs(b, take_log, &taken);
	size_t events = expect_events(b, &taken, 7);
	EXPECT_INT(OBJECTS, events + taken.dropped);
	EXPECT_INT(chunks<OBJECTS / WORDS, taken.dropped> 0);
	births_take(b, visit, &sum);
	EXPECT_INT(OBJECTS + 1, sum.objects);
	EXPECT_INT(expected_bytes, sum.bytes);
	chunk_pool_give(&pool, taken.first);
	EXPECT_INT(0, slab_held(&pool.slab));
	births_close(b);
	chunk_pool_release(&pool);
	expected_bytes = 0;
}

static void run_both(enum birth_header of)
{
	header = of;
	birth_mark_of(of);
	run(births_get(), OBJECTS);
	dynamic = true;
	run(births_get(), OBJECTS);
	dynamic = false;
	birth_mark_of(BIRTH_HEADER_NARROW);
	header = BIRTH_HEADER_NARROW;
}

TEST(each_birth_is_an_event)
{
	run_both(BIRTH_HEADER_NARROW);
}

TEST(objects_further_apart)
{
	birth_align_to(align = 16);
	run_both(BIRTH_HEADER_NARROW);
	run_both(BIRTH_HEADER_COMPACT);
	birth_align_to(align = 8);
}

TEST(classes_that_are_not_compressed)
{
	run_both(BIRTH_HEADER_WIDE);
	for (size_t i = 0; i < OBJECTS; i++)
		EXPECT_INT(told[i].klass, heap[i * 4 + 1] & UINT32_MAX);
}

/* What finds no room is counted, and counted as a birth all the same. */
TEST(an_empty_pool)
{
	run(births_get(), 3);
}

TEST(compact_headers)
{
	run_both(BIRTH_HEADER_COMPACT);
	for (size_t i = 0; i < OBJECTS; i++) /* the class is still in the mark, and no site */
		EXPECT_INT(told[i].klass, heap[i * 4] >> 42);
}

TEST(only_counted)
{
	struct births *b = births_get();
	struct chunk_pool pool;
	struct taken taken = {NULL, NULL, 0};
	struct rng rng = rng_init(tap_seed());
	EXPECT_INT(0, chunk_pool_init(&pool, 4, 0, WORDS));
	EXPECT_INT(0, births_open(b, &oracle, &pool));
	births_set(b, BIRTHS_COUNTED);
	for (size_t i = 0; i < 100; i++) {
		told[i] = make(&rng, i);
		give_birth(&told[i], (unsigned)(i % PLACES));
	}
	births_set(b, BIRTHS_OFF);
	births_logs(b, take_log, &taken);
	EXPECT(taken.first == NULL);
	births_close(b);
	chunk_pool_release(&pool);
	expected_bytes = 0;
}

static void *named_thread(void *arg)
{
	births_event((uintptr_t)&heap[0], 0x3000, 0, 0, 0, 0, 0);
	births_name((uint64_t)(uintptr_t)arg);
	births_event((uintptr_t)&heap[4], 0x3000, 0, 0, 0, 0, 0);
	return NULL;
}

static void *unnamed_thread(void *arg)
{
	births_event((uintptr_t)&heap[8], 0x3000, 0, 0, 0, 0, 0);
	births_event((uintptr_t)&heap[12], 0x3000, 0, 0, 0, 0, 0);
	return arg;
}

static void run_thread(void *(*body)(void *), uintptr_t name)
{
	pthread_t thread;
	EXPECT_INT(0, pthread_create(&thread, NULL, body, (void *)name));
	pthread_join(thread, NULL);
}

/* Who has a block after a thread that had a name is not told to be that one. */
TEST(a_log_of_a_thread_that_has_ended)
{
	struct births *b = births_get();
	struct chunk_pool pool;
	struct taken taken = {NULL, NULL, 0};
	EXPECT_INT(0, chunk_pool_init(&pool, 16, 0, WORDS));
	EXPECT_INT(0, births_open(b, &oracle, &pool));
	births_set(b, BIRTHS_LOGGED);
	run_thread(named_thread, 9);
	run_thread(unnamed_thread, 0);
	births_set(b, BIRTHS_OFF);
	births_logs(b, take_log, &taken);
	uint32_t named = 0, unnamed = 0;
	for (const struct chunk *c = taken.first; c; c = c->next)
		*(c->thread == 9 ? &named : &unnamed) += c->events;
	EXPECT_INT(1, named);
	EXPECT_INT(3, unnamed);
	chunk_pool_give(&pool, taken.first);
	births_close(b);
	chunk_pool_release(&pool);
}

static enum caller ends_it(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	births_set(births_get(), BIRTHS_OFF);
	return CALLER_COMPILED;
}

/* A thread that is in the middle of one when births end counts it, and so logs it. */
TEST(the_end_in_the_middle_of_a_birth)
{
	struct birth_oracle ending = oracle;
	struct births *b = births_get();
	struct birth_sum sum = {0, 0, 0, 0, 0};
	struct chunk_pool pool;
	struct taken taken = {NULL, NULL, 0};
	uint32_t events = 0;
	ending.caller = ends_it;
	EXPECT_INT(0, chunk_pool_init(&pool, 16, 0, WORDS));
	EXPECT_INT(0, births_open(b, &ending, &pool));
	births_set(b, BIRTHS_LOGGED);
	heap[0] = heap[1] = 1;
	births_event((uintptr_t)&heap[0], 0x3000, 0, 0, 0, 0, 8);
	births_event((uintptr_t)&heap[0], 0x3000, 0, 0, 0, 0, 8); /* it is over */
	births_logs(b, take_log, &taken);
	for (const struct chunk *c = taken.first; c; c = c->next)
		events += c->events;
	expected_bytes = 0;
	births_take(b, visit, &sum);
	EXPECT_INT(1, sum.objects);
	EXPECT_INT(1, events);
	chunk_pool_give(&pool, taken.first);
	births_close(b);
	chunk_pool_release(&pool);
}

static bool stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool again,
	struct java_stack *out)
{
	(void)arg, (void)cache, (void)again;
	out->count = out->any = true;
	out->hash = b->pc;
	out->end = STACK_ROOT;
	return false;
}

/* Every other object is of a class that is not to be counted: no event has it, whether or not
 * births are counted by their paths. */
static void run_untold(uint64_t every)
{
	struct birth_oracle walking = oracle;
	struct births *b = births_get();
	struct chunk_pool pool;
	struct taken taken = {NULL, NULL, 0};
	size_t events = 0;
	walking.stack = stack;
	EXPECT_INT(0, chunk_pool_init(&pool, 16, 0, WORDS));
	EXPECT_INT(0, births_open(b, &walking, &pool));
	births_walk(b, every, tap_seed());
	births_set(b, BIRTHS_LOGGED);
	for (size_t i = 0; i < 100; i++) {
		heap[i * 4] = 1;
		heap[i * 4 + 1] = i % 2 ? UNTOLD : 1;
		births_event((uintptr_t)&heap[i * 4], 0x3000, 0, 0, 0, 0, 8);
	}
	births_set(b, BIRTHS_OFF);
	births_logs(b, take_log, &taken);
	for (const struct chunk *c = taken.first; c; c = c->next)
		events += c->events;
	EXPECT_INT(50, events);
	chunk_pool_give(&pool, taken.first);
	births_close(b);
	chunk_pool_release(&pool);
}

TEST(a_class_that_is_not_counted)
{
	run_untold(0);
	run_untold(1);
}
