#include "tenure/planner.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

void planner_release(struct planner *p)
{
	mem_free(p->rows);
	mem_free(p->spare);
	memset(p, 0, sizeof(*p));
}

int planner_make_room(struct planner *p, size_t count)
{
	if (count <= p->room)
		return ERR_NONE;
	struct choose_row *rows = mem_realloc(p->rows, count * sizeof(*rows));
	if (rows)
		p->rows = rows;
	struct choose_row *spare = mem_realloc(p->spare, count * sizeof(*spare));
	if (spare)
		p->spare = spare;
	if (!rows || !spare)
		return ERR_NOMEM;
	p->room = count;
	return ERR_NONE;
}

struct setting planner_in_force(struct planner *p, const struct view *v, const struct levers *l)
{
	return levers_setting(l, v->s, p->spare);
}

struct plan planner_plan(struct planner *p, const struct view *v, const struct levers *l,
	const struct grounds *g, const struct plan_rule *rule)
{
	struct plan_view view = {v->s, &g->held, g->fit, v->edges, v->edge_count};
	levers_mark_refused(l, v->s);
	/* The plan uses the spare rows for itself after it has read them. */
	struct setting now = planner_in_force(p, v, l);
	return plan_make(&view, rule, &now, p->rows, p->spare);
}

bool planner_takes(const struct planner *p, const struct plan *plan, const struct view *v,
	const struct levers *l, size_t i)
{
	return plan->jump && choose_is(p->rows[i].why) &&
	       !place_set_covers(&l->refused, &v->s->rows[i].at);
}
