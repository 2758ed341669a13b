/*
 * Records and whole traces made up from choices. The choices come from a seeded generator
 * (property tests, bench) or from bytes (fuzz targets), so that both run the same code.
 */
#ifndef SUPPORT_TRACE_GEN_H
#define SUPPORT_TRACE_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/rng.h"
#include "base/vec.h"
#include "trace/record.h"

struct draw {
	struct rng rng;
	struct cursor bytes;
	bool from_bytes;
};

struct draw draw_seed(uint64_t seed);
/* Numbers are varints in the bytes; 0 once they are used up. */
struct draw draw_bytes(struct slice bytes);
/* Any number, small and large ones alike. */
uint64_t draw_u64(struct draw *d);
/* In [0, n), n > 0. */
uint64_t draw_below(struct draw *d, uint64_t n);
/* A record of any kind, every field made up. Texts point into static storage or the bytes. */
void draw_record(struct draw *d, struct record *r);
/* The kind of row n of record.def; RECORD_KINDS rows. */
uint8_t record_kind_at(unsigned n);
extern const unsigned RECORD_KINDS;

bool record_equal(const struct record *a, const struct record *b);
/* One line: its name, then field=value. */
void record_dump(struct buf *out, const struct record *r);

/* Where made-up traces go: 0 or an error, which ends the making and is returned. */
typedef int gen_put(void *arg, const struct record *r);
/*
 * A trace that keeps all rules of doc/trace-format.md, section 11: definitions, then `events`
 * records (of 1000: 900 alloc, 50 birth, 40 death, 5 untrack, the rest gc, tick, pause, lost),
 * then the end record with true sums.
 */
int gen_trace(struct draw *d, unsigned events, gen_put *put, void *arg);

/* A row of records kept by value, as gen_put with arg = struct gen_records *. Texts are borrowed.
 */
struct gen_records {
	VEC(struct record) list;
};
int gen_keep(void *arg, const struct record *r);

#endif
