/* What is decided while no lever is moved, and how a plan is carried out: the states `learn` and
 * `wait`. */
#ifndef TENURE_DECIDING_H
#define TENURE_DECIDING_H

#include "tenure/loop.h"

/* Whether anything beyond a file's decisions may be moved. */
bool deciding_may_act(const struct controller *c);
/* By what is known now. There must be room in the planner. */
struct plan deciding_plan(struct controller *c, const struct view *v);
/* Whether the plan would be taken where no lever is moved. */
bool deciding_is_worth(const struct controller *c, const struct view *v, const struct plan *p);
/* Whether a plain flag is named that was not before. */
bool deciding_note_flag(struct controller *c, const struct plan *p, const struct view *v);
void deciding_carry_out(struct controller *c, const struct plan *p, const struct view *v);
/* Whether a larger young generation would pay; where enough is seen for that. */
void deciding_look_young(struct controller *c, const struct view *v);
/* Nothing was to be done in this round. */
void deciding_stay_calm(struct controller *c);
/* A round with no lever moved: what the collector does is what a lever will be measured by. */
void deciding_look_before(struct controller *c, const struct view *v);

/* Whether this round is the last one before the first decision, and whether that is clear. */
bool deciding_is_last(const struct controller *c);
bool deciding_is_clear(struct controller *c, const struct view *v);
/* A round of these states is over. 0 or ERR_NOMEM. */
int deciding_learn(struct controller *c, const struct view *v);
int deciding_wait(struct controller *c, const struct view *v);

#endif
