/*
 * A block under construction: records appended in order until it is full. Not thread-safe:
 * the owner's lock protects it. Sealing (compression, checksums) and writing are separate, so
 * that they can be done by another thread without that lock.
 */
#ifndef TRACE_BLOCK_H
#define TRACE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/types.h"
#include "trace/codec.h"
#include "trace/event_columns.h"
#include "trace/record.h"

struct block {
	struct buf raw; /* the payload so far; all its room is reserved at init, so appends don't
			   allocate */
	struct record_deltas deltas;
	uint64_t first_time, last_time;
	uint32_t records;
	uint16_t kind; /* enum block_kind */
	/* Where events become columns before they are compressed; borrowed; NULL: they don't. */
	struct event_columns *columns;
};

/* Reserves its memory at once. 0 or ERR_NOMEM. */
int block_init(struct block *b, enum block_kind kind);
void block_release(struct block *b);
/* Empties it for the next use; `time` becomes the base of its time deltas. Call it before the first
 * append too where the base isn't 0. */
void block_reset(struct block *b, struct ns time);
/* Appends. 0; ERR_FULL where it does not fit (the block is unchanged: hand it on and use a fresh
 * one); ERR_LIMIT and ERR_USAGE as record_encode. */
int block_append(struct block *b, const struct record *r);

/*
 * Makes the block's bytes as they stand in the file (header and payload) in `out`, which is
 * cleared first. codec may be NULL (stored); where compression does not shrink, stored is used.
 * 0 or ERR_NOMEM.
 */
int block_seal(
	const struct block *b, uint32_t sequence, const struct codec *codec, struct buf *out);

/* What stands in a block's header (doc/trace-format.md, 1.2), without magic, flags and its own
 * checksum. */
struct block_header {
	uint64_t first_time, last_time;
	uint32_t stored_len, raw_len, records, sequence, payload_crc;
	uint16_t kind;
	uint8_t codec;
};

/* The block header's bytes, BLOCK_HEADER of them, appended to out. */
void block_header_put(struct buf *out, const struct block_header *h);
/* In place of the first blocks of a file, which were forgotten (doc/trace-format.md, 1.4). */
struct gap {
	uint64_t bytes;     /* behind its header */
	uint64_t last_time; /* the greatest of the blocks */
	uint32_t blocks;
};

/* The gap's bytes, BLOCK_HEADER of them, appended to out. */
void gap_put(struct buf *out, const struct gap *g);
/* The file header's bytes, FILE_HEADER of them, appended to out. */
void file_header_put(struct buf *out, struct ns wall);

#endif
