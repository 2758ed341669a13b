/*
 * The learner's table: a row for each place and class, and for callers of places that are watched.
 * Its size is given once; rows keep their number while they are in use.
 */
#ifndef TENURE_ROWS_H
#define TENURE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "tenure/passage.h"
#include "tenure/place.h"

enum { ROW_NONE = 0x7fffffff };

struct row {
	struct place_context at;
	struct passage passage;
	uint32_t flags;  /* enum snapshot_flags */
	uint32_t parent; /* of a row with callers: the place's; else ROW_NONE */
	uint32_t watch;  /* of a place: number + 1 of what watches its callers; 0: nothing does */
	uint32_t quiet;  /* rounds since something of it was seen last */
	uint32_t tired;  /* rounds until its callers may be looked at again */
	bool used, going;
};

struct rows {
	struct row *at; /* owned */
	uint32_t room, top, count;
	uint32_t *spare; /* numbers below top that are free again; owned */
	uint32_t spare_count;
	struct map index; /* from hash to number; owned */
};

/* 0 or ERR_NOMEM. */
int rows_init(struct rows *r, uint32_t room);
void rows_release(struct rows *r);
/* Number of the row, or ROW_NONE. */
uint32_t rows_find(const struct rows *r, const struct place_context *at);
/* A new, empty row for what is not there; ROW_NONE: no room. */
uint32_t rows_add(struct rows *r, const struct place_context *at, uint32_t parent);
void rows_remove(struct rows *r, uint32_t row);
/* Bytes that rows_init takes, at most. */
uint64_t rows_bytes(uint32_t room);

#endif
