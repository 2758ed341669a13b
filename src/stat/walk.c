#include <math.h>

#include "base/error.h"
#include "stat/product.h"

/* Who is in sight at the next collection, as the rows are walked. */
struct walk {
	struct mass risk;
	struct product product;
	uint64_t done; /* collections walked */
	enum product_limits limits;
	struct curve *curve;
};

/* Starts with those in sight from birth: everyone less those who came late. */
static struct walk walk_start(const struct ages_row *rows, size_t count, struct mass all,
	bool census, double heaviest, struct curve *c)
{
	struct walk w = {.risk = all, .curve = c};
	bool late = false;
	struct mass died = {0};
	for (size_t i = 0; i < count; i++) {
		late |= rows[i].entered.n > 0;
		mass_sub(&w.risk, rows[i].entered);
		mass_add(&died, rows[i].died);
	}
	w.product = product_init(census && !late, heaviest);
	c->n_eff = mass_effective(all);
	c->died = all.n ? died.w / all.w : 0;
	return w;
}

/* The collections after age w->done, up to this age, found nobody dead; the curve needs its first
 * point though. */
static int pass(struct walk *w, uint32_t age)
{
	w->curve->known = age;
	if (w->done)
		return ERR_NONE;
	w->done = 1;
	product_step(&w->product, w->risk, (struct mass){0}, (struct mass){0});
	struct curve_point point = product_point(&w->product, 1, w->limits);
	point.risk = mass_effective(w->risk);
	return vec_push(&w->curve->points, point);
}

/* At this age some come or are lost; then the next collection finds the dead of this age. */
static int step(struct walk *w, const struct ages_row *row)
{
	mass_add(&w->risk, row->entered);
	mass_sub(&w->risk, row->lost);
	product_step(&w->product, w->risk, row->died, row->lost);
	mass_sub(&w->risk, row->died);
	w->done = w->curve->known = (uint64_t)row->age + 1;
	struct curve_point point = product_point(&w->product, w->done, w->limits);
	point.risk = mass_effective(w->risk);
	return vec_push(&w->curve->points, point);
}

/* Whether nobody is there for the collection after this row's age: then nothing later is known
 * either. */
static bool blind(const struct walk *w, const struct ages_row *row)
{
	return w->risk.n + row->entered.n == row->lost.n;
}

int product_curve(const struct ages_row *rows, size_t count, struct mass all, bool census,
	double heaviest, enum product_limits limits, struct curve *c)
{
	*c = (struct curve){.converged = true};
	struct walk w = walk_start(rows, count, all, census, heaviest, c);
	int err = ERR_NONE;
	w.limits = limits;
	for (size_t i = 0; i < count && !err; i++) {
		if (rows[i].age > w.done) {
			if (!w.risk.n)
				break;
			err = pass(&w, rows[i].age);
		}
		if (blind(&w, &rows[i]))
			break;
		if (!err)
			err = step(&w, &rows[i]);
	}
	if (err)
		curve_release(c);
	else if (c->points.count && !(w.product.p > 0))
		c->known = UINT64_MAX;
	return err;
}
