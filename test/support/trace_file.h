/* A made-up trace as bytes, together with the records in it and where its blocks end. */
#ifndef SUPPORT_TRACE_FILE_H
#define SUPPORT_TRACE_FILE_H

#include <stdbool.h>

#include "base/diag.h"
#include "support/trace_gen.h"
#include "trace/codec.h"
#include "trace/events.h"
#include "trace/writer.h"

/* After so many bytes so many records are whole. */
struct trace_border {
	size_t offset, records;
};

struct trace_file {
	struct buf bytes;
	struct gen_records records;       /* as written */
	VEC(struct trace_border) borders; /* the end of the file header, then of each block */
	struct writer writer;
	unsigned per_block;
};

/* Makes a trace by gen_trace, flushed every per_block records. Release it also after an error. */
int trace_file_make(struct trace_file *f, struct draw *d, unsigned events, unsigned per_block,
	const struct codec *codec);
void trace_file_release(struct trace_file *f);

/* A chunk of 100 events of the kind, one behind the other. */
void trace_file_events(struct buf *out, enum event_kind kind);

/* What a reader makes of bytes. */
struct trace_walk {
	int err;        /* of reader_init or the last reader_next */
	size_t records; /* that were read */
	bool prefix;    /* they are the first ones of `want` */
	bool cut, ended;
	uint64_t blocks, unknown, skipped, missing;
	struct diag diag;
};

/* want may be NULL. */
struct trace_walk trace_walk(
	struct slice bytes, const struct codec *codec, const struct gen_records *want);

#endif
