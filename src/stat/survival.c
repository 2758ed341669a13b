#include "stat/survival.h"

#include "stat/product.h"

int survival_curve(const struct ages *a, struct curve *c)
{
	int err = product_curve(a->rows.at, a->rows.count, a->all, LIMIT_BOTH, c);
	c->counts = true;
	return err;
}
