#include "hotspot/tlab_gaps.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "hotspot/vm_fields.h"

enum { WORD = 8, RESERVE_MAX = 1 << 20 };

#define TO(field) .to = offsetof(struct tlab_gaps, field)

/* How threads are listed: an array from JDK 17 or so on, one after the other before. */
static int open_threads(struct tlab_gaps *g, const struct vm_structs *s, struct diag *d)
{
	static const struct vm_field in_list[] = {
		{"ThreadsList", "_threads", TO(threads)}, {"ThreadsList", "_length", TO(length)}};
	static const struct vm_field in_thread = {"JavaThread", "_next", TO(next)};
	g->list = (uintptr_t)vm_structs_static(s, "ThreadsSMRSupport", "_java_thread_list");
	if (g->list)
		return vm_fields_read(s, in_list, ARRAY_SIZE(in_list), g, d);
	g->first = (uintptr_t)vm_structs_static(s, "Threads", "_thread_list");
	if (!g->first)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell where ThreadsSMRSupport::_java_thread_list is");
	return vm_fields_read(s, &in_thread, 1, g, d);
}

/* The least is what the smallest filler takes, unless that fits into any gap, which is where a
 * header has no more bytes than objects are aligned to. Only C2's code fetches ahead. */
uint32_t tlab_gaps_reserve(const struct vm_objects *o, uint32_t prefetch)
{
	uint32_t header = (o->compact ? 1 : 2) * WORD, least = header > o->align ? header : 0;
	uint32_t ahead = prefetch * WORD;
	return (uint32_t)object_aligned(o, ahead > least ? ahead : least);
}

/* What is left at a buffer's end for code that fetches ahead, in words. From 27 on there is none.
 */
static int read_prefetch(const struct vm_structs *s, int32_t *words, struct diag *d)
{
	enum { NONE_SINCE = 27 };
	int32_t major = 0;
	if (vm_structs_read(s, "ThreadLocalAllocBuffer", "_reserve_for_allocation_prefetch", words,
		    sizeof(*words)))
		return *words >= 0 && *words <= RESERVE_MAX
			       ? ERR_NONE
			       : diag_set(d, ERR_UNSUPPORTED,
					 "this VM leaves %d words at its buffers' ends", *words);
	*words = 0;
	if (vm_release(s, &major, NULL) == ERR_NONE && major >= NONE_SINCE)
		return ERR_NONE;
	return diag_set(d, ERR_UNSUPPORTED,
		"this VM does not tell "
		"ThreadLocalAllocBuffer::_reserve_for_allocation_prefetch");
}

static int open_tlabs(
	struct tlab_gaps *g, const struct vm_objects *o, const struct vm_structs *s, struct diag *d)
{
	static const struct vm_field fields[] = {{"Thread", "_tlab", TO(tlab)},
		{"ThreadLocalAllocBuffer", "_top", TO(top)},
		{"ThreadLocalAllocBuffer", "_end", TO(end)}};
	int32_t reserve;
	uint64_t size_at = 0;
	int err = vm_fields_read(s, fields, ARRAY_SIZE(fields), g, d);
	if (err)
		return err;
	/* The end that is used may be one made for sampling; the true one has no name, but lies
	 * between two that have. */
	if (!vm_structs_offset(s, "ThreadLocalAllocBuffer", "_desired_size", &size_at) ||
		size_at != g->end + 2 * WORD)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell where ThreadLocalAllocBuffer::_allocation_end is");
	err = read_prefetch(s, &reserve, d);
	if (!err)
		g->reserve = tlab_gaps_reserve(o, (uint32_t)reserve);
	return err;
}

int tlab_gaps_open(struct tlab_gaps *g, const struct vm_objects *o, const void *inside, size_t room,
	struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	*g = (struct tlab_gaps){.count = 0};
	int err = open_threads(g, &s, d);
	if (!err)
		err = open_tlabs(g, o, &s, d);
	if (err)
		return err;
	g->at = mem_zalloc(room, sizeof(*g->at));
	if (!g->at)
		return diag_set(d, ERR_NOMEM, "no memory for %zu threads' buffers", room);
	g->room = room;
	return ERR_NONE;
}

void tlab_gaps_release(struct tlab_gaps *g)
{
	mem_free(g->at);
	*g = (struct tlab_gaps){.count = 0};
}

static bool add(struct tlab_gaps *g, uintptr_t thread)
{
	uintptr_t tlab = thread + g->tlab;
	uintptr_t top = VM_AT(uintptr_t, tlab, g->top), end = VM_AT(uintptr_t, tlab, g->end);
	uintptr_t true_end = VM_AT(uintptr_t, tlab, g->end + WORD);
	if (!top)
		return true;
	if (g->count == g->room)
		return false;
	g->at[g->count++] = (struct tlab_gap){top, (end > true_end ? end : true_end) + g->reserve};
	return true;
}

static bool add_all(struct tlab_gaps *g)
{
	bool fits = true;
	if (g->first) {
		for (uintptr_t t = VM_AT(uintptr_t, g->first, 0); t && fits;)
			fits = add(g, t), t = VM_AT(uintptr_t, t, g->next);
		return fits;
	}
	uintptr_t list = VM_AT(uintptr_t, g->list, 0);
	uint32_t count = VM_AT(uint32_t, list, g->length);
	uintptr_t threads = VM_AT(uintptr_t, list, g->threads);
	for (uint32_t i = 0; i < count && fits; i++)
		fits = add(g, VM_AT(uintptr_t, threads, (uintptr_t)i * WORD));
	return fits;
}

/* By steps that get smaller (Shell): qsort may allocate. */
static void sort(struct tlab_gap *at, size_t count)
{
	for (size_t step = count / 2; step > 0; step /= 2)
		for (size_t i = step; i < count; i++) {
			struct tlab_gap gap = at[i];
			size_t k = i;
			for (; k >= step && at[k - step].low > gap.low; k -= step)
				at[k] = at[k - step];
			at[k] = gap;
		}
}

int tlab_gaps_read(struct tlab_gaps *g)
{
	g->count = 0;
	if (!add_all(g)) {
		g->count = 0;
		return ERR_FULL;
	}
	sort(g->at, g->count);
	return ERR_NONE;
}

/* The first gap that is not below. */
static size_t gap_from(const struct tlab_gaps *g, uintptr_t low)
{
	size_t from = 0, to = g->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (g->at[middle].low < low)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int heap_walk_around(const struct tlab_gaps *g, const struct vm_objects *o, uintptr_t bottom,
	uintptr_t top, heap_visit *visit, void *arg, uintptr_t *reached)
{
	uintptr_t at = bottom;
	int err = ERR_NONE;
	for (size_t i = gap_from(g, bottom); !err && i < g->count && g->at[i].low < top; i++) {
		uintptr_t end;
		err = heap_walk(o, at, g->at[i].low, visit, arg, &end);
		at = err ? end : g->at[i].high;
	}
	if (!err && at < top)
		return heap_walk(o, at, top, visit, arg, reached);
	if (reached)
		*reached = at < top || err ? at : top;
	return err;
}
