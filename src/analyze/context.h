/*
 * Which callers of an allocating line must be told apart? Starts at the line and goes up the
 * stacks; where callers give the objects different lives (stat/conflict.h), they are split, and
 * nowhere else: ROLP's context conflicts (Bruno et al. 2019). Definition: doc/metrics.md,
 * "Site".
 */
#ifndef ANALYZE_CONTEXT_H
#define ANALYZE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/ledger.h"
#include "stat/conflict.h"

struct context {
	uint32_t site;    /* one of its sites: its class and the first frames of its stack are this
			     context's */
	uint32_t frames;  /* how many of them, from the leaf; 0: no stack */
	uint32_t callers; /* the callers of the last of these frames that live alike and are taken
			     together; 0: all there are */
	bool split;       /* it was split from its siblings, because: */
	double p;         /* their lives are the same with this probability (after Holm), */
	double effect;    /* and this share apart */
	uint64_t t;       /* at this age */
};

struct contexts {
	VEC(struct context) list;
	VEC(uint32_t) of; /* by position in `accounts`: its context */
};

void contexts_release(struct contexts *c);

/*
 * Groups the accounts picked (indices into the ledger). `split` false: by class and allocating
 * line alone. *c is overwritten. 0 or ERR_NOMEM.
 */
int contexts_find(struct contexts *c, const struct model *m, const struct ledger *l,
	const uint32_t *picked, size_t count, bool split);

/* Frame i of the context, from the allocating one, as an index; 0 from the last on. */
uint32_t context_frame(const struct context *c, const struct model *m, uint32_t i);

#endif
