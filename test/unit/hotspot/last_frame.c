/* From the VM to the Java code that it works for, over made-up frames of each kind. */
#include "hotspot/last_frame.h"

#include <stddef.h>

#include "base/rng.h"
#include "support/code_cache.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { NAME = 1, DESCRIPTOR, ENTRIES, CODE = 20, WORDS = 128, SP = 8 };

struct pool {
	const void *tags;
	const struct vm_klass *holder;
	int32_t length, gap;
	const struct vm_name *entries[ENTRIES];
};
struct const_method {
	const struct pool *pool;
	uint16_t code_bytes, name, descriptor, gap;
	uint8_t code[CODE];
};
struct method {
	const struct const_method *of;
};
struct thread {
	uintptr_t base, sp, pc, fp;
};

static struct vm_name name, descriptor, klass_name_of;
static struct vm_klass klass = {.name = &klass_name_of};
static struct {
	int32_t length;
	uint8_t data[4];
} tags = {ENTRIES, {0, 1, 1}};
static const struct pool pool = {&tags, &klass, ENTRIES, 0, {NULL, &name, &descriptor}};
static const struct const_method java_code = {&pool, CODE, NAME, DESCRIPTOR, 0, {0}},
				 native_code = {&pool, 0, NAME, DESCRIPTOR, 0, {0}};
static struct method java = {&java_code}, native = {&native_code};

static uintptr_t stack[WORDS];
static struct code_blobs blobs;
static struct vm_methods methods;
static struct thread thread;
static struct code_blob_memo memo; /* kept from one to the next */

static struct last_frames made(bool has_fp)
{
	vm_name_set(&name, "run");
	vm_name_set(&descriptor, "()V");
	vm_name_set(&klass_name_of, "a/X");
	blobs = code_cache_made((uintptr_t)&java);
	methods = (struct vm_methods){.objects = vm_objects_made(&klass, false),
		.pools = {.holder = offsetof(struct pool, holder),
			.length = offsetof(struct pool, length),
			.bytes = offsetof(struct pool, entries),
			.array_data = 4},
		.code_bytes = offsetof(struct const_method, code_bytes),
		.name = offsetof(struct const_method, name),
		.descriptor = offsetof(struct const_method, descriptor),
		.header = offsetof(struct const_method, code)};
	memset(stack, 0, sizeof(stack));
	thread = (struct thread){.sp = (uintptr_t)&stack[SP]};
	return (struct last_frames){.blobs = &blobs,
		.methods = &methods,
		.anchor = offsetof(struct thread, sp),
		.last_pc = 8,
		.last_fp = 16,
		.has_fp = has_fp};
}

static struct last_frame last(const struct last_frames *l)
{
	return last_frame_of(l, &memo, (uintptr_t)&thread);
}

/* Makes a frame of known size at `at`, which returns to pc with that rbp. Where the next one is. */
static unsigned put_sized(unsigned at, enum cache_which w, uintptr_t pc, uintptr_t fp)
{
	at += cache_words(w);
	stack[at - 1] = pc;
	stack[at - 2] = fp;
	return at;
}

static uintptr_t put_interpreted(unsigned at, const struct method *m, uintptr_t bcp)
{
	stack[at - 3] = (uintptr_t)m;
	stack[at - 8] = bcp;
	return (uintptr_t)&stack[at];
}

static bool is(struct last_frame a, struct last_frame b)
{
	return a.pc == b.pc && a.method == b.method && a.bcp == b.bcp && a.native == b.native;
}

static uintptr_t bytecode(unsigned bci)
{
	return (uintptr_t)&java_code.code[bci];
}

TEST(a_thread_outside_of_java)
{
	struct last_frames l = made(true);
	thread.sp = 0;
	EXPECT(is(last(&l), (struct last_frame){0}));
}

TEST(compiled_code)
{
	struct last_frames l = made(true);
	thread.pc = cache_pc(CACHE_SMALL, 12);
	EXPECT(is(last(&l), (struct last_frame){.pc = thread.pc}));
	/* Where the anchor has no address it stands below the stack pointer. */
	stack[SP - 1] = cache_pc(CACHE_LARGE, 8);
	thread.pc = 0;
	EXPECT(is(last(&l), (struct last_frame){.pc = cache_pc(CACHE_LARGE, 8)}));
}

TEST(out_of_a_stub)
{
	struct last_frames l = made(false);
	uintptr_t fp = put_interpreted(60, &java, bytecode(7));
	thread.pc = cache_pc(CACHE_STUB, 4);
	put_sized(SP, CACHE_STUB, cache_pc(CACHE_LARGE, 16), 0);
	EXPECT(is(last(&l), (struct last_frame){.pc = cache_pc(CACHE_LARGE, 16)}));
	put_sized(SP, CACHE_STUB, cache_pc(CACHE_INTERPRETER, 16), fp);
	EXPECT(is(last(&l), (struct last_frame){.method = (uintptr_t)&java, .bcp = bytecode(7)}));
}

TEST(interpreted_code)
{
	struct last_frames l = made(true);
	thread.pc = cache_pc(CACHE_INTERPRETER, 40);
	EXPECT(is(last(&l), (struct last_frame){0})); /* no rbp */
	thread.fp = put_interpreted(40, &java, bytecode(CODE - 1));
	EXPECT(is(last(&l),
		(struct last_frame){.method = (uintptr_t)&java, .bcp = bytecode(CODE - 1)}));
	put_interpreted(40, &java, bytecode(CODE)); /* behind its end */
	EXPECT(is(last(&l), (struct last_frame){.method = (uintptr_t)&java}));
}

/* Who called it is told, and one is passed only. */
TEST(out_of_a_native_method)
{
	struct last_frames l = made(true);
	const struct last_frame want = {
		.pc = cache_pc(CACHE_LARGE, 20), .native = (uintptr_t)&native};
	thread.pc = cache_pc(CACHE_SMALL, 12);
	cache_blob(CACHE_SMALL)->method = (uintptr_t)&native;
	cache_blob(CACHE_SMALL)->name = "native nmethod";
	put_sized(SP, CACHE_SMALL, want.pc, 0);
	EXPECT(is(last(&l), want));
	thread.pc = cache_pc(CACHE_INTERPRETER, 40);
	thread.fp = put_interpreted(40, &native, 0);
	stack[41] = want.pc;
	EXPECT(is(last(&l), want));
	stack[41] = cache_pc(CACHE_SMALL, 8);
	EXPECT(is(last(&l), (struct last_frame){.pc = stack[41], .native = (uintptr_t)&native}));
	stack[41] = thread.pc;
	stack[40] = put_interpreted(60, &native, 0);
	EXPECT(is(last(&l),
		(struct last_frame){.method = (uintptr_t)&native, .native = (uintptr_t)&native}));
}

/* More stubs than there ever are, and code that nobody knows. */
TEST(no_java_in_sight)
{
	struct last_frames l = made(true);
	unsigned at = SP;
	for (int i = 0; i < 8; i++)
		at = put_sized(at, CACHE_STUB, cache_pc(i < 7 ? CACHE_STUB : CACHE_LARGE, 4), 0);
	thread.pc = cache_pc(CACHE_STUB, 4);
	EXPECT(is(last(&l), (struct last_frame){0}));
	thread.pc = cache_pc(CACHE_ENTRY, 4);
	EXPECT(is(last(&l), (struct last_frame){0}));
	thread.pc = 1000;
	EXPECT(is(last(&l), (struct last_frame){0}));
}
