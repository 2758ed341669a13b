#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "stat/conflict.h"

struct ranked {
	double p;
	size_t index;
};

static int by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return (x->p > y->p) - (x->p < y->p);
}

int holm_adjust(double *p, size_t count)
{
	struct ranked *order = mem_zalloc(count, sizeof(*order));
	if (!order)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		order[i] = (struct ranked){p[i], i};
	qsort(order, count, sizeof(*order), by_p);
	double least = 0;
	for (size_t i = 0; i < count; i++) {
		double adjusted = order[i].p * (double)(count - i);
		if (adjusted > least)
			least = adjusted < 1 ? adjusted : 1;
		p[order[i].index] = least;
	}
	mem_free(order);
	return ERR_NONE;
}
