/*
 * What tenure did, round by round, as a trace tells it (doc/trace-format.md, section 9). Values are
 * the trace's: any number may stand there.
 */
#ifndef MODEL_TENURE_H
#define MODEL_TENURE_H

#include <stdint.h>

#include "base/vec.h"
#include "model/odd.h"
#include "trace/format.h"
#include "trace/record.h"

/* Of each list; beyond that the earliest quarter and the latest stay. */
enum { TENURE_MAX = 1 << 18 };

struct tenure_round {
	uint64_t time;  /* at its end; never less than the round's before */
	uint64_t round; /* its number: 1 or more, always rising */
	uint64_t young; /* the clock at its end; never less than before */
	uint64_t collections, samples;
	uint64_t copied, promoted, allocated; /* bytes */
	uint64_t pause, longest, cpu;         /* ns; cpu 0: not known */
	uint64_t jumps;                       /* places whose objects jumped */
	uint8_t state;                        /* enum tenure_state, or another */
	uint8_t threshold;                    /* at most TENURE_UNBOUND */
};

struct tenure_decision {
	uint64_t time, round, value;
	uint64_t gain, harm;   /* bytes copied a second */
	uint32_t site, reason; /* index, text; 0: none */
	uint8_t lever, action; /* enum tenure_lever, enum tenure_action */
};

struct tenure_outcome {
	uint64_t time, round;
	uint64_t predicted, observed; /* bytes copied a second */
	uint64_t margin; /* two standard errors of predicted, by its samples; 0: not known */
	uint8_t lever;
};

struct tenure {
	VEC(struct tenure_round) rounds;
	VEC(struct tenure_decision) decisions; /* in the order of the trace */
	VEC(struct tenure_outcome) outcomes;
};

void tenure_release(struct tenure *t);
/* Take a record; what can't be is counted and left out. `site` is an index, `reason` a text. 0 or
 * ERR_NOMEM. */
int tenure_add_round(struct tenure *t, const struct record_round *r, struct odds *odds);
int tenure_add_decision(struct tenure *t, const struct record_decision *r, uint32_t site,
	uint32_t reason, struct odds *odds);
int tenure_add_outcome(struct tenure *t, const struct record_outcome *r, struct odds *odds);

#endif
