#include "hotspot/heap_regions.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "hotspot/vm_fields.h"

enum { SPACES = 4, REGIONS_MAX = 1 << 22 };

static uintptr_t table_of(const struct heap_layout *h)
{
	return h->heap + h->manager + h->table;
}

int heap_regions_init(struct heap_regions *r, const struct heap_layout *h)
{
	*r = (struct heap_regions){.count = 0};
	/* G1's table has room for the greatest heap from the start. */
	uint64_t most =
		h->collector == HEAP_G1 ? VM_AT(uint64_t, table_of(h), h->table_length) : SPACES;
	if (most == 0 || most > REGIONS_MAX)
		return ERR_CORRUPT;
	r->at = mem_zalloc((size_t)most, sizeof(*r->at));
	if (!r->at)
		return ERR_NOMEM;
	r->room = (size_t)most;
	return ERR_NONE;
}

void heap_regions_release(struct heap_regions *r)
{
	mem_free(r->at);
	*r = (struct heap_regions){.count = 0};
}

static uint8_t kind_of(const struct heap_layout *h, int32_t tag)
{
	if (tag == h->free_tag)
		return REGION_FREE;
	if (tag == h->eden_tag)
		return REGION_EDEN;
	if (tag == h->survivor_tag)
		return REGION_SURVIVOR;
	if (tag & h->humongous_mask)
		return tag == h->humongous_tag ? REGION_HUMONGOUS : REGION_HUMONGOUS_REST;
	return REGION_OLD;
}

static struct region g1_region(const struct heap_layout *h, uintptr_t region)
{
	if (!region)
		return (struct region){.kind = REGION_FREE};
	int32_t tag = VM_AT(int32_t, region, h->region_type + h->type_tag);
	return (struct region){
		.bottom = VM_AT(uintptr_t, region, h->region_bottom),
		.top = VM_AT(uintptr_t, region, h->region_top),
		.end = VM_AT(uintptr_t, region, h->region_end),
		.kind = kind_of(h, tag),
		.archived = tag & h->archive_mask,
	};
}

static int read_g1(const struct heap_layout *h, struct heap_regions *r)
{
	uintptr_t entries = VM_AT(uintptr_t, table_of(h), h->table_base);
	uint64_t count = VM_AT(uint64_t, table_of(h), h->table_length);
	if (count > r->room || !entries)
		return ERR_CORRUPT;
	r->shift = (uint32_t)__builtin_ctzll(h->region_bytes);
	for (size_t i = 0; i < count; i++) {
		r->at[i] = g1_region(h, VM_AT(uintptr_t, entries, 8 * i));
		if (r->at[i].bottom && !r->base)
			r->base = r->at[i].bottom - (i << r->shift);
	}
	r->count = (size_t)count;
	return ERR_NONE;
}

/* Where the last full collection has put the space's top; 0: not told. */
static uintptr_t compacted(const struct heap_layout *h, uintptr_t space)
{
	if (h->space_compacted)
		return VM_AT(uintptr_t, space, h->space_compacted);
	for (size_t i = 0; i + 1 < h->spaces_words; i++)
		if (h->spaces[i] == space)
			return h->spaces[i + 1];
	return 0;
}

static struct region space(const struct heap_layout *h, uintptr_t at, enum region_kind kind)
{
	return (struct region){
		.bottom = VM_AT(uintptr_t, at, h->space_bottom),
		.top = VM_AT(uintptr_t, at, h->space_top),
		.end = VM_AT(uintptr_t, at, h->space_end),
		.compacted = compacted(h, at),
		.kind = (uint8_t)kind,
	};
}

static int read_spaces(const struct heap_layout *h, struct heap_regions *r)
{
	uintptr_t young = VM_AT(uintptr_t, h->young, 0), old = VM_AT(uintptr_t, h->old, 0);
	uintptr_t from = VM_AT(uintptr_t, young, h->from), to = VM_AT(uintptr_t, young, h->to);
	/* From and to change places in each collection; the spaces themselves keep theirs. */
	uintptr_t first = from < to ? from : to, second = from < to ? to : from;
	r->at[0] = space(h, VM_AT(uintptr_t, young, h->eden), REGION_EDEN);
	r->left = h->eden_used ? r->at[0].bottom + (uintptr_t)*h->eden_used : 0;
	r->at[1] = space(h, first, REGION_SURVIVOR);
	r->at[2] = space(h, second, REGION_SURVIVOR);
	r->at[3] = space(h, VM_AT(uintptr_t, old, h->old_space), REGION_OLD);
	r->count = SPACES;
	return ERR_NONE;
}

