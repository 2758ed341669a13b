/*
 * Whether what was sent to the old generation dies there early: more of it than was foretold, and
 * so much that it matters. Copies do not show that.
 */
#ifndef TENURE_ROT_H
#define TENURE_ROT_H

#include "tenure/early.h"
#include "tenure/round.h"

struct rot {
	struct early early; /* the last rounds count most */
};

/* As it was, and was foretold, while no lever was moved. */
struct rot_before {
	double copied, early; /* foretold, for each byte allocated; copied: 0: nothing was */
	struct held held;     /* snapshot_held */
	double births;        /* bytes allocated from one collection to the next; 0: not known */
	double fit;           /* what the collector copies of what the ages say, 0 … 1 */
};

enum rot_verdict {
	ROT_NO,    /* or nothing was looked at */
	ROT_MAYBE, /* more samples would tell */
	ROT_LOOK,  /* much dies there, of which before says nothing: a probe can tell */
	ROT_YES
};

/* A round is over in which levers were moved; found: in it. */
enum rot_verdict rot_round(struct rot *rot, const struct early *found, const struct round *r,
	const struct rot_before *before);

#endif
