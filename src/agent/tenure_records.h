/* What tenure decides and what came of it, as records of the trace (doc/trace-format.md, 9). */
#ifndef AGENT_TENURE_RECORDS_H
#define AGENT_TENURE_RECORDS_H

#include "agent/recorder.h"
#include "tenure/controller.h"

/* round: of that number, the one that is over. */
void tenure_record_action(struct recorder *r, uint64_t round, const struct action *a);
/* What the collector did in it, in which state and with which levers. Whether it is told: nothing
 * that refers to it may be else. */
bool tenure_record_round(struct recorder *r, uint64_t round, const struct round *collected,
	const struct controller *c);
/* Nothing where there is no news. */
void tenure_record_outcome(struct recorder *r, uint64_t round, const struct outcome *o);

#endif
