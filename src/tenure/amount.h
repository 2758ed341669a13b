/* So much of the heap, both ways of counting: a copy costs for each object and for each byte. */
#ifndef TENURE_AMOUNT_H
#define TENURE_AMOUNT_H

#include <math.h>

struct amount {
	double bytes, objects;
};

static inline void amount_add(struct amount *a, struct amount more)
{
	a->bytes += more.bytes;
	a->objects += more.objects;
}

static inline struct amount amount_sum(struct amount a, struct amount b)
{
	return (struct amount){a.bytes + b.bytes, a.objects + b.objects};
}

static inline struct amount amount_less(struct amount a, struct amount b)
{
	return (struct amount){a.bytes - b.bytes, a.objects - b.objects};
}

static inline struct amount amount_times(struct amount a, double x)
{
	return (struct amount){a.bytes * x, a.objects * x};
}

/* Not less than none. */
static inline struct amount amount_whole(struct amount a)
{
	return (struct amount){fmax(a.bytes, 0), fmax(a.objects, 0)};
}

#endif
