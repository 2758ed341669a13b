/*
 * The simple way to write a trace: one thread, one sink. (The agent drives struct block itself,
 * because there callbacks fill blocks and another thread seals them.) Used by tools, tests and
 * fuzz targets.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "trace/block.h"
#include "trace/format.h"
#include "trace/sink.h"

struct writer {
	struct block block;
	struct buf sealed;
	struct sink sink;
	const struct codec *codec; /* borrowed; NULL: stored */
	uint32_t sequence;
	int err; /* the first failure; all later calls return it */
};

/* Writes the file header. 0, ERR_NOMEM or ERR_IO. */
int writer_init(struct writer *w, struct sink sink, const struct codec *codec, struct ns wall);
int writer_put(struct writer *w, const struct record *r);
/* Writes what is pending, then a block of another kind, with a payload of so many records. Errors
 * are as of writer_put; ERR_LIMIT: the payload is too long. */
int writer_put_block(
	struct writer *w, enum block_kind kind, struct slice payload, uint32_t records);
/* Seals and writes what is pending. */
int writer_flush(struct writer *w);
/* Flushes and frees. Returns the first failure. */
int writer_release(struct writer *w);

#endif
