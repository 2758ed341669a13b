#include "stat/survival.h"

#include "stat/product.h"

static int curve_of(const struct ages *a, bool census, struct curve *c)
{
	int err = product_curve(
		a->rows.at, a->rows.count, a->all, census, a->heaviest, LIMIT_BOTH, c);
	c->counts = true;
	return err;
}

int survival_curve(const struct ages *a, struct curve *c)
{
	return curve_of(a, !(a->heaviest > 0), c);
}

int survival_sample_curve(const struct ages *a, struct curve *c)
{
	return curve_of(a, false, c);
}
