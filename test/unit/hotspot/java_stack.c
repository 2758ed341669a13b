/*
 * Walks of stacks that are made up, frame by frame, over a made-up code cache: each frame must be
 * told, and nothing may be read outside of the stack, whatever stands in it.
 */
#include "hotspot/java_stack.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/rng.h"
#include "hotspot/methods.h"
#include "support/code_cache.h"
#include "support/tap.h"

enum { PAGE = 4096, WORDS = 512 };

struct thread {
	uintptr_t base, sp, pc, fp;
};

/* Methods of which nothing is told: they are not native. */
struct method {
	uintptr_t const_method;
};

static struct java_code_cache cache;
static struct code_blobs code;
static struct vm_methods methods;
static struct java_stacks stacks;
static struct method method;
static struct thread thread;
static uintptr_t *stack; /* [WORDS], with no page on either side */

static void open_stack(void)
{
	uint8_t *all = mmap(NULL, PAGE * 3, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(all + PAGE, PAGE, PROT_READ | PROT_WRITE);
	stack = (uintptr_t *)(void *)(all + PAGE);
}

static void begin(void)
{
	code = code_cache_made((uintptr_t)&method);
	stacks = (struct java_stacks){.blobs = &code,
		.methods = &methods,
		.anchor = offsetof(struct thread, sp),
		.last_pc = 8,
		.last_fp = 16,
		.call_wrapper = -48,
		.compilation = offsetof(struct cache_blob, compilation),
		.stub = offsetof(struct cache_blob, stub),
		.original = offsetof(struct cache_blob, original),
		.entry = cache_pc(CACHE_ENTRY, 16),
		.depth = JAVA_STACK_MAX};
	memset(&cache, 0, sizeof(cache));
	if (!stack)
		open_stack();
	memset(stack, 0, PAGE);
	thread = (struct thread){.base = (uintptr_t)stack + PAGE};
	java_code_changed();
}

/* What a walk should find, made by a stack that grows up from `sp`, as frames are left. */
struct made {
	struct java_stack want;
	struct java_stack_start start;
	uintptr_t sp;      /* of the frame that is made next */
	uintptr_t *fp_in;  /* where the next frame's rbp is to be written; NULL: into the start */
	uintptr_t *ret_in; /* and its return address */
};

static void set_pc(struct made *m, uintptr_t pc)
{
	*(m->ret_in ? m->ret_in : &m->start.pc) = pc;
}

static void want(struct made *m, uintptr_t where, uintptr_t of)
{
	m->want.frames[m->want.count++] = (struct java_frame){where, of};
}

static void put_sized(struct made *m, enum cache_which w, uintptr_t pc)
{
	uintptr_t *top = (uintptr_t *)(m->sp + (uintptr_t)cache_words(w) * 8);
	set_pc(m, pc);
	m->ret_in = top - 1;
	m->fp_in = top - 2;
	m->sp = (uintptr_t)top;
}

static void put_interpreted(struct made *m, uintptr_t bcp, uintptr_t of, unsigned operands)
{
	uintptr_t *fp = (uintptr_t *)(m->sp + 8 * (8 + operands));
	set_pc(m, cache_pc(CACHE_INTERPRETER, 40));
	*(m->fp_in ? m->fp_in : &m->start.fp) = (uintptr_t)fp;
	fp[-3] = of;
	fp[-8] = bcp;
	fp[-1] = (uintptr_t)(fp + 2 + operands);
	m->ret_in = fp + 1;
	m->fp_in = fp;
	m->sp = fp[-1];
}

/* The VM called Java from a native method's frame, or for the first time. */
static void put_entry(struct made *m, bool first)
{
	uintptr_t *fp = (uintptr_t *)(m->sp + 80), *wrapper = fp + 4;
	set_pc(m, cache_pc(CACHE_ENTRY, 16));
	*m->fp_in = (uintptr_t)fp;
	fp[-6] = (uintptr_t)wrapper;
	m->sp = (uintptr_t)(wrapper + 8);
	wrapper[0] = first ? 0 : m->sp;
	m->ret_in = &wrapper[1];
	m->fp_in = &wrapper[2];
}

static struct made make(struct rng *rng, unsigned count)
{
	struct made m = {.sp = (uintptr_t)stack + 64};
	m.start.sp = m.sp;
	m.start.thread = (uintptr_t)&thread;
	for (unsigned i = 0; i < count; i++) {
		unsigned kind = (unsigned)rng_below(rng, i ? 4 : 3);
		uintptr_t pc = cache_pc(
			kind == 0 ? CACHE_SMALL : CACHE_LARGE, 4 + (unsigned)rng_below(rng, 100));
		uintptr_t of = 0x10000 + 8 * rng_below(rng, 50), bcp = 1 + rng_below(rng, 900);
		if (kind < 2) {
			put_sized(&m, kind == 0 ? CACHE_SMALL : CACHE_LARGE, pc);
			want(&m, pc, 0);
		} else if (kind == 2) {
			put_interpreted(&m, bcp, of, (unsigned)rng_below(rng, 4));
			if (!i)
				m.start.bcp = bcp;
			want(&m, bcp, of);
		} else {
			put_sized(&m, CACHE_STUB, cache_pc(CACHE_STUB, 8));
		}
	}
	put_entry(&m, true);
	return m;
}

static bool same(const struct java_stack *a, const struct java_stack *b)
{
	return a->count == b->count &&
	       memcmp(a->frames, b->frames, a->count * sizeof(*a->frames)) == 0;
}

TEST(each_frame_is_told)
{
	struct rng rng = rng_init(tap_seed());
	for (int i = 0; i < 3000; i++) {
		begin();
		struct made m = make(&rng, 1 + (unsigned)rng_below(&rng, 25));
		struct java_stack got;
		java_stack_walk(&stacks, &cache, &m.start, true, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
}

/* A walk that was made before has the same hash, without its frames; one word of it that differs,
 * and it is made again. */
TEST(walks_that_were_made_before)
{
	struct rng rng = rng_init(tap_seed() + 1);
	unsigned again = 0;
	for (int i = 0; i < 2000; i++) {
		begin();
		struct made m = make(&rng, 1 + (unsigned)rng_below(&rng, 20));
		struct java_stack first, second, third;
		java_stack_walk(&stacks, &cache, &m.start, false, &first);
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		EXPECT(same(&m.want, &first));
		EXPECT(second.hash == first.hash && second.end == first.end && second.any);
		EXPECT_INT(0, second.count);
		uintptr_t *word = &stack[8 + rng_below(&rng, (m.sp - m.start.sp) / 8)], was = *word;
		*word = rng_below(&rng, 2) ? was + 8 : cache_pc(CACHE_LARGE, 200);
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		java_stack_walk(&stacks, &cache, &m.start, true, &third);
		again += second.count > 0;
		EXPECT(second.hash == third.hash && second.end == third.end);
		*word = was;
	}
	EXPECT(again > 300);
}

/* Methods that the VM has freed, and others in their place: each word of the stack is as it was. */
TEST(methods_that_are_replaced)
{
	static struct {
		uintptr_t constants;
		uint64_t names;
	} of;
	static uintptr_t pool = 1;
	static struct method one = {(uintptr_t)&of};
	begin();
	of.constants = (uintptr_t)&pool;
	methods.key = (struct method_key){.const_method = 8, .names = 8};
	const uintptr_t here = (uintptr_t)&one - 8;
	for (int interpreted = 0; interpreted < 2; interpreted++) {
		struct made m = {.sp = (uintptr_t)stack + 64};
		struct java_stack first, second, third;
		m.start = (struct java_stack_start){.sp = m.sp, .thread = (uintptr_t)&thread};
		if (interpreted)
			put_interpreted(&m, m.start.bcp = 7, here, 0);
		else
			put_sized(&m, CACHE_LARGE, cache_pc(CACHE_LARGE, 33));
		put_interpreted(&m, 9, here, 0);
		put_entry(&m, true);
		java_stack_walk(&stacks, &cache, &m.start, false, &first);
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		EXPECT(first.count == 2 && second.count == 0 && second.hash == first.hash);
		of.names++;
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		EXPECT(second.count == 2 && second.hash != first.hash);
		of.names--;
		pool++;
		java_stack_walk(&stacks, &cache, &m.start, false, &third);
		EXPECT(third.count == 2 && third.hash != first.hash && third.hash != second.hash);
		pool--;
		java_stack_walk(&stacks, &cache, &m.start, true, &third);
		EXPECT(third.hash == first.hash);
	}
	methods.key = (struct method_key){0};
}

/* One that went by more words than are remembered is made each time. */
TEST(walks_too_long_to_be_remembered)
{
	begin();
	struct made m = {.sp = (uintptr_t)stack + 64};
	struct java_stack got;
	m.start = (struct java_stack_start){.sp = m.sp, .bcp = 1, .thread = (uintptr_t)&thread};
	for (unsigned i = 0; i < 30; i++) {
		put_interpreted(&m, i + 1, 0x10000, 0);
		want(&m, i + 1, 0x10000);
	}
	put_entry(&m, true);
	for (int i = 0; i < 3; i++) {
		java_stack_walk(&stacks, &cache, &m.start, false, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
}

/* Code that goes, and other code in its place, whose frames are of another size. */
TEST(code_that_changes)
{
	begin();
	struct rng rng = rng_init(1);
	for (int i = 0; i < 200; i++) {
		struct made m = {.sp = (uintptr_t)stack + 64};
		struct java_stack got;
		m.start.sp = m.sp;
		m.start.thread = (uintptr_t)&thread;
		cache_blob(CACHE_SMALL)->compilation = 1000 + i;
		int words = 3 + (int)rng_below(&rng, 9);
		cache_blob(CACHE_SMALL)->frame_size = words;
		java_code_changed();
		uintptr_t *top = (uintptr_t *)(m.sp + (uintptr_t)words * 8);
		set_pc(&m, cache_pc(CACHE_SMALL, 20));
		want(&m, cache_pc(CACHE_SMALL, 20), 0);
		m.ret_in = top - 1;
		m.fp_in = top - 2;
		m.sp = (uintptr_t)top;
		put_sized(&m, CACHE_LARGE, cache_pc(CACHE_LARGE, 33));
		want(&m, cache_pc(CACHE_LARGE, 33), 0);
		put_entry(&m, true);
		java_stack_walk(&stacks, &cache, &m.start, false, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
	/* Freed: nothing is there. */
	struct made m = make(&rng, 1);
	struct java_stack got;
	m.start.pc = cache_pc(CACHE_SMALL, 20);
	cache_block(CACHE_SMALL)->used = 0;
	java_code_changed();
	java_stack_walk(&stacks, &cache, &m.start, false, &got);
	EXPECT_INT(0, got.count);
}

static enum java_stack_end end_at(uintptr_t pc, uint32_t *count)
{
	struct made m = {.sp = (uintptr_t)stack + 64};
	struct java_stack got;
	m.start.sp = m.sp;
	m.start.thread = (uintptr_t)&thread;
	put_sized(&m, CACHE_LARGE, cache_pc(CACHE_LARGE, 33));
	set_pc(&m, pc);
	java_stack_walk(&stacks, &cache, &m.start, true, &got);
	*count = got.count;
	return got.end;
}

TEST(ends)
{
	uint32_t count;
	begin();
	EXPECT_INT(STACK_FROZEN, end_at(cache_pc(CACHE_BARRIER, 8), &count));
	EXPECT_INT(1, count);
	EXPECT_INT(STACK_STRANGE, end_at(0x1234, &count));
	EXPECT_INT(1, count);
	/* To be deoptimised: the true return address is in the frame, or nothing that could be. */
	uintptr_t *frame = &stack[8 + 11];
	memset(stack, 0, PAGE);
	EXPECT_INT(STACK_CHANGED,
		end_at(cache_pc(CACHE_SMALL, CACHE_STUB_AT - CACHE_CODE + 20), &count));
	EXPECT_INT(1, count);
	frame[1] = cache_pc(CACHE_SMALL, 30);
	EXPECT_INT(STACK_STRANGE,
		end_at(cache_pc(CACHE_SMALL, CACHE_STUB_AT - CACHE_CODE + 20), &count));
	EXPECT_INT(2, count);
	stacks.depth = 1;
	EXPECT_INT(STACK_DEEP, end_at(cache_pc(CACHE_SMALL, 8), &count));
	EXPECT_INT(1, count);
	thread.base = 0;
	EXPECT_INT(STACK_NONE, end_at(cache_pc(CACHE_SMALL, 8), &count));
	EXPECT_INT(0, count);
}

/* The VM allocates: from its anchor on. */
TEST(from_the_anchor)
{
	begin();
	struct made m = {.sp = (uintptr_t)stack + 128};
	struct java_stack got;
	m.start = (struct java_stack_start){
		.pc = (uintptr_t)&got, .sp = (uintptr_t)stack + 32, .thread = (uintptr_t)&thread};
	thread.sp = m.sp;
	m.ret_in = &thread.pc;
	m.fp_in = &thread.fp;
	put_sized(&m, CACHE_STUB, cache_pc(CACHE_STUB, 8));
	put_interpreted(&m, 77, 0x10000, 2);
	want(&m, 77, 0x10000);
	put_entry(&m, false);
	put_sized(&m, CACHE_LARGE, cache_pc(CACHE_LARGE, 50));
	want(&m, cache_pc(CACHE_LARGE, 50), 0);
	put_entry(&m, true);
	for (int i = 0; i < 2; i++) {
		java_stack_walk(&stacks, &cache, &m.start, false, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
	thread.sp = 0;
	java_stack_walk(&stacks, &cache, &m.start, false, &got);
	EXPECT_INT(STACK_NONE, got.end);
	EXPECT(!got.any);
}

/* Whatever stands there: addresses in and around the stack, of code, small numbers and noise. What
 * is read outside of the stack faults. */
static uintptr_t hostile(struct rng *rng)
{
	uintptr_t base = (uintptr_t)stack;
	switch (rng_below(rng, 6)) {
	case 0:
		return base + 8 * rng_below(rng, WORDS + 4);
	case 1:
		return base - 64 + rng_below(rng, PAGE + 128);
	case 2:
		return (uintptr_t)cache_block(CACHE_SMALL) +
		       rng_below(rng, CACHE_SEGMENT * CACHE_SEGMENTS);
	case 3:
		return stacks.entry;
	case 4:
		return rng_below(rng, 64);
	default:
		return rng_u64(rng);
	}
}

TEST(hostile_stacks)
{
	struct rng rng = rng_init(tap_seed() + 2);
	begin();
	for (int i = 0; i < 60000; i++) {
		struct java_stack got;
		for (int k = 0; k < WORDS; k++)
			if (i % 16 == 0 || rng_below(&rng, 40) == 0)
				stack[k] = hostile(&rng);
		struct java_stack_start s = {.pc = hostile(&rng),
			.sp = (uintptr_t)stack + 8 * rng_below(&rng, WORDS),
			.fp = hostile(&rng),
			.bcp = hostile(&rng),
			.thread = (uintptr_t)&thread};
		thread.sp = hostile(&rng);
		thread.pc = hostile(&rng);
		thread.fp = hostile(&rng);
		java_stack_walk(&stacks, &cache, &s, i & 1, &got);
		if (got.end >= STACK_ENDS || got.count > JAVA_STACK_MAX)
			EXPECT(false);
	}
}
