#include "stat/interval.h"

#include "base/error.h"
#include "base/mem.h"
#include "stat/product.h"
#include "stat/turnbull.h"

struct work {
	struct turnbull fit;
	struct ages_row rows[TURNBULL_EDGES]; /* by cell */
};

/* The Kaplan–Meier curve over cells, each death in the first (or the last) cell of its span. */
static int bound_curve(const struct spans *s, struct work *w, bool late, struct curve *c)
{
	for (uint32_t j = 0; j < w->fit.count; j++)
		w->rows[j] = (struct ages_row){.age = j};
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct spans_row *row = &s->rows.at[i];
		uint32_t after = w->fit.index[row->after];
		uint32_t cell = late ? turnbull_end(&w->fit, row) - 1 : after;
		if (row->by == SPAN_OPEN)
			mass_add(&w->rows[after].lost, row->mass);
		else
			mass_add(&w->rows[cell].died, row->mass);
		if (row->entry)
			mass_add(&w->rows[w->fit.index[row->entry]].entered, row->mass);
	}
	bool census = !(s->heaviest > 0);
	int err = product_curve(
		w->rows, w->fit.count, s->all, census, s->heaviest, late ? LIMIT_HI : LIMIT_LO, c);
	c->counts = true;
	return err;
}

static int fill_points(const struct turnbull *fit, const struct curve *early,
	const struct curve *late, struct curve *c)
{
	if (vec_reserve(&c->points, fit->count))
		return ERR_NOMEM;
	for (uint32_t j = 1; j < fit->count; j++) {
		struct curve_point low = curve_at(early, j), high = curve_at(late, j);
		double p = 1 - fit->before[j];
		p = p > 1e-12 ? p : 0;
		c->points.at[c->points.count++] = (struct curve_point){
			.t = spans_edge(fit->edge[j]),
			.p = p,
			.lo = low.lo < p ? low.lo : p,
			.hi = high.hi > p ? high.hi : p,
			.risk = low.risk,
		};
		c->known = p > 0 ? spans_edge(fit->edge[j]) : UINT64_MAX;
	}
	return ERR_NONE;
}

static int curve_of(const struct spans *s, struct work *w, struct curve *c)
{
	struct curve early = {0}, late = {0};
	turnbull_fit(s, &w->fit);
	int err = bound_curve(s, w, false, &early);
	if (!err)
		err = bound_curve(s, w, true, &late);
	if (!err)
		err = fill_points(&w->fit, &early, &late, c);
	c->n_eff = early.n_eff;
	c->died = early.died;
	c->converged = !(w->fit.gap > TURNBULL_GAP);
	curve_release(&early);
	curve_release(&late);
	return err;
}

int interval_curve(const struct spans *s, struct curve *c)
{
	*c = (struct curve){0};
	struct work *w = mem_alloc(sizeof(*w));
	if (!w)
		return ERR_NOMEM;
	int err = curve_of(s, w, c);
	mem_free(w);
	if (err)
		curve_release(c);
	return err;
}
