/* From what is in force to what is planned, as actions: each with what it is to bring, and why. */
#ifndef TENURE_TRANSITION_H
#define TENURE_TRANSITION_H

#include "tenure/planner.h"

struct transition {
	struct levers *levers;
	const struct planner *planner; /* whose last plan it is */
	const struct plan *plan;
	const struct view *view;
	double fit; /* the part of what ages promise that comes true */
};

/* Whether the plan is another setting than what is in force, but for which places jump. */
bool transition_differs(const struct transition *t);
/* The levers move: what is planned is in force then. */
void transition_make(const struct transition *t);
/* The sentence and the figures of the plan's bound, and of its i-th row; a: NULL: nothing is done.
 */
void transition_tell_threshold(const struct transition *t, struct action *a);
void transition_tell_jump(const struct transition *t, struct action *a, size_t i);

#endif
