#include "exact/witness.h"

#include <string.h>

#include "base/error.h"
#include "exact/filler.h"
#include "exact/pages.h"
#include "exact/shape.h"
#include "hotspot/heap_walk.h"

enum {
	GRAIN = 64,             /* bytes of heap that a byte of `starts` stands for */
	REGION_LEAST = 1 << 20, /* of G1; they begin at multiples of their size */
	KEPT_MOST = 64 << 20    /* bytes of a copy */
};

int witness_init(struct witness *w, const struct vm_objects *objects, const struct births *b,
	const struct heap_layout *layout)
{
	*w = (struct witness){.objects = objects,
		.births = b,
		.sparing = layout->collector == HEAP_G1,
		.base = layout->base,
		.bytes = layout->bytes / GRAIN + 1};
	w->starts = pages_map(w->bytes);
	return w->starts ? ERR_NONE : ERR_NOMEM;
}

void witness_release(struct witness *w)
{
	pages_unmap(w->starts, w->bytes);
	w->starts = NULL;
	witness_drop(w);
}

/* Through the kernel: it may be gone already. */
void witness_keep(struct witness *w, uintptr_t from, uintptr_t to)
{
	size_t bytes = to - from;
	uint8_t *copy = bytes <= KEPT_MOST ? pages_map(bytes) : NULL;
	witness_drop(w);
	if (!copy || !heap_peek(from, copy, bytes)) {
		pages_unmap(copy, bytes);
		return;
	}
	w->kept = copy;
	w->kept_from = from;
	w->kept_bytes = bytes;
}

void witness_drop(struct witness *w)
{
	pages_unmap(w->kept, w->kept_bytes);
	w->kept = NULL;
	w->kept_bytes = 0;
}

static bool kept(void *arg, uintptr_t from, uintptr_t to)
{
	const struct witness *w = arg;
	return w->kept && from >= w->kept_from && to <= w->kept_from + w->kept_bytes;
}

