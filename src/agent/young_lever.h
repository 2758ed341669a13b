/*
 * The young generation's size, which the file of an earlier run may say: set as the VM starts,
 * watched through the run, and at its end kept, taken back or made larger for the next one
 * (doc/tenure.md, "The young generation's size"). G1 resizes its own from one collection to the
 * next, to keep pauses short, and a size that is set would end that: for Serial and Parallel.
 */
#ifndef AGENT_YOUNG_LEVER_H
#define AGENT_YOUNG_LEVER_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/recorder.h"
#include "base/diag.h"
#include "hotspot/vm_flags.h"
#include "tenure/young_trial.h"

/* All zeros at first. Protected by tenure's lock once its thread is there. */
struct young_lever {
	struct decision_young file; /* as it was read */
	bool set;                   /* as it says */
	bool free;                  /* a next run may be given one */
	struct diag not_set;        /* why not, though the file says so; "" else */
	uint64_t heap;              /* the most that it may have, bytes; 0: not known */
	struct young_trial trial;
	struct young_room room; /* as the last round left it */
	uint64_t number;        /* of that */
	bool told, looked;
};

/*
 * What the file says, and whether it is to be done; live: the VM is past its start. In OnLoad, when
 * the options are parsed and no heap is there yet, or at an attach.
 */
void young_lever_open(struct young_lever *l, const struct vm_flags *f,
	const struct decision_young *file, bool acts, bool live);
/* Says in the trace what was done, or why not. */
void young_lever_begin(struct young_lever *l, struct recorder *r);
/* A round is over, which is in the trace. */
void young_lever_round(
	struct young_lever *l, struct recorder *r, uint64_t number, const struct round *round);
/* A run is over: what the controller says of a larger young generation, as controller_young and
 * controller_young_told. */
struct young_end {
	struct young_offer offer;
	uint64_t advised;
};
/* What the file is to say for the next run; the trace is told. *changed: it is not what the
 * decisions of this run were tested with. */
struct decision_young young_lever_next(const struct young_lever *l, struct recorder *r,
	const struct young_end *end, bool *changed);

#endif
