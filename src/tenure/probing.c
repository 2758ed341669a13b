#include "tenure/probing.h"

enum {
	AFTER_MOST = 256,
	ENOUGH = 4, /* the part of the samples that is enough */
	LATE_MOST = 4
};

void probing_init(struct probing *p, uint32_t first)
{
	*p = (struct probing){.first = first, .after = first, .in = first};
}

void probing_decided(struct probing *p, uint64_t samples)
{
	p->samples = samples;
}

/* A program that allocates less than it did is looked at all the same. */
enum probing_step probing_round(struct probing *p, uint64_t samples, bool low)
{
	p->in -= p->in > 0;
	if (p->in)
		return PROBING_NOT_YET;
	if (low)
		return PROBING_SAMPLE;
	bool few = samples < p->samples / ENOUGH;
	p->late = few ? p->late + 1 : 0;
	if (few && p->late <= LATE_MOST)
		return PROBING_NOT_YET;
	p->late = 0;
	return PROBING_NOW;
}

void probing_kept(struct probing *p)
{
	p->after = p->after * 2 < AFTER_MOST ? p->after * 2 : AFTER_MOST;
	p->in = p->after;
}

void probing_changed(struct probing *p)
{
	p->after = p->in = p->first;
}
