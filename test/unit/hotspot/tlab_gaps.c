#include "hotspot/tlab_gaps.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { THREADS = 5, RESERVE = 16 };

struct thread {
	uintptr_t tlab[5]; /* start, top, -, end, true end */
	struct thread *next;
};
struct list {
	struct thread *const *threads;
	uint32_t length;
};

static struct thread threads[THREADS];
static struct thread *const array[THREADS] = {
	&threads[3], &threads[0], &threads[4], &threads[2], &threads[1]};
static struct list list = {array, THREADS}, *current = &list;
static struct thread *first = &threads[0];

static struct tlab_gaps made(bool chained, struct tlab_gap *room, size_t count)
{
	for (size_t i = 0; i < THREADS; i++)
		threads[i] = (struct thread){.next = i + 1 < THREADS ? &threads[i + 1] : NULL};
	return (struct tlab_gaps){.at = room,
		.room = count,
		.first = chained ? (uintptr_t)&first : 0,
		.list = (uintptr_t)&current,
		.next = offsetof(struct thread, next),
		.length = offsetof(struct list, length),
		.top = 8,
		.end = 24,
		.reserve = RESERVE};
}

TEST(gaps_come_in_order)
{
	for (int chained = 0; chained < 2; chained++) {
		struct tlab_gap room[THREADS];
		struct tlab_gaps g = made(chained, room, THREADS);
		for (uintptr_t i = 0; i < THREADS; i++) {
			uintptr_t at = 10000 - i * 1000;
			threads[i] = (struct thread){
				{at, at + 10, 0, at + 100, at + 100}, threads[i].next};
		}
		threads[1].tlab[3] -= 50;                            /* ends early, for a sample */
		memset(threads[2].tlab, 0, sizeof(threads[2].tlab)); /* has none */
		EXPECT_INT(0, tlab_gaps_read(&g));
		EXPECT_INT(4, g.count);
		static const uintptr_t want[] = {6000, 7000, 9000, 10000};
		for (size_t i = 0; i < ARRAY_SIZE(want); i++)
			EXPECT(g.at[i].low == want[i] + 10 &&
				g.at[i].high == want[i] + 100 + RESERVE);
		g.room = 3;
		EXPECT_INT(ERR_FULL, tlab_gaps_read(&g));
		EXPECT_INT(0, g.count);
	}
}

TEST(many_gaps)
{
	enum { MANY = 1000 };
	static struct thread many[MANY];
	static struct thread *all[MANY];
	struct list of = {all, MANY}, *now = &of;
	static struct tlab_gap room[MANY];
	struct tlab_gaps g = made(false, room, MANY);
	struct rng rng = rng_init(tap_seed());
	g.list = (uintptr_t)&now;
	for (size_t i = 0; i < MANY; i++) {
		many[i].tlab[1] = many[i].tlab[3] = 1 + rng_below(&rng, 1 << 20);
		all[i] = &many[i];
	}
	EXPECT_INT(0, tlab_gaps_read(&g));
	for (size_t i = 1; i < MANY; i++)
		EXPECT(g.at[i - 1].low <= g.at[i].low);
}

static struct vm_name name;
static struct vm_klass klass = {.layout = 24, .name = &name};
static _Alignas(8) uint64_t heap[300];

static void count(void *arg, uintptr_t address, uintptr_t k, size_t bytes)
{
	size_t *sum = arg;
	(void)address;
	*sum += k == (uintptr_t)&klass && bytes == 24;
}

TEST(a_walk_goes_around_them)
{
	struct vm_objects o = vm_objects_made(&klass, false);
	uintptr_t base = (uintptr_t)heap, reached;
	/* 30 objects, three gaps of garbage: at the start, in the middle, and over the end. */
	struct tlab_gap gaps[] = {{base - 999, base - 8}, {base, base + 40},
		{base + 40 + 240, base + 400}, {base + 400 + 480, base + 2000}};
	struct tlab_gaps g = {.at = gaps, .count = ARRAY_SIZE(gaps)};
	memset(heap, 0, sizeof(heap));
	for (uintptr_t at = 40; at < 400 + 480; at += at == 40 + 216 ? 24 + 120 : 24)
		vm_object_put(&o, (char *)heap + at, &klass, 0);
	size_t seen = 0;
	EXPECT_INT(0, heap_walk_around(&g, &o, base, base + 1500, count, &seen, &reached));
	EXPECT_INT(30, seen);
	EXPECT(reached == base + 1500);
	/* Without one of them it ends there. */
	g.count = 2;
	EXPECT_INT(
		ERR_CORRUPT, heap_walk_around(&g, &o, base, base + 1500, count, &seen, &reached));
	EXPECT(reached == base + 40 + 240);
	seen = 0;
	EXPECT_INT(0, heap_walk_around(&g, &o, base + 40, base + 280, count, &seen, &reached));
	EXPECT_INT(10, seen);
}

TEST(a_library_that_tells_nothing)
{
	struct tlab_gaps g;
	struct diag d = {0};
	struct vm_objects o = vm_objects_made(&klass, false);
	EXPECT_INT(ERR_UNSUPPORTED, tlab_gaps_open(&g, &o, &heap, 10, &d));
	EXPECT_STR("this VM does not tell where ThreadsSMRSupport::_java_thread_list is", d.text);
}

/* The smallest filler is a header, for which there is room in any gap where it has one word. */
TEST(what_is_kept_free)
{
	static const struct {
		bool compact;
		uint32_t align, prefetch, want;
	} rows[] = {{false, 8, 0, 16}, {false, 8, 1, 16}, {false, 8, 72, 576}, {true, 8, 0, 0},
		{true, 8, 1, 8}, {true, 8, 72, 576}, {false, 16, 0, 0}, {false, 16, 1, 16},
		{false, 64, 73, 640}, {true, 16, 1, 16}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vm_objects o = vm_objects_made(&klass, rows[i].compact);
		o.align = rows[i].align;
		EXPECT_INT(rows[i].want, tlab_gaps_reserve(&o, rows[i].prefetch));
	}
}
