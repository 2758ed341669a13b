/*
 * Walks of stacks that are made up, frame by frame, over a made-up code cache: each frame must be
 * told, and nothing may be read outside of the stack, whatever stands in it.
 */
#include "hotspot/java_stack.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/compiler.h"
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
	stacks = (struct java_stacks){
		.code = {.blobs = &code,
			.methods = &methods,
			.compilation = offsetof(struct cache_blob, compilation),
			.stub = offsetof(struct cache_blob, stub),
			.original = offsetof(struct cache_blob, original),
			.entry = cache_pc(CACHE_ENTRY, 16)},
		.anchor = offsetof(struct thread, sp),
		.last_pc = 8,
		.last_fp = 16,
		.call_wrapper = -48,
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

/* The same, without going by any walk before. */
static void walk_alone(const struct java_stack_start *start, struct java_stack *out)
{
	static struct java_code_cache fresh;
	memset(&fresh.trail, 0, sizeof(fresh.trail));
	java_stack_walk(&stacks, &fresh, start, true, out);
}

static bool same_walk(const struct java_stack *a, const struct java_stack *b)
{
	return same(a, b) && a->hash == b->hash && a->end == b->end && a->any == b->any &&
	       a->probe == b->probe;
}

/* Another word somewhere: the walk is as if there had been none before. */
TEST(walks_after_walks)
{
	struct rng rng = rng_init(tap_seed() + 1);
	unsigned differ = 0;
	for (int i = 0; i < 2000; i++) {
		begin();
		struct made m = make(&rng, 1 + (unsigned)rng_below(&rng, 20));
		struct java_stack first, second, alone;
		java_stack_walk(&stacks, &cache, &m.start, false, &first);
		EXPECT_INT(0, first.count);
		java_stack_walk(&stacks, &cache, &m.start, true, &second);
		EXPECT(same(&m.want, &second) && first.hash == second.hash && first.any);
		uintptr_t *word = &stack[8 + rng_below(&rng, (m.sp - m.start.sp) / 8)], was = *word;
		*word = rng_below(&rng, 2) ? was + 8 : cache_pc(CACHE_LARGE, 200);
		java_stack_walk(&stacks, &cache, &m.start, true, &second);
		walk_alone(&m.start, &alone);
		EXPECT(same_walk(&second, &alone));
		differ += second.hash != first.hash;
		*word = was;
	}
	EXPECT(differ > 300);
}

/* A frame to be made: of which kind, where in its code or method, operands of the interpreter's. */
struct spec {
	enum { SPEC_SMALL, SPEC_LARGE, SPEC_INTERPRETED, SPEC_STUB, SPEC_ENTRY, SPECS } kind;
	unsigned at, bci, operands;
};

enum { DEPTH = 24 };

static unsigned spec_words(const struct spec *s)
{
	switch (s->kind) {
	case SPEC_SMALL:
		return (unsigned)cache_words(CACHE_SMALL);
	case SPEC_LARGE:
		return (unsigned)cache_words(CACHE_LARGE);
	case SPEC_INTERPRETED:
		return 10 + 2 * s->operands;
	case SPEC_STUB:
		return (unsigned)cache_words(CACHE_STUB);
	default:
		return 22;
	}
}

/* C1's stub calls the probe. */
static void put_probe_stub(struct made *m)
{
	uintptr_t *fp = (uintptr_t *)(m->sp + 32);
	set_pc(m, cache_pc(CACHE_STUB, 8));
	m->start.fp = (uintptr_t)fp;
	m->fp_in = fp;
	m->ret_in = fp + 1;
	m->sp = (uintptr_t)(fp + 2);
}

static void put_spec(struct made *m, const struct spec *s)
{
	enum cache_which which = s->kind == SPEC_SMALL ? CACHE_SMALL : CACHE_LARGE;
	switch (s->kind) {
	case SPEC_SMALL:
	case SPEC_LARGE:
		put_sized(m, which, cache_pc(which, 4 + s->at));
		want(m, cache_pc(which, 4 + s->at), 0);
		return;
	case SPEC_INTERPRETED:
		if (!m->want.count && !m->ret_in)
			m->start.bcp = s->bci + 1;
		put_interpreted(m, s->bci + 1, 0x10000 + 8 * s->at, s->operands);
		want(m, s->bci + 1, 0x10000 + 8 * s->at);
		return;
	case SPEC_STUB:
		put_sized(m, CACHE_STUB, cache_pc(CACHE_STUB, 8));
		return;
	default:
		put_entry(m, false);
	}
}

/* Frames of the same specs from the root on stand at the same addresses. */
static struct made make_of(const struct spec *specs, unsigned count, bool by_stub)
{
	unsigned words = by_stub ? 28 : 22;
	for (unsigned i = 0; i < count; i++)
		words += spec_words(&specs[i]);
	struct made m = {.sp = (uintptr_t)&stack[WORDS - 8 - words]};
	m.start = (struct java_stack_start){.sp = m.sp, .thread = (uintptr_t)&thread};
	if (by_stub)
		put_probe_stub(&m);
	for (unsigned i = count; i-- > 0;)
		put_spec(&m, &specs[i]);
	put_entry(&m, true);
	return m;
}

static struct spec any_spec(struct rng *rng, bool youngest)
{
	return (struct spec){.kind = (unsigned)rng_below(rng, youngest ? SPEC_STUB : SPECS),
		.at = (unsigned)rng_below(rng, 100),
		.bci = (unsigned)rng_below(rng, 100),
		.operands = (unsigned)rng_below(rng, 4)};
}

/* Calls and returns; now and then a frame far down goes on to another place. */
static unsigned evolve(struct rng *rng, struct spec *specs, unsigned count)
{
	unsigned keep = (unsigned)rng_below(rng, count + 1), more = (unsigned)rng_below(rng, 4);
	if (rng_below(rng, 2))
		keep = count > 3 ? count - (unsigned)rng_below(rng, 3) : count;
	if (keep && rng_below(rng, 4) == 0)
		specs[rng_below(rng, keep)].at = (unsigned)rng_below(rng, 100);
	if (keep && rng_below(rng, 4) == 0)
		specs[keep - 1].bci = (unsigned)rng_below(rng, 100);
	for (count = keep; count < DEPTH && count < keep + more; count++)
		specs[count] = any_spec(rng, false);
	if (!count)
		count = 1;
	specs[count - 1] = any_spec(rng, true);
	return count;
}

/* A thread that calls and returns, and is walked each time. */
TEST(walks_of_a_thread_at_work)
{
	struct rng rng = rng_init(tap_seed() + 3);
	static const uint32_t depths[] = {JAVA_STACK_MAX, 3, 9};
	struct spec specs[DEPTH];
	unsigned count = 0, met = 0;
	begin();
	for (int i = 0; i < 20000; i++) {
		count = evolve(&rng, specs, count);
		struct made m = make_of(specs, count, rng_below(&rng, 4) == 0);
		struct java_stack got, alone;
		if (rng_below(&rng, 50) == 0)
			java_code_changed();
		stacks.depth = depths[i / 100 % 3];
		java_stack_walk(&stacks, &cache, &m.start, true, &got);
		met += cache.trail.fresh_count < count / 2;
		walk_alone(&m.start, &alone);
		EXPECT(same_walk(&got, &alone));
		EXPECT(got.end == (m.want.count > stacks.depth ? STACK_DEEP : STACK_ROOT));
		if (m.want.count > stacks.depth)
			m.want.count = stacks.depth;
		EXPECT(same(&m.want, &got));
	}
	EXPECT(met > 4000);
}

/* Who called the oldest frame that is told of makes no difference, nor where on the stack it is. */
TEST(the_hash_is_of_what_is_told)
{
	struct rng rng = rng_init(tap_seed() + 4);
	begin();
	stacks.depth = 4;
	for (int i = 0; i < 3000; i++) {
		struct java_stack a, b;
		struct spec specs[DEPTH];
		unsigned count = 12 + (unsigned)rng_below(&rng, DEPTH - 12), told = 0, top = count;
		for (unsigned k = 0; k < count; k++)
			specs[k] = any_spec(&rng, k + 1 == count);
		while (top > 0 && told < stacks.depth)
			told += specs[--top].kind <= SPEC_INTERPRETED;
		struct made m = make_of(specs, count, false);
		java_stack_walk(&stacks, &cache, &m.start, true, &a);
		for (unsigned k = 0; k < top; k++)
			specs[k] = any_spec(&rng, false);
		m = make_of(specs, count, false);
		java_stack_walk(&stacks, &cache, &m.start, true, &b);
		EXPECT(same(&a, &b) && (a.end != b.end || a.hash == b.hash));
	}
}

/* More frames than a walk goes by: from wherever on the next ones begin. */
TEST(very_deep_stacks)
{
	enum { FRAMES = 900 };
	static uintptr_t big[FRAMES * 16], pcs[FRAMES + 1], sps[FRAMES + 1];
	struct rng rng = rng_init(tap_seed() + 5);
	begin();
	stacks.depth = 40;
	thread.base = (uintptr_t)&big[ARRAY_SIZE(big)];
	struct made m = {.sp = (uintptr_t)big + 64};
	for (int i = 0; i < FRAMES; i++) {
		sps[i] = m.sp;
		pcs[i] = cache_pc(CACHE_SMALL, 4 + (unsigned)rng_below(&rng, 100));
		put_sized(&m, CACHE_SMALL, pcs[i]);
	}
	put_entry(&m, true);
	for (unsigned i = 0; i < 2000; i++) {
		unsigned at = (i < 1000 ? i * 7 : (unsigned)rng_below(&rng, 1 << 16)) % FRAMES;
		struct java_stack got, alone;
		struct java_stack_start start = {
			.pc = pcs[at], .sp = sps[at], .thread = (uintptr_t)&thread};
		java_stack_walk(&stacks, &cache, &start, true, &got);
		walk_alone(&start, &alone);
		EXPECT(same_walk(&got, &alone));
		EXPECT_INT(FRAMES - at > 40 ? STACK_DEEP : STACK_ROOT, got.end);
	}
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
		java_stack_walk(&stacks, &cache, &m.start, true, &first);
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		EXPECT(first.count == 2 && second.count == 0 && second.hash == first.hash);
		of.names++;
		java_stack_walk(&stacks, &cache, &m.start, false, &second);
		EXPECT(second.hash != first.hash);
		of.names--;
		pool++;
		java_stack_walk(&stacks, &cache, &m.start, false, &third);
		EXPECT(third.hash != first.hash && third.hash != second.hash);
		pool--;
		java_stack_walk(&stacks, &cache, &m.start, true, &third);
		EXPECT(third.hash == first.hash);
	}
	methods.key = (struct method_key){0};
}

