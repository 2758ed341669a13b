#include "hotspot/java_stack.h"

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
	STEPS_MAX = TRAIL_FRAMES,
};

#define TO(field) .to = offsetof(struct java_stacks, field)

static const struct vm_field fields[] = {
	{"Thread", "_stack_base", "JavaThread", TO(stack_base)},
	{"JavaThread", "_anchor", TO(anchor)},
	{"JavaFrameAnchor", "_last_Java_sp", TO(last_sp)},
	{"JavaFrameAnchor", "_last_Java_pc", TO(last_pc)},
	{"JavaFrameAnchor", "_last_Java_fp", TO(last_fp)},
	{"JavaCallWrapper", "_anchor", TO(call_anchor)},
	{"nmethod", "_compile_id", TO(code.compilation)},
	{"nmethod", "_stub_offset", TO(code.stub)},
	{"nmethod", "_orig_pc_offset", TO(code.original)},
};

int java_stacks_open(struct java_stacks *j, const void *inside, const struct code_blobs *blobs,
	const struct vm_methods *methods, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants k = vm_constants_of(inside);
	int64_t wrapper;
	*j = (struct java_stacks){
		.code = {.blobs = blobs, .methods = methods}, .depth = JAVA_STACK_MAX};
	int err = vm_fields_read(&s, fields, ARRAY_SIZE(fields), j, d);
	if (err)
		return err;
	if (!vm_structs_read(&s, "StubRoutines", "_call_stub_return_address", &j->code.entry,
		    sizeof(j->code.entry)))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell StubRoutines::_call_stub_return_address");
	if (!vm_constants_find(&k, "frame::entry_frame_call_wrapper_offset", &wrapper))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell frame::entry_frame_call_wrapper_offset");
	j->call_wrapper = (int32_t)(wrapper * WORD);
	return ERR_NONE;
}

/* -- The walk -- */

struct walk {
	const struct java_stacks *j;
	struct java_trail *trail;
	struct trail_frame *now; /* where it stands */
	uintptr_t pc, sp, fp, base;
	uintptr_t fp_at; /* where it was read; 0: it is the register's */
	uint32_t told;   /* of this walk */
	bool probe;
};

static inline uint64_t load(uintptr_t at)
{
	return *(const volatile uint64_t *)at;
}

/* A word of the stack that the walk goes by. */
static inline uint64_t note(struct walk *w, uintptr_t at)
{
	uint64_t word = load(at);
	java_trail_note(w->trail, at, word);
	return word;
}

/* From here on it goes by rbp, which the frame before has told. */
static inline void note_fp(struct walk *w)
{
	if (w->fp_at)
		(void)note(w, w->fp_at);
	w->fp_at = 0;
	w->now->by_fp = true;
	w->now->words = w->trail->fresh_words;
}

/* What tells the method from another that may come to stand there. */
static void note_method(struct walk *w, uintptr_t method)
{
	struct trail_frame *f = w->now;
	f->by_method = true;
	f->key = method_key_at(&w->j->code.methods->key, method, 0);
	f->part = java_trail_mix(f->part, f->key);
}

/* Whether `bytes` at the address are of the stack that is walked, above where it has come to. */
static inline bool is_above(const struct walk *w, uintptr_t at, uintptr_t bytes)
{
	return at >= w->sp && at <= w->base - bytes && at % WORD == 0;
}

/* Whether the walk may go on beyond the frame. */
static inline bool put(struct walk *w, uintptr_t at, uintptr_t method, uint64_t code)
{
	struct trail_frame *f = w->now;
	if (w->told >= TRAIL_TOLD_MAX)
		return false;
	w->told++;
	f->tells = true;
	f->at = at;
	f->method = method;
	f->part = java_trail_mix(at, code << 48 ^ method << 13);
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
	note_method(w, c->method);
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
	note_method(w, method);
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
	w->now->alone = true;
	return at_anchor(w, a, STACK_NONE);
}

