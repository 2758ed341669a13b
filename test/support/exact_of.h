/* A program recorded by the exact engine (exact_sim.h), replayed into a listener. */
#ifndef SUPPORT_EXACT_OF_H
#define SUPPORT_EXACT_OF_H

#include "model/replay.h"
#include "support/exact_sim.h"

struct exact_of {
	struct model model;
	struct exact_truth truth;
	struct buf bytes; /* the trace */
};

/* A shop of eight sites in six classes and methods, two of them with two callers; promoted are
 * objects that outlive 6 collections, of 40. */
struct exact_sim exact_of_program(uint64_t seed);
enum { EXACT_OF_OBJECTS = 30000 };
/* 0 or an error; to be released in any case. */
int exact_of_sim(struct exact_of *o, const struct exact_sim *x, const struct listener *l);
/* The same bytes once more, into another listener and model. */
int exact_of_again(const struct exact_of *o, struct model *m, const struct listener *l);
void exact_of_release(struct exact_of *o);

/* What became of an object by the last collection: how many collections found it standing in the
 * young generation and alive; whether the last of these promoted it; and whether the next found it
 * dead. */
struct exact_fate {
	uint64_t copies;
	bool promoted, died;
	bool met; /* any collection */
};
struct exact_fate exact_fate_of(const struct exact_truth *t, const struct exact_object *o);

#endif
