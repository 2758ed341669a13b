#include "agent/probe_records.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/method_peek.h"

/* A slow path's call comes so many bytes after its start, at most. */
enum { SLOW_MAX = 512 };

static uintptr_t method_of(const struct probe_records *p, const struct code_frame *f)
{
	return f->method ? method_ids_find(p->ids, f->method) : 0;
}

static struct slice code_of(const struct code_blob *blob)
{
	return slice((const void *)blob->begin, blob->end - blob->begin);
}

/* Whether what the record at pc is of is a call of the VM that makes objects. */
static bool is_maker(const struct probe_records *p, const struct code_blob *blob, uintptr_t pc)
{
	int32_t distance;
	struct code_blob to;
	return pc >= blob->begin && inline_alloc_call(code_of(blob), pc - blob->begin, &distance) &&
	       code_blob_find(p->blobs, pc + (uintptr_t)(intptr_t)distance, &to) == ERR_NONE &&
	       inline_alloc_stub(to.name);
}

/* The next record of a call that makes objects, in [*pc, end); *pc: behind it. 0: there is none. */
static uint32_t next_maker(struct probe_records *p, const struct code_blob *blob, uintptr_t *pc,
	uintptr_t end, struct code_frame out[CODE_MAP_DEPTH])
{
	uintptr_t at;
	for (uint32_t depth; *pc < end; *pc = at + 1) {
		depth = code_map_next(p->code, *pc, &at, out);
		if (!depth || at >= end)
			break;
		if (!is_maker(p, blob, at))
			continue;
		*pc = at + 1;
		return depth;
	}
	return 0;
}

/* By the slow path of the same allocation. */
static uint32_t by_slow_path(struct probe_records *p, const struct code_blob *blob, uintptr_t pc,
	struct code_frame out[CODE_MAP_DEPTH])
{
	size_t slow;
	if (!inline_alloc_slow(&p->alloc, code_of(blob), pc - blob->begin, &slow))
		return 0;
	uintptr_t at = blob->begin + slow;
	return next_maker(p, blob, &at, at + SLOW_MAX, out);
}

/* Whether the leaf makes objects of the class: then its bytecode's index is made exact. */
static bool makes(const struct probe_records *p, uintptr_t klass, struct code_frame *leaf)
{
	uintptr_t method = leaf->bci >= 0 ? method_of(p, leaf) : 0;
	int bci = method ? vm_method_maker(p->methods, method, (uint32_t)leaf->bci, klass) : -1;
	if (bci >= 0)
		leaf->bci = bci;
	return bci >= 0;
}

struct chain {
	struct code_frame frames[CODE_MAP_DEPTH];
	uint32_t depth;
};

static bool same(const struct chain *a, const struct chain *b)
{
	bool equal = a->depth == b->depth;
	for (uint32_t i = 0; equal && i < a->depth; i++)
		equal = a->frames[i].method == b->frames[i].method &&
			a->frames[i].bci == b->frames[i].bci;
	return equal;
}

/* The one place of this code whose call of the VM makes objects of the class; none if there are
 * several. */
static uint32_t by_class(struct probe_records *p, const struct code_blob *blob, uintptr_t klass,
	struct code_frame out[CODE_MAP_DEPTH])
{
	struct chain found = {.depth = 0}, next;
	uintptr_t at = blob->begin;
	while ((next.depth = next_maker(p, blob, &at, blob->end, next.frames)) != 0) {
		if (!makes(p, klass, &next.frames[0]))
			continue;
		if (found.depth && !same(&found, &next))
			return 0;
		found = next;
	}
	memcpy(out, found.frames, found.depth * sizeof(*out));
	return found.depth;
}

/* The nearest record that makes objects of the class, the next ones first. */
static uint32_t by_distance(struct probe_records *p, uintptr_t pc, uintptr_t klass,
	struct code_frame out[CODE_MAP_DEPTH])
{
	static const int steps[] = {0, 1, -1, 2, -2, 3, -3, 4, 5, 6, -4, 7, 8};
	struct chain found;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		bool common = false;
		found.depth = code_map_near(p->code, pc, steps[i], found.frames, &common);
		if (!found.depth || common || !makes(p, klass, &found.frames[0]))
			continue;
		memcpy(out, found.frames, found.depth * sizeof(*out));
		return found.depth;
	}
	return 0;
}

/* Whether the frame is in a constructor of the class. */
static bool constructs(const struct probe_records *p, uintptr_t klass, const struct code_frame *f)
{
	struct method_peek m;
	struct buf name = {.at = NULL};
	bool yes = method_peek(p->methods, method_of(p, f), &m) && m.klass == klass &&
		   method_peek_text(p->methods, &m, m.name, &name) &&
		   slice_equal(buf_slice(&name), slice_str("<init>"));
	buf_release(&name);
	return yes;
}

/*
 * The compiler may move an allocation down into what it inlined: into the object's own constructor,
 * or to the entry of a method, which has no bytecode. The place is then who called those.
 */
static uint32_t climb(
	const struct probe_records *p, uintptr_t klass, struct code_frame *frames, uint32_t depth)
{
	uint32_t up = 0;
	for (uint32_t i = 0; i + 1 < depth; i++)
		if (constructs(p, klass, &frames[i]) || (up == i && frames[i].bci < 0))
			up = i + 1;
	memmove(frames, frames + up, (depth - up) * sizeof(*frames));
	return depth - up;
}

uint32_t probe_records_find(struct probe_records *p, uintptr_t pc, uintptr_t klass,
	struct code_frame out[CODE_MAP_DEPTH], uint64_t *method)
{
	struct code_frame found[CODE_MAP_DEPTH];
	struct code_blob blob;
	uint32_t depth = 0, here = code_map_frames(p->code, pc, p->stale_here, out, method);
	if (!here)
		return 0;
	bool is_code = code_blob_find(p->blobs, pc, &blob) == ERR_NONE && blob.is_nmethod;
	if (is_code)
		depth = by_slow_path(p, &blob, pc, found);
	if (!depth && is_code)
		depth = by_class(p, &blob, klass, found);
	if (!depth)
		depth = by_distance(p, pc, klass, found);
	if (!depth)
		return climb(p, klass, out, here);
	memcpy(out, found, depth * sizeof(*found));
	return depth;
}
