/*
 * Where the heap of this process's VM tells what it consists of, for Serial, Parallel and G1. Every
 * place is looked up by name once, so that reading in a collection's pause is loads only.
 */
#ifndef HOTSPOT_HEAP_H
#define HOTSPOT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum heap_collector { HEAP_SERIAL, HEAP_PARALLEL, HEAP_G1 };

/* Offsets in bytes, into the object that is named. */
struct heap_layout {
	enum heap_collector collector;
	uintptr_t heap;       /* the CollectedHeap */
	uint32_t collections; /* in it; that of full ones follows */
	/* Address space that it may come to use; never changes. 0: not told. */
	uintptr_t base;
	size_t bytes;
	/* G1. A region's kind is a tag. */
	uint32_t manager, table, table_base, table_length; /* heap > manager > table of regions */
	uint32_t region_bottom, region_top, region_end, region_type, type_tag;
	int64_t free_tag, eden_tag, survivor_tag, old_mask, humongous_mask, humongous_tag;
	int64_t archive_mask; /* 0: this VM has no regions of an archive's objects */
	uint64_t region_bytes;
	/* Serial and Parallel: pointers to the generations, in the heap or static; their spaces. */
	uintptr_t young, old; /* where the pointers are */
	uint32_t young_gen, old_gen;
	uint32_t eden, from, to, old_space, space_bottom, space_top, space_end;
	uint32_t space_compacted; /* Serial before 22: how far compaction went; 0: not told */
	/* How full eden is, as a collection leaves it, and then every now and then; NULL: not told.
	 */
	const volatile int64_t *eden_used;
	const uintptr_t *spaces; /* Parallel: its own notes on its spaces; NULL: not told */
	size_t spaces_words;
	bool touched; /* Parallel: what a space comes to cover is written to in the pause */
};

/*
 * `inside`: any address in libjvm. Not before VMInit: the heap must be there. ERR_UNSUPPORTED:
 * another collector, or the VM does not tell a field; the sentence says which.
 */
int heap_layout_open(struct heap_layout *h, const void *inside, struct diag *d);

/*
 * Parallel: its notes on its spaces (PSParallelCompact::_space_info; NULL: they are not known), in
 * which a space's address is followed by where the last full collection has put that space's top.
 */
void heap_layout_spaces(struct heap_layout *h, const void *notes, size_t bytes);

/* Where the VM counts its collections. */
static inline const uint32_t *heap_collections(const struct heap_layout *h)
{
	return (const uint32_t *)(h->heap + h->collections);
}

#endif
