#include "hotspot/java_stack.h"

#include <stdatomic.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/methods.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_fields.h"

enum {
	WORD = 8,
	PAIR = 16,
	/* Bytes below an interpreter frame's rbp: */
	SENDER_SP = 8,
	METHOD = 24,
	BCP = 64,
	STEPS_MAX = 4 * JAVA_STACK_MAX,
};

enum kind {
	CODE_NONE, /* an empty entry, or no code of the VM's */
	CODE_COMPILED,
	CODE_NATIVE,      /* the wrapper of a native method */
	CODE_CHANGED,     /* compiled, and to be deoptimised on return */
	CODE_INTERPRETER, /* frames by rbp */
	CODE_STUB,        /* frames of the VM's own, of one size */
	CODE_ENTRY,       /* called from the VM */
	CODE_SPECIAL,     /* a virtual thread begins */
	CODE_BARRIER,     /* the rest of a virtual thread is not on this stack */
};

#define TO(field) .to = offsetof(struct java_stacks, field)

static const struct vm_field fields[] = {
	{"Thread", "_stack_base", "JavaThread", TO(stack_base)},
	{"JavaThread", "_anchor", TO(anchor)},
	{"JavaFrameAnchor", "_last_Java_sp", TO(last_sp)},
	{"JavaFrameAnchor", "_last_Java_pc", TO(last_pc)},
	{"JavaFrameAnchor", "_last_Java_fp", TO(last_fp)},
	{"JavaCallWrapper", "_anchor", TO(call_anchor)},
	{"nmethod", "_compile_id", TO(compilation)},
	{"nmethod", "_stub_offset", TO(stub)},
	{"nmethod", "_orig_pc_offset", TO(original)},
};

int java_stacks_open(struct java_stacks *j, const void *inside, const struct code_blobs *blobs,
	const struct vm_methods *methods, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants k = vm_constants_of(inside);
	int64_t wrapper;
	*j = (struct java_stacks){.blobs = blobs, .methods = methods, .depth = JAVA_STACK_MAX};
	int err = vm_fields_read(&s, fields, ARRAY_SIZE(fields), j, d);
	if (err)
		return err;
	if (!vm_structs_read(
		    &s, "StubRoutines", "_call_stub_return_address", &j->entry, sizeof(j->entry)))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell StubRoutines::_call_stub_return_address");
	if (!vm_constants_find(&k, "frame::entry_frame_call_wrapper_offset", &wrapper))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell frame::entry_frame_call_wrapper_offset");
	j->call_wrapper = (int32_t)(wrapper * WORD);
	return ERR_NONE;
}

/* -- What stands at an address -- */

static bool is_special(const struct java_stacks *j, uintptr_t method)
{
	struct vm_method m;
	return vm_method_read(j->methods, method, &m) == ERR_NONE &&
	       slice_equal(m.name, slice_str("enterSpecial")) &&
	       slice_equal(m.class_name, slice_str("jdk/internal/vm/Continuation"));
}

static bool is_native(const struct java_stacks *j, uintptr_t method)
{
	struct vm_method m;
	return vm_method_read(j->methods, method, &m) == ERR_NONE && m.code_bytes == 0;
}

static uint8_t kind_of_method(const struct java_stacks *j, const struct code_blob *b, uintptr_t pc)
{
	if (pc >= b->blob + VM_AT(uint32_t, b->blob, j->stub))
		return CODE_CHANGED;
	if (!is_native(j, b->method))
		return CODE_COMPILED;
	return is_special(j, b->method) ? CODE_SPECIAL : CODE_NATIVE;
}

static uint8_t kind_of_stub(const struct java_stacks *j, const struct code_blob *b, uintptr_t pc)
{
	if (pc == j->entry)
		return CODE_ENTRY;
	if (strcmp(b->name, "Interpreter") == 0)
		return CODE_INTERPRETER;
	return strstr(b->name, "ontinuation") ? CODE_BARRIER : CODE_STUB;
}

static void learn_method(
	const struct java_stacks *j, const struct code_blob *b, struct java_code *c)
{
	c->kind = b->frame_bytes ? kind_of_method(j, b, c->pc) : CODE_NONE;
	c->used = (const uint8_t *)b->blob - j->blobs->block_bytes + j->blobs->block_used;
	c->id = (const int32_t *)(b->blob + j->compilation);
	c->compilation = *(const volatile int32_t *)c->id;
	c->method = b->method;
	c->original = VM_AT(uint32_t, b->blob, j->original);
	c->begin = b->begin;
	c->end = b->blob + VM_AT(uint32_t, b->blob, j->stub);
}

