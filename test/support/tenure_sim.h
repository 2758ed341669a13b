/*
 * The made-up program of sim.h as tenure would have run it: after every so many young collections a
 * round, and what was decided then.
 */
#ifndef SUPPORT_TENURE_SIM_H
#define SUPPORT_TENURE_SIM_H

#include "support/sim.h"
#include "trace/format.h"

/* A decision, or an outcome, after a round. */
struct tenure_step {
	uint64_t round;
	enum tenure_lever lever;
	enum tenure_action action;
	uint64_t site; /* 1 + the site's index; 0 none */
	uint64_t value, gain, harm;
	const char *reason;
	uint64_t predicted, observed; /* predicted not 0: an outcome of the lever, no decision */
	uint64_t margin;
};

/* From round `from` on: what the collector does for each byte allocated, and the controller's
 * figures. */
struct tenure_phase {
	uint64_t from;
	double copied, promoted; /* bytes a byte */
	double cpu;              /* ns a byte; 0 unknown */
	double pauses;           /* pauses as a multiple of what the trace has */
	enum tenure_state state;
	uint64_t threshold, jumps;
};

struct tenure_sim {
	struct sim sim;
	uint64_t length; /* young collections of a round */
	const struct tenure_phase *phases;
	size_t phase_count;
	const struct tenure_step *steps; /* by round */
	size_t step_count;
};

/* Makes the trace's records, in order. 0, ERR_NOMEM or what `put` returned. */
int tenure_sim_run(const struct tenure_sim *t, sim_put *put, void *arg);

#endif
