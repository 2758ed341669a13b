/*
 * The controller from inside: what its states share (doc/tenure.md, "The controller"). Only the
 * files of the states include it: controller.c, deciding.c, probe.c.
 */
#ifndef TENURE_LOOP_H
#define TENURE_LOOP_H

#include "tenure/advice.h"
#include "tenure/controller.h"
#include "tenure/costing.h"
#include "tenure/probing.h"
#include "tenure/proposal.h"
#include "tenure/transition.h"

/* Protected by the caller's lock, all of it. */
/* What was allocated, and in how many collections. */
struct pace {
	double allocated, collections;
	double decay; /* of both in the next round */
};

struct controller {
	struct controller_rule rule;
	enum controller_state state;
	uint32_t rounds;  /* in this state */
	uint64_t age;     /* collections of the run */
	struct pace pace; /* of the snapshot's window */
	uint32_t held_rounds, calm;
	uint32_t wait;    /* rounds after the next failure */
	uint32_t waiting; /* rounds of the wait that goes on */
	struct probing probing;
	uint32_t loaded;   /* rounds for which a file's decisions are trusted; 0: not beyond 4 */
	uint32_t trusted;  /* the same of what is in force; 0: it has not stood its test */
	uint32_t settling; /* collections still to come */
	bool stopped, low, failed;
	bool clear, cut;      /* the round may end before its time; the one that is over did */
	bool lost;            /* of what was decided last some can't be done */
	struct levers levers; /* owned, as are these two */
	struct proposal proposal;
	struct planner planner;

	struct grounds grounds;
	struct costing costing;
	bool told;

	struct outcome outcome;
	struct diag asked; /* why the next probe does not wait for its turn */
	struct advice advice;
};

void controller_enter(struct controller *c, enum controller_state state);
/* The same, and what is seen does not count until what was young has settled. */
void controller_settle(struct controller *c, enum controller_state state);
/* Whether the round that is over came after all had settled. */
bool controller_is_settled(struct controller *c, const struct round *r);
void controller_sample(struct controller *c, bool low, const char *why);
/* All levers go back, and nothing is tried for a while. */
void controller_withdraw(struct controller *c, const char *why);
/* The same where they could not be carried out: that says nothing of what the next ones are worth.
 */
void controller_leave(struct controller *c, const char *why);

#endif