/* Where what stood at the address can be read. */
static uintptr_t readable(const struct witness *w, uintptr_t address)
{
	uintptr_t at = address - w->kept_from;
	return at < w->kept_bytes ? (uintptr_t)w->kept + at : address;
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

static bool is_of(const struct witness *w, uint32_t site, uintptr_t address)
{
	return w->births->sites.at[site].klass == object_class_number(w->objects, address);
}

/* By the header itself, which may be the rest of one that is overwritten: no mark is followed. */
static uint32_t own_class(const struct vm_objects *o, uintptr_t address)
{
	return o->compact ? (uint32_t)(object_mark(address) >> o->klass_shift)
			  : object_class_number(o, address);
}

static bool stands(const struct witness *w, uint32_t site, uintptr_t address)
{
	return w->births->sites.at[site].klass == own_class(w->objects, address);
}

/* 0: none, or none that could be. */
static uintptr_t own_klass(const struct vm_objects *o, uintptr_t address)
{
	return o->compact ? narrow_klass(o, own_class(o, address)) : object_klass(o, address);
}

/* Whether it is a class, of what fills gaps; about 1 us. */
static bool is_filler_class(const struct vm_objects *o, uintptr_t klass)
{
	uintptr_t name;
	int32_t layout;
	return klass && heap_peek(klass + o->name, &name, sizeof(name)) &&
	       heap_peek(klass + o->layout, &layout, sizeof(layout)) &&
	       (klass_is_filler(o, klass) || klass_may_fill(o, klass));
}

/*
 * From 20 on G1 fills what is dead in old regions beside the program, once a marking has told it:
 * the first object of a gap has the filler's class then; the others are as they were.
 */
static bool is_filled(struct witness *w, uintptr_t address)
{
	uintptr_t klass = own_klass(w->objects, address);
	size_t count = sizeof(w->fillers) / sizeof(*w->fillers);
	for (size_t i = 0; i < count; i++)
		if (klass && klass == atomic_load_explicit(&w->fillers[i], memory_order_relaxed))
			return true;
	if (!w->sparing || !w->objects->filler_name || !is_filler_class(w->objects, klass))
		return false;
	bool array = klass_layout(w->objects, klass) < 0;
	atomic_store_explicit(&w->fillers[array], klass, memory_order_relaxed);
	return true;
}

/* Its header is no longer its own: a filler begins there. */
static bool overwritten(const struct witness *w, uint32_t site, uintptr_t address)
{
	return !is_of(w, site, address) ||
	       filler_unnamed(w->objects, address, object_klass(w->objects, address));
}

/* The class of the filler that begins so many bytes before it; 0: there is none. */
static uintptr_t filler_before(const struct witness *w, uintptr_t address, uintptr_t bytes)
{
	const struct vm_objects *o = w->objects;
	if (address - w->base < bytes || address % REGION_LEAST < bytes)
		return 0;
	uint64_t mark = object_mark(address - bytes);
	uint64_t plain = o->compact ? mark & ((1ull << o->klass_shift) - 1) : mark;
	uintptr_t klass = plain == MARK_UNLOCKED ? own_klass(o, address - bytes) : 0;
	return is_filler_class(o, klass) ? klass : 0;
}

/*
 * Where classes are not compressed an array's length is behind 16 bytes. So that of a filler may be
 * over the mark of an object, if what was before that had no more than a header, and was dead, too.
 */
static bool is_under_length(const struct witness *w, uintptr_t address)
{
	uintptr_t klass = w->objects->wide ? filler_before(w, address, 16) : 0;
	return klass && klass_layout(w->objects, klass) < 0;
}

/* A filler that begins right before it has its mark there, and the rest of its header over the
 * object's own mark. */
static bool is_covered(const struct witness *w, uintptr_t address)
{
	return filler_before(w, address, 8) || is_under_length(w, address);
}

/* The same of what stood in an old region for long, and has been filled since. */
static bool is_filled_over(const struct witness *w, uintptr_t address)
{
	return w->objects->wide && w->sparing && w->objects->filler_name && is_covered(w, address);
}

/*
 * What an object is told to be that a filler seems to be over. Memory that is used again has
 * headers of old fillers in it, as in what was left of a thread's buffer right before the next
 * one's first object: that lives, and its mark is its own. A filler's length is even, as its words
 * are counted behind a header of whole ones (CollectedHeap::fill_with_object), and so is no mark
 * that is free; but if there is one that is odd after all, nothing must be written into it.
 */
static uint32_t filled_over(uint64_t mark)
{
	return mark & MARK_UNLOCKED ? 0 : FOLLOW_DEAD;
}

/*
 * Gaps between those that stay are filled: over the first object of a gap nothing is left to tell
 * whether it was dead or had been moved. The others of a gap still have what they had, but where
 * it is larger than half a region: it has two fillers then, and the second begins anywhere. Serial
 * and Parallel take the forwarding marks away as well.
 */
static uintptr_t where_failed(const struct witness *w, uint32_t site, uintptr_t address)
{
	if (!w->sparing || overwritten(w, site, address))
		return FOLLOW_UNKNOWN;
	if (starts_at(w, address))
		return address;
	return is_covered(w, address) ? FOLLOW_UNKNOWN : 0;
}

/*
 * Where Parallel gives a space other bounds, up to 17 or so, -XX:+AlwaysPreTouch sets the first
 * byte of each page that is new to it to 0, and with it of a mark that lies there: the object may
 * have been moved. No other mark has such a byte, but that of a lock now and then.
 */
static bool is_touched(uint64_t mark, uintptr_t address)
{
	enum { PAGE = 4096 };
	return !(uint8_t)mark && address % PAGE == 0;
}

static uintptr_t where(void *arg, enum region_fate fate, uint32_t site, uintptr_t address)
{
	const struct witness *w = arg;
	uint64_t mark = object_mark(readable(w, address));
	uintptr_t to = mark_forwarded(mark);
	if (fate == FATE_EVACUATED && is_touched(mark, address))
		return FOLLOW_UNKNOWN;
	if (to && !in_heap(w, to)) /* a filler's class and length, over a dead one's mark */
		to = 0;
	if (fate == FATE_EVACUATED)
		return to;
	/* Those that failed are forwarded to themselves, and freed of that by now. */
	if (to && to != address)
		return to;
	return fate == FATE_KEPT ? address : where_failed(w, site, address);
}

/* Where the next one is does not hang on what this one's mark is: prefetching gains nothing. */
static uint64_t skip(void *arg, struct chunk_cursor *c, uintptr_t top)
{
	const uint32_t *at = c->at, *end = c->end;
	uint64_t last = c->last, limit = top >> 3;
	(void)arg;
	for (; at < end; at++) {
		uint64_t distance = *at & EVENT_DISTANCE_MAX, next = last + distance;
		if (!distance || next >= limit)
			break;
		uint64_t mark = object_mark(next << 3);
		if ((mark & 3) == MARK_FORWARDED || is_touched(mark, next << 3))
			break;
		last = next;
	}
	uint64_t skipped = (uint64_t)(at - c->at);
	c->at = at;
	c->last = last;
	return skipped;
}

/*
 * Whether the mark says that a thread of the program holds the lock. From 20 on G1 fills what is
 * dead in old regions, a large gap with several fillers: the second may begin right before an
 * object, which has the filler's class and length for its mark then, and its own class still.
 */
static bool is_held(const struct witness *w, uint32_t site, uint64_t mark)
{
	uint64_t displaced;
	return heap_peek((uintptr_t)(mark & ~7ull) + w->objects->lock_header, &displaced,
		       sizeof(displaced)) &&
	       (displaced & 7) == MARK_UNLOCKED &&
	       (displaced >> SITE_SHIFT == 0 || displaced >> SITE_SHIFT == site);
}

/* Where promotion failed, Parallel of 21 leaves what it has moved forwarded: the copy is the object
 * then. */
static uintptr_t moved_to(const struct witness *w, uint32_t site, uintptr_t address)
{
	uintptr_t to = w->failed ? mark_forwarded(object_mark(address)) : 0;
	return to && in_heap(w, to) && stands(w, site, to) ? to : address;
}

/* Locks are left alone: their marks are not ours to write to. Of what is dead the monitor may be
 * gone. And where there is no object of that class, nothing is written. */
static uint32_t identify(void *arg, uint32_t site, uintptr_t address, uint32_t proposed)
{
	struct witness *w = arg;
	address = moved_to(w, site, address);
	uint64_t mark = object_mark(address);
	if (is_filled_over(w, address))
		return filled_over(mark);
	if (!stands(w, site, address))
		return is_filled(w, address) ? FOLLOW_DEAD : 0;
	if ((mark & 3) == MARK_MONITOR)
		return 0;
	if ((mark & 7) == MARK_STACK_LOCKED && w->objects->stack_locks && !is_held(w, site, mark))
		return 0;
	uint32_t hash = mark_hash(w->objects, mark);
	uint64_t unbiased = mark_unbiased(w->objects, mark);
	if (hash || ((mark & 7) != MARK_UNLOCKED && !unbiased))
		return hash;
	mark = unbiased ? unbiased : mark;
	*(uint64_t *)address = mark | (uint64_t)proposed << w->objects->hash_shift;
	return proposed;
}

/* Where promotion failed, what has been moved away has a plain mark; so has what could not be
 * moved, but that will be found. What was dead kept its site. */
static bool left(void *arg, uint32_t site, uintptr_t address)
{
	const struct witness *w = arg;
	uint64_t mark = object_mark(address);
	return w->failed && w->objects->sites && (mark & 7) == MARK_UNLOCKED &&
	       mark >> SITE_SHIFT != site;
}

/* An array's length is where its class and mark are, and both are seen to anyway. */
static uint64_t bytes(void *arg, uint32_t site, uintptr_t address)
{
	const struct witness *w = arg;
	uint32_t shape = w->births->sites.at[site].shape;
	const volatile uint32_t *length = (void *)(readable(w, address) + w->objects->array_length);
	return shape ? shape_bytes(shape, *length, w->objects->align) : 0;
}

static bool same(void *arg, uint32_t site, uintptr_t address)
{
	return stands(arg, site, address);
}

struct follow_oracle witness_oracle(struct witness *w)
{
	return (struct follow_oracle){w, where, identify, same, skip, bytes, left, kept};
}

void witness_mark(struct witness *w, uintptr_t address)
{
	uintptr_t at = address - w->base;
	w->marked = true;
	if (in_heap(w, address))
		w->starts[at / GRAIN] |= (uint8_t)(1u << (at / 8 % 8));
}

bool witness_marked(const struct witness *w, uintptr_t address)
{
	return starts_at(w, address);
}

bool witness_unmark(struct witness *w, uintptr_t address)
{
	if (!starts_at(w, address))
		return false;
	uintptr_t at = address - w->base;
	w->starts[at / GRAIN] &= (uint8_t) ~(1u << (at / 8 % 8));
	return true;
}

static void visit_start(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct witness *w = arg;
	(void)bytes;
	if (!filler_unnamed(w->objects, address, klass))
		witness_mark(w, address);
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
	witness_drop(w);
}
