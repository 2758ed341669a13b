/* Makes plans, with room of its own for the choice of places: as many rows as the snapshot has. */
#ifndef TENURE_PLANNER_H
#define TENURE_PLANNER_H

#include "tenure/grounds.h"
#include "tenure/levers.h"
#include "tenure/plan.h"
#include "tenure/view.h"

struct planner {
	struct choose_row *rows; /* owned, as is `spare`: the last plan's choice */
	struct choose_row *spare;
	size_t room;
};

void planner_release(struct planner *p);
/* Room for so many rows. 0 or ERR_NOMEM. */
int planner_make_room(struct planner *p, size_t count);
/* There must be room. Places that were refused are marked in the snapshot. */
struct plan planner_plan(struct planner *p, const struct view *v, const struct levers *l,
	const struct grounds *g, const struct plan_rule *rule);
/* What is in force, as a choice of places: until the next plan. There must be room. */
struct setting planner_in_force(struct planner *p, const struct view *v, const struct levers *l);
/* Whether the snapshot's i-th row is to jump by the last plan. */
bool planner_takes(const struct planner *p, const struct plan *plan, const struct view *v,
	const struct levers *l, size_t i);

#endif
