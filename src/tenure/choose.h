/*
 * Which places are worth an age jump: the rule of doc/tenure.md, "Which places". With another
 * threshold beside it, which places are still worth one.
 */
#ifndef TENURE_CHOOSE_H
#define TENURE_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/cost.h"
#include "tenure/snapshot.h"

struct choose_rule {
	double density;    /* saved, of what the place allocates, at least: 0.045 */
	double share;      /* saved, of all copied, at least: 0.0003 */
	double seed_share; /* the same for what is known to be referred to: 0.002 */
	double dead_at_0;  /* above this share the place may be one that is scalar-replaced: 0.95 */
	double samples;    /* survivors seen, at least: 4 */
	double stray;      /* of its objects, that refer to what stays young, at most: 0.1 */
	bool leaf_only;    /* no low threshold is beside it, so that children would stay young: only
			      what has none, or what takes them along */
};
#define CHOOSE_DEFAULT                                                                             \
	((struct choose_rule){.density = 0.045,                                                    \
		.share = 0.0003,                                                                   \
		.seed_share = 0.002,                                                               \
		.dead_at_0 = 0.95,                                                                 \
		.samples = 4,                                                                      \
		.stray = 0.1})

/* Objects of place `from` refer to objects of place `to`: seen on samples. Rows of the snapshot. */
struct choose_edge {
	uint32_t from, to;
	float share; /* of the objects of `from` that do */
	bool likely; /* only the class of what they refer to is known: it is made there, among
			others */
};

enum choose_why {
	CHOOSE_NO,       /* nothing to save */
	CHOOSE_FEW,      /* too few samples */
	CHOOSE_LITTLE,   /* too little to matter, of all copied or of what it allocates */
	CHOOSE_EARLY,    /* too many of its survivors die young */
	CHOOSE_GARBAGE,  /* nearly all dies before the first collection */
	CHOOSE_NOT_LEAF, /* its objects refer to others, and the threshold can't be set */
	CHOOSE_OPEN,     /* the same, and those are known to stay young */
	CHOOSE_REFUSED,  /* can't be acted on */
	CHOOSE_CALLERS,  /* chosen by its callers, who differ */
	CHOOSE_YES,
	CHOOSE_CLOSED, /* chosen because chosen objects refer to it */
	CHOOSE_WHYS
};

struct choose_row {
	struct amount saved, early, born; /* of the window */
	double gain;                      /* ns of CPU of the window: saved less what early costs */
	enum choose_why why;
	bool referred; /* what refers to it was looked at, some of it */
	bool open;     /* what it refers to stays young */
	float strays;  /* of its objects, that refer to what stays young, with what is chosen now */
};

static inline bool choose_is(enum choose_why why)
{
	return why >= CHOOSE_YES;
}

/* why as a phrase that ends "…: "; never NULL. */
const char *choose_text(enum choose_why why);

/*
 * Judges every row of the snapshot; rows: room for s->count. held: the thresholds that would be in
 * force without the jump; most: the bound beside the jump (THRESHOLD_MOST: none). edges may be
 * NULL. Where nothing that refers to a place was looked at the low minimum stands for it. Rows with
 * callers are taken where their place is not.
 */
void choose_places(const struct snapshot *s, const struct held *held, uint32_t most,
	const struct cost *cost, const struct choose_rule *rule, const struct choose_edge *edges,
	size_t edge_count, struct choose_row *rows);

#endif
