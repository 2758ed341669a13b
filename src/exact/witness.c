#include "exact/witness.h"

#include <string.h>

#include "base/error.h"
#include "exact/pages.h"
#include "hotspot/heap_walk.h"

enum { GRAIN = 64 }; /* bytes of heap that a byte of `starts` stands for */

int witness_init(struct witness *w, const struct vm_objects *objects, const struct births *b,
	uintptr_t base, size_t bytes)
{
	*w = (struct witness){
		.objects = objects, .births = b, .base = base, .bytes = bytes / GRAIN + 1};
	w->starts = pages_map(w->bytes);
	return w->starts ? ERR_NONE : ERR_NOMEM;
}

void witness_release(struct witness *w)
{
	pages_unmap(w->starts, w->bytes);
	w->starts = NULL;
}

static bool in_heap(const struct witness *w, uintptr_t address)
{
	return address >= w->base && (address - w->base) / GRAIN < w->bytes;
}

static bool starts_at(const struct witness *w, uintptr_t address)
{
	uintptr_t at = address - w->base;
	return in_heap(w, address) && w->starts[at / GRAIN] >> (at / 8 % 8) & 1;
}

static uintptr_t where(void *arg, enum region_fate fate, uintptr_t address)
{
	const struct witness *w = arg;
	uintptr_t to = mark_forwarded(object_mark(address));
	if (fate == FATE_EVACUATED)
		return to;
	/* Neighbours that failed are forwarded to themselves, and freed of that by now. */
	if (to && to != address)
		return to;
	return fate == FATE_KEPT || starts_at(w, address) ? address : 0;
}

/* Locks and monitors are left alone: their marks are not ours to write to. */
static uint32_t identify(void *arg, uintptr_t address, uint32_t proposed)
{
	const struct witness *w = arg;
	uint64_t mark = object_mark(address);
	uint32_t hash = mark_hash(w->objects, mark);
	if (hash || (mark & 7) != MARK_UNLOCKED)
		return hash;
	*(uint64_t *)address = mark | (uint64_t)proposed << w->objects->hash_shift;
	return proposed;
}

static bool same(void *arg, uint32_t site, uintptr_t address)
{
	const struct witness *w = arg;
	return w->births->sites.at[site].klass == object_narrow_klass(w->objects, address);
}

struct follow_oracle witness_oracle(struct witness *w)
{
	return (struct follow_oracle){w, where, identify, same};
}

/* Before JDK 19 or so an array of int may fill a gap; the program's own have their site. */
static void visit_start(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct witness *w = arg;
	uintptr_t at = address - w->base;
	uint64_t mark = object_mark(address);
	(void)bytes;
	if (klass_may_fill(w->objects, klass) && (mark & 7) == MARK_UNLOCKED &&
		mark >> SITE_SHIFT == 0)
		return;
	if (in_heap(w, address))
		w->starts[at / GRAIN] |= (uint8_t)(1u << (at / 8 % 8));
}

int witness_look(struct witness *w, uintptr_t from, uintptr_t to)
{
	w->marked = true;
	return heap_walk(w->objects, from, to, visit_start, w, NULL);
}

void witness_forget(struct witness *w)
{
	if (w->marked)
		pages_clear(w->starts, w->bytes);
	w->marked = false;
}
