/* What the events of a simulated program (exact_sim.h) would tell of its objects. */
#ifndef SUPPORT_ENDINGS_OF_H
#define SUPPORT_ENDINGS_OF_H

#include "model/endings.h"
#include "support/exact_sim.h"

/* Of all of them. *e is overwritten. 0 or ERR_NOMEM; to be released in any case. */
int endings_of_truth(struct endings *e, const struct exact_truth *t);

#endif
