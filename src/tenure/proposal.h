/* What would be taken where anything might be moved, said once each: a run that only learns. */
#ifndef TENURE_PROPOSAL_H
#define TENURE_PROPOSAL_H

#include "tenure/place_set.h"
#include "tenure/transition.h"

struct proposal {
	struct place_set said; /* owned; at most LEVERS_JUMPS_MOST */
	uint32_t most;         /* the same of the threshold; THRESHOLD_MOST: nothing */
};

void proposal_init(struct proposal *p);
void proposal_release(struct proposal *p);
/* As actions: whether there was something new. */
bool proposal_say(struct proposal *p, const struct transition *t);

#endif
