/*
 * The records of a trace as structs, made from record.def. Field meanings: doc/trace-format.md.
 * Text in a decoded record points into the block and lives until the next block is read.
 */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdint.h>

#include "base/slice.h"
#include "trace/format.h"

struct record_list {
	uint32_t count; /* at most LIST_MAX */
	uint64_t at[LIST_MAX];
};

/* How each field type of record.def is held. */
typedef uint64_t record_u;
typedef int64_t record_z;
typedef uint64_t record_t;
typedef uint64_t record_a;
typedef uint64_t record_o;
typedef struct slice record_s;
typedef struct record_list record_l;

#define RECORD_FIELD(type, field) record_##type field;
#define RECORD(kind, name)                                                                         \
	struct record_##name {                                                                     \
		FIELDS_##name(RECORD_FIELD)                                                        \
	};
#include "trace/record.def"
#undef RECORD
#undef RECORD_FIELD

enum record_kind {
#define RECORD(kind, name) RECORD_##name = (kind),
#include "trace/record.def"
#undef RECORD
};

struct record {
	uint8_t kind; /* enum record_kind */
	union {
#define RECORD(kind, name) struct record_##name name;
#include "trace/record.def"
#undef RECORD
	};
};

/* The state of the delta fields, begun anew with each block. */
struct record_deltas {
	uint64_t t, a, o; /* the last of each type */
	uint64_t top;     /* the greatest t, or the block's first time where that is greater */
};

static inline struct record_deltas record_deltas_init(uint64_t first_time)
{
	return (struct record_deltas){.t = first_time, .top = first_time};
}

/* Room that no encoded record exceeds; record.c asserts it for each row. */
enum { RECORD_ROOM = 20480 };

struct buf;
struct cursor;

/*
 * Appends the record, kind and length included. 0; ERR_LIMIT where a text or list is too long;
 * ERR_USAGE for a kind that is not in record.def; ERR_NOMEM, which also stays in the buffer
 * (buf.failed). On failure nothing is appended and the deltas are as before.
 */
int record_encode(struct buf *out, struct record_deltas *d, const struct record *r);

/*
 * Reads one record. 0, or ERR_TRUNCATED / ERR_FORMAT / ERR_LIMIT with the cursor at the trouble.
 * A kind that is not known gives 0 with r->kind as read and nothing else; it is skipped.
 * Only the fields of r's own kind are written, and of a list only the numbers that it has.
 */
int record_decode(struct cursor *c, struct record_deltas *d, struct record *r);

/* Tells its times and allocation clocks from a later begin; what was before it was at it. */
void record_rebase(struct record *r, uint64_t time, uint64_t alloc);

/* The record's name in record.def, or NULL for an unknown kind. */
const char *record_name(uint8_t kind);

#endif