static MF_COLD void learn(const struct java_stacks *j, uintptr_t pc, struct java_code *c)
{
	struct code_blob b;
	*c = (struct java_code){.pc = pc, .kind = CODE_NONE};
	if (code_blob_find(j->blobs, pc, &b)) {
		c->pc = 0; /* none today; it is not kept */
		return;
	}
	c->frame_bytes = b.frame_bytes;
	if (b.is_nmethod)
		learn_method(j, &b, c);
	else
		c->kind = kind_of_stub(j, &b, pc);
}

/* Code that goes makes room for other code, whose frames differ: its block is then not in use, or
 * has the number of another compilation where this one's was. */
static inline bool is_stale(const struct java_code *c)
{
	return c->used && (*(const volatile uint8_t *)c->used != 1 ||
				  *(const volatile int32_t *)c->id != c->compilation);
}

static inline const struct java_code *code_at(
	const struct java_stacks *j, struct java_code_cache *cache, uintptr_t pc)
{
	size_t at = ((uint32_t)(pc >> 1) * 2654435761u) >> 22;
	struct java_code *c = &cache->at[at & (JAVA_CODE_ROOM - 1)];
	if (__builtin_expect(c->pc != pc || is_stale(c), 0))
		learn(j, pc, c);
	return c;
}

bool java_code_holds(const struct java_stacks *j, struct java_code_cache *cache, uintptr_t pc)
{
	return code_at(j, cache, pc)->kind != CODE_NONE;
}

/* -- The walk -- */

struct walk {
	const struct java_stacks *j;
	struct java_stack *out;
	uintptr_t pc, sp, fp, base;
	uintptr_t fp_at; /* where it was read; 0: it is the register's */
	uint64_t hash;
	struct java_memo *memo;
	bool forgets; /* what it went by finds no room in the memo, or is not on the stack */
};

static inline uint64_t load(uintptr_t at)
{
	return *(const volatile uint64_t *)at;
}

/* A word of the stack that the walk goes by. */
static inline uint64_t note(struct walk *w, uintptr_t at)
{
	struct java_memo *m = w->memo;
	uint64_t word = load(at);
	if (m->words == JAVA_MEMO_WORDS) {
		w->forgets = true;
		return word;
	}
	m->at[m->words] = (uint32_t)((at - m->sp) / WORD);
	m->is[m->words++] = word;
	return word;
}

/* From now on it goes by rbp. */
static inline void note_fp(struct walk *w)
{
	if (w->fp_at)
		(void)note(w, w->fp_at);
	w->fp_at = 0;
}

/* What tells the method from another that may come to stand there. */
static uint64_t note_method(struct walk *w, uintptr_t method)
{
	struct java_memo *m = w->memo;
	uint64_t key = method_key_at(&w->j->methods->key, method, 0);
	if (m->method_count == JAVA_MEMO_METHODS)
		w->forgets = true;
	else
		m->methods[m->method_count++] = (struct java_memo_method){method, key};
	return key;
}

/* Whether `bytes` at the address are of the stack that is walked, above where it has come to. */
static inline bool is_above(const struct walk *w, uintptr_t at, uintptr_t bytes)
{
	return at >= w->sp && at <= w->base - bytes && at % WORD == 0;
}

static inline void mix(struct walk *w, uint64_t a)
{
	w->hash = (w->hash ^ a) * 0x9e3779b97f4a7c15ull;
	w->hash ^= w->hash >> 29;
}

/* Whether there is room for the frame. */
static inline bool put(struct walk *w, uintptr_t at, uintptr_t method, uint64_t code)
{
	struct java_stack *out = w->out;
	if (out->count >= w->j->depth)
		return false;
	out->frames[out->count++] = (struct java_frame){at, method};
	mix(w, at ^ code << 48 ^ method << 13);
	return true;
}

/* Each step returns STACK_ENDS to go on. */

/* Out of a frame of one size. */
static inline enum java_stack_end leave(struct walk *w, uint32_t bytes)
{
	uintptr_t sp = w->sp + bytes;
	if (bytes < PAIR || !is_above(w, sp - PAIR, PAIR))
		return STACK_STRANGE;
	w->pc = note(w, sp - WORD);
	w->fp_at = sp - PAIR;
	w->fp = load(w->fp_at);
	w->sp = sp;
	return STACK_ENDS;
}

static inline enum java_stack_end at_compiled(struct walk *w, const struct java_code *c)
{
	if (!put(w, w->pc, 0, (uint32_t)c->compilation))
		return STACK_DEEP;
	return leave(w, c->frame_bytes);
}

