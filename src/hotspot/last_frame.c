#include "hotspot/last_frame.h"

#include <string.h>

#include "base/error.h"
#include "hotspot/vm_structs.h"

enum {
	STUBS_MAX = 4, /* frames of the VM's own between it and Java */
	FRAME_METHOD = -3,
	FRAME_BCP = -8, /* words from an interpreter frame's rbp */
};

/* A frame of the stack that is walked. */
struct frame {
	uintptr_t pc, sp, fp;
};

static uintptr_t word(uintptr_t at)
{
	uintptr_t v;
	memcpy(&v, (const void *)at, sizeof(v));
	return v;
}

int last_frames_open(struct last_frames *l, const void *inside, const struct code_blobs *blobs,
	const struct vm_methods *methods, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	uint64_t anchor, sp, pc, fp = 0;
	if (!vm_structs_offset(&s, "JavaThread", "_anchor", &anchor) ||
		!vm_structs_offset(&s, "JavaFrameAnchor", "_last_Java_sp", &sp) ||
		!vm_structs_offset(&s, "JavaFrameAnchor", "_last_Java_pc", &pc))
		return diag_set(
			d, ERR_UNSUPPORTED, "the VM does not tell where its Java frames are");
	bool has_fp = vm_structs_offset(&s, "JavaFrameAnchor", "_last_Java_fp", &fp);
	*l = (struct last_frames){.blobs = blobs,
		.methods = methods,
		.anchor = (uint32_t)anchor,
		.last_sp = (uint32_t)sp,
		.last_pc = (uint32_t)pc,
		.last_fp = (uint32_t)fp,
		.has_fp = has_fp};
	return ERR_NONE;
}

static bool is_native(const struct last_frames *l, uintptr_t method)
{
	struct vm_method m;
	return vm_method_read(l->methods, method, &m) == ERR_NONE && m.code_bytes == 0;
}

/* Whether the place was found: else the frame is a native method's, and *f its caller's. */
static bool at_interpreted(const struct last_frames *l, struct frame *f, struct last_frame *out)
{
	uintptr_t method = word(f->fp + 8 * (uintptr_t)FRAME_METHOD);
	uintptr_t bcp = word(f->fp + 8 * (uintptr_t)FRAME_BCP);
	bool told = vm_method_bci(l->methods, method, bcp) >= 0;
	if (!told && is_native(l, method) && !out->native) {
		out->native = method;
		*f = (struct frame){word(f->fp + 8), f->fp + 16, word(f->fp)};
		return false;
	}
	out->method = method;
	out->bcp = told ? bcp : 0;
	return true;
}

static void leave(struct frame *f, const struct code_blob *blob)
{
	f->sp += blob->frame_bytes;
	f->pc = word(f->sp - 8);
	f->fp = word(f->sp - 16);
}

static bool at_compiled(const struct code_blob *blob, struct frame *f, struct last_frame *out)
{
	if (!out->native && blob->frame_bytes && blob->is_native) {
		out->native = blob->method;
		leave(f, blob);
		return false;
	}
	out->pc = f->pc;
	return true;
}

/* One step; whether the walk has ended, with a place or without. */
static bool step(const struct last_frames *l, struct code_blob_memo *m, struct frame *f,
	struct last_frame *out)
{
	struct code_blob blob;
	if (code_blob_recall(l->blobs, m, f->pc, &blob))
		return true;
	if (blob.is_nmethod)
		return at_compiled(&blob, f, out);
	if (strcmp(blob.name, "Interpreter") == 0)
		return !f->fp || at_interpreted(l, f, out);
	if (!blob.frame_bytes)
		return true;
	leave(f, &blob);
	return false;
}

struct last_frame last_frame_of(
	const struct last_frames *l, struct code_blob_memo *m, uintptr_t java_thread)
{
	struct last_frame out = {0};
	uintptr_t anchor = java_thread + l->anchor, sp = word(anchor + l->last_sp);
	if (!sp)
		return out;
	struct frame f = {.pc = word(anchor + l->last_pc), .sp = sp};
	f.pc = f.pc ? f.pc : word(sp - 8);
	f.fp = l->has_fp ? word(anchor + l->last_fp) : 0;
	for (int i = 0; i < STUBS_MAX && !step(l, m, &f, &out); i++) {
	}
	return out;
}