static enum java_stack_end step(struct walk *w, const struct java_code *c)
{
	switch ((enum java_code_kind)c->kind) {
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

/* C1's stub of the probe has a frame by rbp. */
static enum java_stack_end at_stub_of_probe(struct walk *w)
{
	w->now->alone = true;
	if (!is_above(w, w->fp, PAIR))
		return STACK_STRANGE;
	w->pc = note(w, w->fp + WORD);
	w->sp = w->fp + PAIR;
	w->fp_at = w->fp;
	w->fp = load(w->fp);
	return STACK_ENDS;
}

/* Who called the probe: compiled code itself, a stub, the interpreter, or the VM. */
static enum java_stack_end first(
	struct walk *w, const struct java_stack_start *s, const struct java_code *c)
{
	w->probe = c->kind == CODE_COMPILED;
	switch ((enum java_code_kind)c->kind) {
	case CODE_INTERPRETER:
		w->now->alone = true;
		return at_interpreted(w, s->bcp);
	case CODE_STUB:
		return at_stub_of_probe(w);
	case CODE_NONE:
		return at_thread(w, s->thread);
	default:
		return step(w, c);
	}
}

static enum java_stack_end any_step(
	struct walk *w, const struct java_stack_start *s, struct java_codes *codes)
{
	bool is_first = w->trail->fresh_count == 0;
	const struct java_code *c = java_code_at(&w->j->code, codes, w->pc);
	w->now = java_trail_step(w->trail, w->pc, w->sp, w->fp);
	if (!w->now)
		return STACK_STRANGE;
	return is_first ? first(w, s, c) : step(w, c);
}

/*
 * Whether it has come to where the one before was, and the rest is that one's; which may have been
 * given up where nobody wanted to know more, and too young now. What begins in the interpreter or
 * in the VM goes by more than the stack.
 */
static bool meets(struct walk *w, const struct java_stack_start *s, struct java_codes *codes)
{
	const struct trail_frame *f = java_trail_meet(w->trail, w->pc, w->sp, w->fp);
	if (!f || (w->trail->end == STACK_DEEP && w->told + f->told < w->j->depth))
		return false;
	if (w->trail->fresh_count)
		return true;
	w->probe = java_code_at(&w->j->code, codes, s->pc)->kind == CODE_COMPILED;
	return w->probe;
}

static void tell(const struct java_stacks *j, const struct trail_frame *f, struct java_stack *out)
{
	if (f->tells && out->count < j->depth)
		out->frames[out->count++] = (struct java_frame){f->at, f->method};
}

/* The youngest first. */
static void tell_all(
	const struct java_stacks *j, const struct java_trail *t, struct java_stack *out)
{
	for (uint32_t i = 0; i < t->fresh_count; i++)
		tell(j, &t->fresh[i], out);
	for (uint32_t i = t->count; i-- > 0;)
		tell(j, &t->at[i], out);
}

static enum java_stack_end go(
	struct walk *w, const struct java_stack_start *start, struct java_codes *codes, bool *met)
{
	enum java_stack_end end = w->base > w->sp ? STACK_ENDS : STACK_NONE;
	for (int i = 0; end == STACK_ENDS && i < STEPS_MAX; i++) {
		if ((*met = meets(w, start, codes)))
			return (enum java_stack_end)w->trail->end;
		end = any_step(w, start, codes);
	}
	return end == STACK_ENDS ? STACK_STRANGE : end;
}

void java_stack_walk(const struct java_stacks *j, struct java_code_cache *cache,
	const struct java_stack_start *start, bool told, struct java_stack *out)
{
	struct java_trail *t = &cache->trail;
	uintptr_t base = start->thread ? load(start->thread + j->stack_base) : 0;
	struct walk w = {.j = j,
		.trail = t,
		.pc = start->pc,
		.sp = start->sp,
		.fp = start->fp,
		.base = base};
	bool met = false;
	java_trail_begin(t, &j->code.methods->key, base, w.sp, j->depth);
	enum java_stack_end end = go(&w, start, &cache->codes, &met);
	uint32_t all = java_trail_end(t, met);
	out->end = all > j->depth ? STACK_DEEP : end;
	out->any = all > 0;
	out->probe = w.probe;
	out->hash = java_trail_mix(java_trail_hash(t), (uint64_t)out->end << 1 | w.probe);
	out->count = 0;
	if (told)
		tell_all(j, t, out);
	if (end == STACK_STRANGE || end == STACK_NONE)
		java_trail_drop(t);
	else
		java_trail_keep(t, (uint8_t)end);
}
