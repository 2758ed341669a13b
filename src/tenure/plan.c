#include "tenure/plan.h"

#include <math.h>
#include <string.h>

/* With a low threshold what is referred to follows soon. */
enum { LOW_THRESHOLD = 4 };
/* Of the cost: what a second lever must give beyond one. */
#define SECOND_LEVER 0.01
#define IN_FORCE     0.5 /* of what jumps must save, where they are */

struct planning {
	const struct plan_view *v;
	const struct plan_rule *rule;
	bool jumps; /* some do */
	struct plan plan;
	struct choose_row *rows, *spare;
};

static struct forecast foretell(const struct planning *p, const struct setting *set)
{
	return forecast_of(p->v->s, p->v->held, set, &p->v->fit, &p->rule->cost);
}

static struct setting threshold_only(uint32_t most)
{
	return (struct setting){.most = most};
}

/* The greater bound wins a tie: it is the smaller change. */
static void try_flags(struct planning *p)
{
	struct plan *plan = &p->plan;
	plan->flagged = plan->now;
	plan->flag = THRESHOLD_MOST;
	for (uint32_t most = p->rule->threshold_now; most-- > 0;) {
		struct setting set = threshold_only(most);
		struct forecast f = foretell(p, &set);
		if (f.cost >= plan->flagged.cost)
			continue;
		plan->flagged = f;
		plan->flag = most;
	}
}

static bool any_chosen(const struct choose_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (choose_is(rows[i].why))
			return true;
	return false;
}

/* Objects whose children stay young keep cards dirty: with no low threshold beside the jump only
 * what has none, or takes them along. */
static struct choose_rule rule_for(const struct planning *p, uint32_t most)
{
	struct choose_rule rule = p->rule->choose;
	rule.leaf_only |= !p->rule->can_set_threshold || most > LOW_THRESHOLD;
	return rule;
}

static void try_jump(struct planning *p, uint32_t most)
{
	const struct plan_view *v = p->v;
	struct choose_rule rule = rule_for(p, most);
	choose_places(
		v->s, v->held, most, &p->rule->cost, &rule, v->edges, v->edge_count, p->spare);
	if (!any_chosen(p->spare, v->s->count))
		return;
	struct setting set = {.most = most, .jump = p->spare};
	struct forecast f = foretell(p, &set);
	double second = most < THRESHOLD_MOST && p->plan.jump ? SECOND_LEVER : 0;
	if (f.cost >= p->plan.then.cost * (1 - second))
		return;
	p->plan.then = f;
	p->plan.most = most;
	p->plan.jump = true;
	memcpy(p->rows, p->spare, v->s->count * sizeof(*p->rows));
}

static void try_jumps(struct planning *p)
{
	try_jump(p, THRESHOLD_MOST);
	for (uint32_t most = p->rule->threshold_now; p->rule->can_set_threshold && most-- > 1;)
		try_jump(p, most);
}

/* What the bound saves alone, where it can be set. */
static double saved_without(const struct planning *p)
{
	return p->rule->can_set_threshold ? p->plan.now.cost - p->plan.flagged.cost : 0;
}

/* Rewriting throws away compiled code of all that uses the classes, and what was put in goes on
 * costing: there must be something in it. */
static bool jump_is_little(const struct planning *p)
{
	const struct plan *plan = &p->plan;
	double without = saved_without(p), saved = plan->now.cost - plan->then.cost - without;
	double share = fmax(p->rule->jump_least, p->jumps ? 0 : p->rule->jump_first);
	double least = fmax(share * plan->now.cost, p->rule->jump_part * without);
	return plan->jump && saved < (p->jumps ? IN_FORCE : 1) * least;
}

static double beside(const struct planning *p)
{
	double without = saved_without(p);
	double saved = p->plan.now.cost - p->plan.then.cost - without;
	if (!p->plan.jump)
		return (double)NAN;
	return without > 0 ? saved / without : (double)INFINITY;
}

static void drop_jump(struct planning *p)
{
	struct plan *plan = &p->plan;
	plan->jump = false;
	plan->then = plan->now;
	plan->most = THRESHOLD_MOST;
	if (!p->rule->can_set_threshold || plan->flag == THRESHOLD_MOST)
		return;
	plan->then = plan->flagged;
	plan->most = plan->flag;
}

/* The flag alone where a jump is not strictly better. */
static void settle(struct planning *p)
{
	struct plan *plan = &p->plan;
	if (jump_is_little(p))
		drop_jump(p);
	bool near = plan->flagged.cost <= plan->then.cost * (1 + p->rule->flag_near);
	if (plan->flag == THRESHOLD_MOST || !near) {
		plan->flag = THRESHOLD_MOST;
		return;
	}
	if (!p->rule->can_set_threshold)
		return;
	plan->then = plan->flagged;
	plan->most = plan->flag;
	plan->jump = false;
}

static double error_of(const struct planning *p, const struct setting *set)
{
	return forecast_error(p->v->s, p->v->held, set, &p->v->fit);
}

/* Of those that something is done by. */
static void find_errors(struct planning *p)
{
	struct plan *plan = &p->plan;
	const struct setting then = {.most = plan->most, .jump = plan->jump ? p->rows : NULL};
	const struct setting flagged = threshold_only(plan->flag);
	plan->then.error = error_of(p, &then);
	plan->flagged.error = plan->flag < THRESHOLD_MOST ? error_of(p, &flagged) : 0;
}

struct plan plan_make(const struct plan_view *v, const struct plan_rule *rule,
	const struct setting *in_force, struct choose_row *rows, struct choose_row *spare)
{
	struct planning p = {v, rule, false, {.most = THRESHOLD_MOST}, rows, spare};
	struct setting nothing = threshold_only(THRESHOLD_MOST);
	p.plan.now = p.plan.then = foretell(&p, &nothing);
	/* Its rows may be the spare ones, which the plan uses from here on. */
	p.plan.stays = foretell(&p, in_force);
	p.plan.stays.error = error_of(&p, in_force);
	p.jumps = in_force->jump && any_chosen(in_force->jump, v->s->count);
	try_flags(&p);
	if (rule->can_jump)
		try_jumps(&p);
	settle(&p);
	p.plan.beside = beside(&p);
	find_errors(&p);
	return p.plan;
}
