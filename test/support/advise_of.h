/* Advice on a simulated program, with all that it was made from. */
#ifndef SUPPORT_ADVISE_OF_H
#define SUPPORT_ADVISE_OF_H

#include "analyze/advise.h"
#include "support/ledger_of.h"

struct advise_of {
	struct ledger_of base; /* the trace, and another ledger */
	struct model model;
	struct evidence_log log;
	struct advise advise;
};

/* Up to the evidence, so that it can be changed. 0 or an error; to be released in any case. */
int advise_of_sim(struct advise_of *a, const struct sim *s);
/* All findings that are worth `least`. 0 or an error. */
int advise_of_find(struct advise_of *a, double least);
void advise_of_release(struct advise_of *a);

/* The first finding of a rule, of a class where it is not NULL; NULL: none. */
const struct finding *advise_of_finding(
	const struct advise_of *a, enum rule rule, const char *class);

#endif
