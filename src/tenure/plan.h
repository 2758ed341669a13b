/*
 * The settings of the levers that there are, each with its forecast, and the one to take:
 * doc/tenure.md, "Which setting".
 */
#ifndef TENURE_PLAN_H
#define TENURE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/forecast.h"

struct plan_rule {
	bool can_jump, can_set_threshold;
	uint32_t threshold_now; /* the VM's bound */
	double flag_near;       /* a plain flag is preferred within this share of the best */
	/* What jumps must save beside the threshold alone: of the cost now, and of what that saves.
	 * Of those in force half of it is enough. */
	double jump_least, jump_part;
	double jump_first; /* of the cost now, too, where none jump yet */
	struct cost cost;
	struct choose_rule choose;
};

/* What the levers would be moved against. */
struct plan_view {
	const struct snapshot *s;
	const struct held *held; /* while no lever was moved */
	struct fit fit;
	const struct choose_edge *edges;
	size_t edge_count;
};

struct plan {
	uint32_t most;         /* THRESHOLD_MOST: the threshold is left alone */
	bool jump;             /* rows says where */
	struct forecast now;   /* with no lever moved */
	struct forecast then;  /* as planned */
	struct forecast stays; /* with the levers that `in_force` names */
	uint32_t flag; /* a bound that alone costs at most flag_near more than the best of all,
			  and less than now; THRESHOLD_MOST: there is none */
	struct forecast flagged;
	double beside; /* what jumps save beside the bound alone, of what that saves; INFINITY:
			  there is no such bound, NaN: none jump */
};

/* in_force: what to compare with (stays). rows, spare: room for s->count each, of the caller; rows
 * is the plan's choice afterwards. */
struct plan plan_make(const struct plan_view *v, const struct plan_rule *rule,
	const struct setting *in_force, struct choose_row *rows, struct choose_row *spare);

#endif