int heap_regions_read(const struct heap_layout *h, struct heap_regions *r)
{
	r->count = 0;
	r->collections = VM_AT(uint32_t, h->heap, h->collections);
	/* The two counters lie side by side in all releases from 11 to 25. */
	r->full_collections = VM_AT(uint32_t, h->heap, h->collections + 4);
	return h->collector == HEAP_G1 ? read_g1(h, r) : read_spaces(h, r);
}

uint64_t heap_regions_used(const struct heap_regions *r, enum region_kind kind)
{
	uint64_t used = 0;
	for (size_t i = 0; i < r->count; i++)
		if (r->at[i].kind == kind && r->at[i].top > r->at[i].bottom)
			used += r->at[i].top - r->at[i].bottom;
	return used;
}

bool heap_regions_failed(const struct heap_regions *before, const struct heap_regions *after)
{
	for (size_t i = 0; i < before->count && i < after->count; i++)
		if (region_is_young(&before->at[i]) && after->at[i].kind == REGION_OLD)
			return true;
	return false;
}

uintptr_t heap_region_address(const struct heap_layout *h, size_t index)
{
	if (h->collector != HEAP_G1 || index >= VM_AT(uint64_t, table_of(h), h->table_length))
		return 0;
	return VM_AT(uintptr_t, VM_AT(uintptr_t, table_of(h), h->table_base), 8 * index);
}

const struct region *heap_regions_find(const struct heap_regions *r, uintptr_t address)
{
	if (r->shift) {
		uintptr_t i = (address - r->base) >> r->shift;
		return address >= r->base && i < r->count && r->at[i].bottom ? &r->at[i] : NULL;
	}
	for (size_t i = 0; i < r->count; i++)
		if (address >= r->at[i].bottom && address < r->at[i].end)
			return &r->at[i];
	return NULL;
}

/* Nothing of before is in it any more: it is free, or was and is already in use again. Where
 * evacuation failed a young region becomes an old one. */
static bool is_emptied(const struct region *before, const struct region *after)
{
	return region_is_young(before) ? after->kind != REGION_OLD : after->kind != before->kind;
}

/* An evacuation takes all young regions; Remark and Cleanup leave them as they are. */
static bool g1_evacuated(const struct heap_regions *before, const struct heap_regions *after)
{
	for (size_t i = 0; i < before->count && i < after->count; i++)
		if (region_is_young(&before->at[i]) &&
			(after->at[i].kind != before->at[i].kind ||
				after->at[i].top != before->at[i].top))
			return true;
	return false;
}

bool heap_regions_took_old(const struct heap_regions *before, const struct heap_regions *after)
{
	for (size_t i = 0; i < before->count && i < after->count; i++)
		if (before->at[i].kind == REGION_OLD && is_emptied(&before->at[i], &after->at[i]))
			return true;
	return false;
}

enum heap_pause heap_pause_kind(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after)
{
	if (before->full_collections != after->full_collections)
		return PAUSE_FULL;
	if (h->collector != HEAP_G1)
		return before->collections != after->collections ? PAUSE_YOUNG : PAUSE_OTHER;
	/* The count of collections tells nothing here: Cleanup raises it too. */
	if (!g1_evacuated(before, after))
		return PAUSE_OTHER;
	return heap_regions_took_old(before, after) ? PAUSE_MIXED : PAUSE_YOUNG;
}

static enum region_fate g1_fate(
	enum heap_pause pause, const struct region *before, const struct region *after)
{
	bool evacuation = pause == PAUSE_YOUNG || pause == PAUSE_MIXED;
	bool emptied = is_emptied(before, after);
	if (evacuation && region_is_young(before))
		return emptied ? FATE_EVACUATED : FATE_FAILED;
	if (!emptied || region_is_young(before))
		return FATE_KEPT;
	return evacuation && before->kind == REGION_OLD ? FATE_EVACUATED : FATE_FREED;
}

/* A space whose collection failed is as full as before, to the word. In one that was emptied the VM
 * may already have made the object that there was no room for: less than there was, or more. */
static enum region_fate space_fate(const struct region *before, const struct region *after)
{
	if (!region_is_young(before))
		return FATE_KEPT;
	bool same = after->bottom == before->bottom && after->top == before->top;
	return same && before->top > before->bottom ? FATE_FAILED : FATE_EVACUATED;
}

