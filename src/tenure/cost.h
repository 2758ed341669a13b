/* What copying costs a collector, in CPU: doc/tenure.md, "Cost". */
#ifndef TENURE_COST_H
#define TENURE_COST_H

#include "tenure/amount.h"

struct cost {
	double byte;   /* ns for each byte copied */
	double object; /* ns for each object copied */
	double old;    /* copies that one early death in the old generation is worth */
};

#define COST_DEFAULT ((struct cost){.byte = 0.1, .object = 30, .old = 2})

/* ns of CPU to copy that once. */
static inline double cost_copy(const struct cost *c, struct amount a)
{
	return c->byte * a.bytes + c->object * a.objects;
}

#endif