/* Long ones. */
TEST(walks_of_many_words)
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
		java_stack_walk(&stacks, &cache, &m.start, true, &got);
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
		java_stack_walk(&stacks, &cache, &m.start, true, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
	/* Other code with frames of that size, called from the same stack. */
	struct made again = {.sp = (uintptr_t)stack + 64};
	cache_blob(CACHE_SMALL)->compilation = 76;
	cache_blob(CACHE_SMALL)->frame_size = (int)cache_words(CACHE_SMALL);
	again.start = (struct java_stack_start){.sp = again.sp, .thread = (uintptr_t)&thread};
	struct java_stack first, second;
	put_sized(&again, CACHE_SMALL, cache_pc(CACHE_SMALL, 20));
	put_entry(&again, true);
	java_stack_walk(&stacks, &cache, &again.start, true, &first);
	cache_blob(CACHE_SMALL)->compilation = 77;
	java_code_changed();
	java_stack_walk(&stacks, &cache, &again.start, true, &second);
	EXPECT(first.end == STACK_ROOT && same(&first, &second) && first.hash != second.hash);
	/* Freed: nothing is there. */
	struct made m = make(&rng, 1);
	struct java_stack got;
	m.start.pc = cache_pc(CACHE_SMALL, 20);
	cache_block(CACHE_SMALL)->used = 0;
	java_code_changed();
	java_stack_walk(&stacks, &cache, &m.start, true, &got);
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
		java_stack_walk(&stacks, &cache, &m.start, true, &got);
		EXPECT(same(&m.want, &got) && got.end == STACK_ROOT);
	}
	thread.sp = 0;
	java_stack_walk(&stacks, &cache, &m.start, true, &got);
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
		return stacks.code.entry;
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
