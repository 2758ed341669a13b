/* Whether there is enough to spare for a lever to be moved: doc/tenure.md, "Which setting". */
#ifndef TENURE_WORTH_H
#define TENURE_WORTH_H

#include <stdbool.h>

#include "tenure/forecast.h"
#include "tenure/round.h"
#include "tenure/snapshot.h"

struct worth {
	double least_gain;  /* of the cost of copying */
	double least_share; /* of the process's CPU that GC takes */
	double least_pause; /* or mean pause of the round, ns */
};

/* Whether copying matters to the program at all, by the last round. Where neither CPU nor pauses
 * are known it may. */
bool worth_looking(const struct worth *w, const struct round *r);
/* Whether `gain` (ns of CPU, of the snapshot's window) is at least that share of the collector's
 * CPU in the last round: where roots and cards are what it does, fewer copies help little. True
 * where that is not known. */
bool worth_gaining(const struct snapshot *s, const struct round *r, double gain, double share);
/* What jumps must save beside the threshold, of what copying costs: so much of the collector's CPU
 * as is a hundredth of the process's, and 2 % at least; that alone where pauses are long, or the
 * process's is not known. */
double worth_jumping(const struct worth *w, const struct round *r);
/* What jumps that need classes rewritten must save before they are first taken, of what copying
 * costs: so much that they have paid for the compiling by the time the process is twice as old. 0
 * where that is not known. */
double worth_rewriting(const struct round *r);
/* Whether the window says anything of young collections: it has at least half as many of them as
 * the last round had of all. What survives full ones is in it too, and where hardly any other
 * comes, as in a heap that is full, each would seem to copy without end. */
bool worth_knowing(const struct snapshot *s, const struct round *r);
/* Whether going from `now` to `then` is; never where that is not known. */
bool worth_moving(const struct worth *w, const struct snapshot *s, const struct round *r,
	const struct forecast *now, const struct forecast *then);

#endif
