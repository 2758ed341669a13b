/*
 * Whose objects refer to whose, remembered from samples that were looked at: the edges that close
 * the set of chosen places (choose.h; doc/tenure.md, "Closing the set"). A child that is not
 * followed itself has only its class to be known by. All is bounded, what did not fit is counted,
 * and old news fades. One thread's own.
 */
#ifndef TENURE_REFERENCES_H
#define TENURE_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "tenure/choose.h"
#include "tenure/place.h"
#include "tenure/snapshot.h"

enum {
	REFERENCES_PARENTS = 1024,
	REFERENCES_PAIRS = 2048,
	REFERENCES_EDGES = 8192,
	REFERENCES_KNOWN = 4, /* objects looked at, for a place's references to be known */
};

struct references_parent {
	struct place at;
	float looks; /* objects looked at; fades */
};

struct references_pair {
	struct place from, to; /* to: as references_class has it, where only its class is known */
	float seen;            /* of those looked at, that referred there */
};

struct references_lost {
	uint64_t parents, pairs, edges; /* that found no room; edges: in the last round */
};

struct references {
	struct references_parent *parents; /* owned, as are the others */
	struct references_pair *pairs;
	struct choose_edge *edges; /* of the last references_edges */
	uint32_t parent_count, pair_count, edge_count;
	struct map parent_at, pair_at; /* from hash to number */
	struct map row_at;  /* from class to the first of its rows, of references_edges */
	VEC(uint32_t) next; /* by row: the next of its class */
	struct references_lost lost;
};

/* All that is known of an object is its class. */
static inline struct place references_class(uint32_t class_id)
{
	return (struct place){.class_id = class_id};
}

/* 0 or ERR_NOMEM. */
int references_init(struct references *r);
/* All zeros may be released too. */
void references_release(struct references *r);

/* An object of that place was looked at, and these are whose objects it referred to: each counts
 * once. */
void references_look(
	struct references *r, const struct place *at, const struct place *child, size_t count);
/* Objects of that place that were looked at, in effect. */
double references_looks(const struct references *r, const struct place *at);
/* A round in which objects were looked at is over: an eighth of all that is known goes. */
void references_fade(struct references *r);

/* Marks the rows of places whose references are known (SNAPSHOT_LOOKED). */
void references_mark(const struct references *r, struct snapshot *s);
/*
 * What is known as edges between the snapshot's rows: r->edges, r->edge_count, until the next call.
 * An edge to a class goes to all of its rows that have survivors, in proportion to them. 0, or
 * ERR_NOMEM: then there are none.
 */
int references_edges(struct references *r, const struct snapshot *s);

#endif
