/*
 * Reads a trace front to back, one record at a time. Takes any bytes: every length is checked
 * against its maximum first, and an error names the offset of the block and the reason.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/types.h"
#include "trace/codec.h"
#include "trace/event_columns.h"
#include "trace/record.h"
#include "trace/source.h"

struct block_info {
	uint64_t offset; /* of its header in the file */
	uint64_t first_time, last_time;
	uint32_t stored_len, raw_len, records, sequence;
	uint16_t kind;
	uint8_t codec;
};

/* Blocks that were not looked into, by their headers. */
struct passed {
	uint64_t blocks, records, bytes; /* bytes: as stored, with the header */
};

/* What a cyclic trace has forgotten of its begin, on purpose. */
struct forgotten {
	uint64_t blocks, bytes; /* bytes: as they were in the file; blocks 0: nothing */
	uint64_t last_time;     /* the greatest in them */
};

struct reader {
	struct source *source;     /* borrowed */
	const struct codec *codec; /* borrowed; NULL: zstd blocks are ERR_UNSUPPORTED */
	struct ns wall;            /* when recording began */
	uint16_t major, minor;
	uint64_t begin; /* offset of the first block header, or of the gap in place of it */
	uint64_t next;  /* offset of the next block header */
	struct forgotten forgotten;
	struct block_info block;
	struct buf stored, raw, split;
	struct event_columns *columns; /* owned; NULL: none were needed yet */
	struct cursor records;         /* the current block's rest */
	uint32_t records_left;         /* in it, by its header */
	struct record_deltas deltas;
	uint64_t base_time, base_alloc; /* taken from all times and allocation clocks */
	uint32_t next_sequence;         /* what the next block should have */
	uint64_t missing_blocks; /* by gaps in the sequence numbers, which are no error here */
	uint64_t blocks, records_read, unknown_records; /* so far */
	/* Of kinds other than records, that reader_next passed over or reader_skip_block skipped.
	 */
	uint64_t skipped_blocks;
	struct passed events, checkpoints; /* of them: blocks of kinds 2 and 4 */
	bool ended;                        /* an end record was read */
	bool cut;                          /* the file ends inside a block, or without any */
};

/* Reads the file header, and the gap behind it where there is one. 0; ERR_FORMAT (not a trace),
 * ERR_VERSION, ERR_TRUNCATED, ERR_CORRUPT, ERR_LIMIT, ERR_IO, each with a sentence. Sentences have
 * offsets, not the file's name. */
int reader_init(struct reader *r, struct source *source, const struct codec *codec, struct diag *d);
void reader_release(struct reader *r);

/*
 * The next record of known kind, over block borders. 1: *out is filled (texts point into the
 * reader and live until the next call). 0: the end, where a cut tail counts as the end and sets
 * `cut`. <0: ERR_CORRUPT, ERR_LIMIT, ERR_UNSUPPORTED, ERR_IO, ERR_NOMEM, ERR_GONE (the recording
 * goes on, and has forgotten what comes next meanwhile), with a sentence that has the offset; what
 * was given out before is good, and asking again gives the same answer. After 0 asking again looks
 * whether the file has grown meanwhile.
 */
int reader_next(struct reader *r, struct record *out, struct diag *d);

/* The same a block at a time: 1 a block of any kind was read and checked (r->block, payload in
 * r->raw; empty for a compressed block of unknown kind), 0 the end, <0 as above. Leaves what was
 * not read of the last block. */
int reader_next_block(struct reader *r, struct diag *d);
/* The next block's header alone: 1, 0 the end, <0 as above. The reader stays before the block. */
int reader_peek_block(struct reader *r, struct block_info *out, struct diag *d);
/* Goes past the block that was peeked at, without a look into its payload: 1; 0: it is cut; <0. */
int reader_skip_block(struct reader *r, const struct block_info *b, struct diag *d);
/* To the block at an offset, whose header was read before. Gaps in the sequence from here on are
 * none. */
void reader_seek(struct reader *r, const struct block_info *b);
/*
 * Times and allocation clocks are told from these on in all records to come; what was before is
 * told as 0.
 */
void reader_rebase(struct reader *r, uint64_t time, uint64_t alloc);
/* The next record of known kind of the current block: 1, 0 at the block's end, <0 as above. A block
 * of another kind has none. */
int reader_next_in_block(struct reader *r, struct record *out, struct diag *d);

#endif