static enum java_stack_end at_native(struct walk *w, const struct java_code *c)
{
	if (!put(w, 0, c->method, 0))
		return STACK_DEEP;
	mix(w, note_method(w, c->method));
	return leave(w, c->frame_bytes);
}

/* The true return address is kept in the frame itself. */
static enum java_stack_end at_changed(struct walk *w, const struct java_code *c)
{
	uintptr_t slot = w->sp + c->original;
	if (c->original >= c->frame_bytes || !is_above(w, slot, WORD))
		return STACK_CHANGED;
	w->pc = note(w, slot);
	if (w->pc <= c->begin || w->pc >= c->end)
		return STACK_CHANGED;
	return at_compiled(w, c);
}

/* The caller's stack pointer may be a word below the return address: a method handle that links to
 * its target takes an argument away. */
static enum java_stack_end leave_interpreted(struct walk *w)
{
	uintptr_t fp = w->fp, sp = note(w, fp - SENDER_SP);
	w->sp = fp + WORD;
	if (!is_above(w, sp, 0))
		return STACK_STRANGE;
	w->pc = note(w, fp + WORD);
	w->fp_at = fp;
	w->fp = load(fp);
	w->sp = sp;
	return STACK_ENDS;
}

static bool is_interpreted(const struct walk *w)
{
	return is_above(w, w->fp - BCP, BCP + PAIR);
}

static enum java_stack_end at_interpreted(struct walk *w, uintptr_t bcp)
{
	if (!is_interpreted(w))
		return STACK_STRANGE;
	note_fp(w);
	uintptr_t method = note(w, w->fp - METHOD);
	if (!method || method % WORD)
		return STACK_STRANGE;
	if (!put(w, bcp ? bcp : note(w, w->fp - BCP), method, 0))
		return STACK_DEEP;
	mix(w, note_method(w, method));
	return leave_interpreted(w);
}

struct anchor {
	uintptr_t sp, pc, fp;
};

/* To the frame that an anchor tells. */
static enum java_stack_end at_anchor(struct walk *w, struct anchor a, enum java_stack_end none)
{
	if (!a.sp)
		return none;
	if (!is_above(w, a.sp, 0) || a.sp < w->sp + WORD)
		return STACK_STRANGE;
	w->pc = a.pc ? a.pc : note(w, a.sp - WORD);
	w->fp = a.fp;
	w->fp_at = 0;
	w->sp = a.sp;
	return STACK_ENDS;
}

/* The VM called Java: what called the VM, if it was Java, is in the anchor that the call keeps. */
static enum java_stack_end at_entry(struct walk *w)
{
	enum { ANCHOR = 32 }; /* more than one has */
	const struct java_stacks *j = w->j;
	note_fp(w);
	uintptr_t slot = w->fp + (uintptr_t)(intptr_t)j->call_wrapper;
	if (!is_above(w, slot, WORD))
		return STACK_STRANGE;
	uintptr_t at = note(w, slot) + j->call_anchor;
	if (!is_above(w, at, ANCHOR))
		return STACK_STRANGE;
	struct anchor a = {
		note(w, at + j->last_sp), note(w, at + j->last_pc), note(w, at + j->last_fp)};
	return at_anchor(w, a, STACK_ROOT);
}

/* The calling thread's own, which is not on the stack. */
static enum java_stack_end at_thread(struct walk *w, uintptr_t thread)
{
	uintptr_t at = thread + w->j->anchor;
	struct anchor a = {
		load(at + w->j->last_sp), load(at + w->j->last_pc), load(at + w->j->last_fp)};
	w->forgets = true;
	return at_anchor(w, a, STACK_NONE);
}

static enum java_stack_end step(struct walk *w, const struct java_code *c)
{
	switch ((enum kind)c->kind) {
	case CODE_COMPILED:
		return at_compiled(w, c);
	case CODE_NATIVE:
		return at_native(w, c);
	case CODE_CHANGED:
		return at_changed(w, c);
	case CODE_INTERPRETER:
		return at_interpreted(w, 0);
	case CODE_STUB:
		return leave(w, c->frame_bytes);
	case CODE_ENTRY:
		return at_entry(w);
	case CODE_SPECIAL:
		return STACK_ROOT;
	case CODE_BARRIER:
		return STACK_FROZEN;
	case CODE_NONE:
		break;
	}
	return STACK_STRANGE;
}

/* Who called the probe: compiled code itself, a stub with a frame by rbp (C1), the interpreter, or
 * the VM. */
