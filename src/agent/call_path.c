#include "agent/call_path.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "hotspot/methods.h"

/*
 * The stamp of the code that stands there now, if it is what the map tells of: the VM tells of code
 * that went, and of what came in its place, a moment late.
 */
static uint32_t stamp_now(const struct probe_records *r, uintptr_t pc)
{
	struct code_blob blob;
	uint64_t method;
	uint32_t stamp = code_map_stamp(r->code, pc, &method);
	if (!stamp || code_blob_find(r->blobs, pc, &blob) || !blob.is_nmethod)
		return 0;
	return method_ids_is(r->ids, method, blob.method) ? stamp : 0;
}

uint64_t call_path_method(const struct probe_records *r, uintptr_t method)
{
	if (!method)
		return 0;
	uint64_t epoch = atomic_load_explicit(r->epoch, memory_order_relaxed);
	uint64_t key = method_key_at(&r->methods->key, method, 0);
	return hash64_pair(hash64_pair(method, key), epoch) | 1ull << 63;
}

uintptr_t call_path_address(const struct call_path *path, uint64_t id)
{
	for (uint32_t i = 0; i < path->count; i++)
		if (path->frames[i].method == id)
			return path->frames[i].address;
	return 0;
}

static struct path_frame frame_of(const struct probe_records *r, const struct java_frame *f)
{
	if (!f->method)
		return (struct path_frame){.at = f->at,
			.bci = -1,
			.stamp = stamp_now(r, f->at),
			.compilation = code_blob_compilation(r->blobs, f->at)};
	return (struct path_frame){.method = call_path_method(r, f->method),
		.address = f->method,
		.bci = vm_method_bci(r->methods, f->method, f->at)};
}

struct call_path *call_path_of(struct call_path_room *room, const struct java_stack *s,
	const struct probe_records *r, uintptr_t klass)
{
	struct call_path *p = &room->path;
	*p = (struct call_path){.count = s->count,
		.probe = s->probe,
		.cut = s->end != STACK_ROOT,
		.klass = klass,
		.frames = room->frames};
	for (uint32_t i = 0; i < s->count; i++)
		p->frames[i] = frame_of(r, &s->frames[i]);
	return p;
}

bool call_path_again(struct call_path *path, const struct probe_records *r)
{
	bool more = false;
	for (uint32_t i = 0; i < path->count; i++) {
		struct path_frame *f = &path->frames[i];
		if (!f->at || f->stamp)
			continue;
		f->stamp = stamp_now(r, f->at);
		more |= f->stamp != 0;
	}
	return more;
}

struct call_path *call_path_copy(const struct call_path *path)
{
	size_t frames = path->count * sizeof(*path->frames);
	struct call_path *copy = mem_alloc(sizeof(*copy) + frames);
	if (!copy)
		return NULL;
	*copy = *path;
	copy->frames = (struct path_frame *)(copy + 1);
	memcpy(copy->frames, path->frames, frames);
	return copy;
}

bool call_path_waits(const struct call_path *path)
{
	for (uint32_t i = 0; i < path->count; i++)
		if (path->frames[i].at && !path->frames[i].stamp)
			return true;
	return false;
}

static bool waits(const struct path_frame *f, uintptr_t begin, uintptr_t end)
{
	return f->at && !f->stamp && f->at >= begin && f->at <= end;
}

bool call_path_waits_in(
	const struct call_path *path, struct code_map *code, uintptr_t begin, uintptr_t end)
{
	uint64_t method;
	for (uint32_t i = 0; i < path->count; i++)
		if (waits(&path->frames[i], begin, end) &&
			code_map_stamp(code, path->frames[i].at, &method))
			return true;
	return false;
}

/* The VM does not tell of code that is not entered any more by when it would: what is told of may
 * stand where that was. */
static uint32_t stamp_told(const struct probe_records *r, const struct path_frame *f)
{
	uint64_t method;
	uint32_t stamp = code_map_stamp(r->code, f->at, &method);
	return stamp && code_blob_compilation(r->blobs, f->at) == f->compilation ? stamp
										 : CALL_PATH_LOST;
}

void call_path_told(
	struct call_path *path, const struct probe_records *r, uintptr_t begin, uintptr_t end)
{
	for (uint32_t i = 0; i < path->count; i++) {
		struct path_frame *f = &path->frames[i];
		if (waits(f, begin, end))
			f->stamp = stamp_told(r, f);
	}
}

bool call_path_lost(const struct call_path *path)
{
	for (uint32_t i = 0; i < path->count; i++)
		if (path->frames[i].stamp == CALL_PATH_LOST)
			return true;
	return false;
}

/* The frames that inlining made of one; 0: its code is not known, or another. */
static uint32_t inlined(const struct call_path *path, uint32_t i, struct probe_records *r,
	struct code_frame out[CODE_MAP_DEPTH])
{
	const struct path_frame *f = &path->frames[i];
	uint64_t method;
	if (!f->at) {
		out[0] = (struct code_frame){f->method, f->bci};
		return 1;
	}
	if (!f->stamp)
		return 0;
	uint32_t depth = i == 0 && path->probe
				 ? probe_records_find(r, f->at, path->klass, out, &method)
				 : code_map_frames(r->code, f->at, false, out, &method);
	/* Stamps are given once: what has it still, had it all the time. */
	return code_map_stamp(r->code, f->at, &method) == f->stamp ? depth : 0;
}

uint32_t call_path_frames(const struct call_path *path, struct probe_records *r, uint32_t most,
	struct stack_frame *out, bool *cut, bool *lined)
{
	struct code_frame frames[CODE_MAP_DEPTH];
	uint32_t depth = 0, i = 0, count = 1;
	*cut = path->cut;
	*lined = false;
	for (; i < path->count && count; i++) {
		count = inlined(path, i, r, frames);
		for (uint32_t k = 0; k < count && depth < most; k++, depth++) {
			out[depth] = (struct stack_frame){frames[k].method, frames[k].bci};
			*lined |= frames[k].bci >= 0 && depth < 2;
		}
		*cut |= !count || (depth == most && i + 1 < path->count);
	}
	return depth;
}

uint32_t call_path_methods(const struct call_path *path, struct stack_frame out[JAVA_STACK_MAX])
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < path->count; i++)
		if (path->frames[i].method)
			out[count++] =
				(struct stack_frame){path->frames[i].method, path->frames[i].bci};
	return count;
}
