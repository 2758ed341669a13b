/*
 * A chunk as it goes into the trace: the payload of a block of kind 2, of kind 6 where it tells
 * sizes, or of kind 4 where it is a checkpoint's (doc/trace-format.md, 8.2 and 8.4;
 * chunk_block_kind), with the trace's numbers of sites in place of the engine's. For the writer
 * thread.
 */
#ifndef EXACT_CHUNK_SEAL_H
#define EXACT_CHUNK_SEAL_H

#include "base/buf.h"
#include "exact/chunk_pool.h"
#include "trace/format.h"

/* The trace's number of a site; ranges, which have none, are not asked for. */
typedef uint64_t chunk_site(void *arg, uint32_t site);

struct chunk_sites {
	const uint32_t *known; /* by site; 0: it is to be asked for; NULL: all are. Borrowed */
	chunk_site *ask;
	void *arg;
};

/* Appended to out, whose `failed` tells of lack of memory. At most CHUNK_SEALED_MAX bytes. */
void chunk_seal(const struct chunk *chunk, const struct chunk_sites *sites, struct buf *out);

/*
 * Small blocks are packed slowly, and badly. Whether a chunk can go on where another one ends, of
 * whose block there are so many bytes: what it then takes is no more than a block may have.
 */
bool chunk_joins(const struct chunk *before, const struct chunk *chunk, size_t bytes);
/* As chunk_seal, without a head: behind the events of the chunk before. */
void chunk_seal_behind(const struct chunk *before, const struct chunk *chunk,
	const struct chunk_sites *sites, struct buf *out);

/* The kind of the block that it goes into. */
static inline enum block_kind chunk_block_kind(const struct chunk *chunk)
{
	if (event_stands((enum event_kind)chunk->kind))
		return BLOCK_CHECKPOINT;
	return chunk->kind == EVENT_SIZES ? BLOCK_SIZES : BLOCK_EVENTS;
}

enum { CHUNK_SEALED_MAX = 60 + CHUNK_WORDS * 16 };

#endif