static enum java_stack_end first(
	struct walk *w, const struct java_stack_start *s, const struct java_code *c)
{
	w->out->probe = c->kind == CODE_COMPILED;
	w->memo->registers = !w->out->probe;
	if (c->kind == CODE_INTERPRETER)
		return at_interpreted(w, s->bcp);
	if (c->kind == CODE_STUB) {
		if (!is_above(w, w->fp, PAIR))
			return STACK_STRANGE;
		w->pc = note(w, w->fp + WORD);
		w->sp = w->fp + PAIR;
		w->fp_at = w->fp;
		w->fp = load(w->fp);
		return STACK_ENDS;
	}
	return c->kind == CODE_NONE ? at_thread(w, s->thread) : step(w, c);
}

/* -- Walks that were made before -- */

static _Atomic uint32_t changes;

void java_code_changed(void)
{
	atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
}

uint32_t java_code_changes(void)
{
	return atomic_load_explicit(&changes, memory_order_relaxed);
}

static struct java_memo *memo_of(struct java_code_cache *cache, const struct java_stack_start *s)
{
	uint64_t key = (s->pc ^ s->sp << 20) * 0x9e3779b97f4a7c15ull;
	return &cache->memos[key >> 40 & (JAVA_MEMOS - 1)];
}

/* All addresses were of this stack when it was written, and are still. */
static bool same_words(const struct java_memo *m)
{
	const uintptr_t *sp = (const uintptr_t *)m->sp;
	uintptr_t differ = 0;
	for (uint32_t i = 0; i < m->words; i++)
		differ |= sp[m->at[i]] ^ m->is[i];
	return !differ;
}

/* They are on the stack, as the words are the same. */
static bool same_methods(const struct java_stacks *j, const struct java_memo *m)
{
	uint64_t differ = 0;
	for (uint32_t i = 0; i < m->method_count; i++)
		differ |= method_key_at(&j->methods->key, m->methods[i].at, 0) ^ m->methods[i].key;
	return !differ;
}

static bool holds(const struct java_stacks *j, const struct java_memo *m,
	const struct java_stack_start *s, uintptr_t base)
{
	if (!m->words || m->pc != s->pc || m->sp != s->sp || m->base != base ||
		m->changes != atomic_load_explicit(&changes, memory_order_relaxed))
		return false;
	return (!m->registers || (m->fp == s->fp && m->bcp == s->bcp)) && same_words(m) &&
	       same_methods(j, m);
}

static void begin_memo(struct java_memo *m, const struct java_stack_start *s, uintptr_t base)
{
	m->pc = s->pc;
	m->sp = s->sp;
	m->fp = s->fp;
	m->bcp = s->bcp;
	m->base = base;
	m->words = 0;
	m->method_count = 0;
	m->changes = atomic_load_explicit(&changes, memory_order_relaxed);
}

static void end_memo(struct walk *w)
{
	struct java_memo *m = w->memo;
	m->end = w->out->end;
	m->any = w->out->any;
	m->probe = w->out->probe;
	m->hash = w->hash;
	if (w->forgets || w->out->end == STACK_STRANGE)
		m->words = 0;
}

static void walk(const struct java_stacks *j, struct java_code_cache *cache,
	const struct java_stack_start *start, uintptr_t base, struct java_stack *out)
{
	struct walk w = {.j = j,
		.out = out,
		.pc = start->pc,
		.sp = start->sp,
		.fp = start->fp,
		.base = base,
		.memo = memo_of(cache, start)};
	enum java_stack_end end = STACK_NONE;
	begin_memo(w.memo, start, base);
	if (base > w.sp)
		end = first(&w, start, code_at(j, cache, w.pc));
	for (int i = 0; end == STACK_ENDS && i < STEPS_MAX; i++)
		end = step(&w, code_at(j, cache, w.pc));
	out->end = end == STACK_ENDS ? STACK_STRANGE : end;
	out->any = out->count > 0;
	mix(&w, out->end + 1);
	mix(&w, out->probe);
	out->hash = w.hash;
	end_memo(&w);
}

void java_stack_walk(const struct java_stacks *j, struct java_code_cache *cache,
	const struct java_stack_start *start, bool again, struct java_stack *out)
{
	uintptr_t base = start->thread ? load(start->thread + j->stack_base) : 0;
	const struct java_memo *m = memo_of(cache, start);
	out->count = 0;
	out->probe = false;
	if (again || !holds(j, m, start, base)) {
		walk(j, cache, start, base, out);
		return;
	}
	out->end = m->end;
	out->any = m->any;
	out->probe = m->probe;
	out->hash = m->hash;
}