enum region_fate heap_region_fate(const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after, size_t index)
{
	if (index >= before->count || index >= after->count)
		return FATE_KEPT;
	const struct region *was = &before->at[index], *is = &after->at[index];
	if (was->kind == REGION_FREE)
		return FATE_KEPT;
	if (pause == PAUSE_FULL)
		return FATE_COMPACTED;
	if (h->collector == HEAP_G1)
		return g1_fate(pause, was, is);
	return pause == PAUSE_YOUNG ? space_fate(was, is) : FATE_KEPT;
}

static uintptr_t young_end(const struct heap_regions *r)
{
	uintptr_t end = 0;
	for (size_t i = 0; i < r->count; i++)
		if (region_is_young(&r->at[i]) && r->at[i].end > end)
			end = r->at[i].end;
	return end;
}

uintptr_t heap_region_readable(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after, size_t index)
{
	const struct region *was = &before->at[index];
	if (h->collector == HEAP_G1) /* a large object that was made in it begins with zeroes */
		return after->at[index].kind >= REGION_HUMONGOUS ? was->bottom : was->top;
	if (!region_is_young(was))
		return was->top;
	/* Together the young spaces are all of that generation that is in use. */
	uintptr_t end = young_end(after);
	if (end >= was->top)
		return was->top;
	return end > was->bottom ? end : was->bottom;
}

/* Where the first byte is that another young space covers now. */
static uintptr_t taken_from(
	const struct region *was, const struct heap_regions *after, size_t index)
{
	uintptr_t first = was->top;
	for (size_t i = 0; i < after->count; i++) {
		const struct region *r = &after->at[i];
		uintptr_t from = r->bottom > was->bottom ? r->bottom : was->bottom;
		if (i != index && region_is_young(r) && from < r->end && from < first)
			first = from;
	}
	return first;
}

uintptr_t heap_region_walkable(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after, size_t index)
{
	uintptr_t end = heap_region_readable(h, before, after, index);
	uintptr_t first = h->touched ? taken_from(&before->at[index], after, index) : end;
	return first < end ? first : end;
}

/* Whether so many bytes more would have found room in Serial's old generation, which was as large
 * as before, or larger. */
static bool old_had_room(
	const struct heap_regions *before, const struct heap_regions *after, uintptr_t bytes)
{
	for (size_t i = 0; i < before->count && i < after->count; i++) {
		const struct region *was = &before->at[i], *is = &after->at[i];
		if (is->kind == REGION_OLD && is->compacted <= was->end &&
			was->end - is->compacted >= bytes)
			return true;
	}
	return false;
}

/* A young generation of Serial that grows at the end of a full collection has its eden made anew:
 * with what found no room in the old one, but without the note of how far that goes. */
static bool has_forgotten(const struct heap_layout *h, const struct region *is,
	const struct heap_regions *before, const struct heap_regions *after)
{
	return h->collector == HEAP_SERIAL && is->kind == REGION_EDEN &&
	       is->compacted == is->bottom && young_end(after) > young_end(before) &&
	       !old_had_room(before, after, is->top - is->bottom);
}

/* How far compaction went, by the VM's notes; 0: they do not tell. */
static uintptr_t compacted_to(const struct heap_layout *h, const struct region *is,
	const struct heap_regions *before, const struct heap_regions *after)
{
	uintptr_t to = is->compacted;
	if (to >= is->bottom && has_forgotten(h, is, before, after))
		to = after->left;
	return to >= is->bottom && to <= is->top ? to : 0;
}

uintptr_t heap_region_written(const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after, size_t index,
	bool *sure)
{
	const struct region *was = &before->at[index], *is = &after->at[index];
	bool moved = was->kind != is->kind || was->top != is->top;
	*sure = true;
	/* Serial may make it in the survivor space, where a full collection has left eden full. */
	if (pause == PAUSE_OTHER || (is->kind == REGION_SURVIVOR && pause != PAUSE_FULL))
		return is->top;
	if (h->collector == HEAP_G1) /* survivors are never put into regions of eden */
		return is->kind == REGION_EDEN ? is->bottom : is->top;
	uintptr_t to = pause == PAUSE_FULL ? compacted_to(h, is, before, after) : 0;
	if (to)
		return to;
	if (is->kind == REGION_EDEN && space_fate(was, is) == FATE_EVACUATED &&
		pause == PAUSE_YOUNG)
		return is->bottom;
	*sure = is->top == is->bottom || !moved;
	return is->top;
}
