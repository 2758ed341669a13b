#include "tenure/worth.h"

#include <math.h>

#define LEAST_OF_GC  0.02 /* of the collector's CPU that a plan must save, and jumps beside it */
#define LEAST_OF_ALL 0.01 /* of the process's CPU that jumps must save */
#define YOUNG_LEAST                                                                                \
	0.5       /* young collections in the window, for each collection of the last round        \
		   */
#define SURE  2   /* standard errors, by samples, that a plan must save of what is copied */
#define AGAIN 0.5 /* of all that was compiled so far: what rewriting classes has compiled again */

bool worth_looking(const struct worth *w, const struct round *r)
{
	double cpu = round_total(r, ROUND_CPU), pause = round_total(r, ROUND_PAUSE);
	double process = r->process_cpu == ROUND_UNKNOWN ? (double)NAN : (double)r->process_cpu;
	bool known = isfinite(cpu / process) && process > 0;
	if (known && cpu / process >= w->least_share)
		return true;
	if (isfinite(pause) && r->count)
		return pause / r->count >= w->least_pause;
	return !known;
}

bool worth_gaining(const struct snapshot *s, const struct round *r, double gain, double share)
{
	double cpu = round_total(r, ROUND_CPU);
	if (!isfinite(cpu) || !r->count || !(s->collections > 0))
		return true;
	return gain / s->collections >= share * cpu / r->count;
}

/* Bytes for each collection, of the last of the round's groups. */
static double at_the_end(const struct round *r)
{
	uint32_t from = round_group(r, ROUND_GROUPS - 1);
	return round_sum(r, ROUND_COPIED, from, r->count) / (r->count - from);
}

/* What the collector copied in the last round, or at its end where that is less, of what it copied
 * in the window: a start that fills caches is still in the window, and may be in the round, when
 * there is nothing left to spare. At most 1. */
static double lately(const struct snapshot *s, const struct round *r, const struct forecast *now)
{
	double last = round_total(r, ROUND_COPIED);
	if (!isfinite(last) || !r->count || !(s->collections > 0) || !(now->copied.bytes > 0))
		return 1;
	double share = fmin(last / r->count, at_the_end(r)) * s->collections / now->copied.bytes;
	return share < 1 ? share : 1;
}

double worth_jumping(const struct worth *w, const struct round *r)
{
	double cpu = round_total(r, ROUND_CPU), pause = round_total(r, ROUND_PAUSE);
	bool known = r->process_cpu != ROUND_UNKNOWN && isfinite(cpu) && cpu > 0;
	if (!known || (isfinite(pause) && pause / r->count >= w->least_pause))
		return LEAST_OF_GC;
	return fmax(LEAST_OF_GC, LEAST_OF_ALL * (double)r->process_cpu / cpu);
}

double worth_rewriting(const struct round *r)
{
	double cpu = round_total(r, ROUND_CPU), age = (double)r->process_age;
	bool known = r->process_cpu != ROUND_UNKNOWN && isfinite(cpu) && cpu > 0 && age > 0;
	double price = AGAIN * (double)r->compilers;
	return known ? price / age * (double)r->process_cpu / cpu : 0;
}

bool worth_knowing(const struct snapshot *s, const struct round *r)
{
	return s->collections - s->alone >= YOUNG_LEAST * r->count;
}

/* What is copied now has no error of its own: then is a share of it. */
static bool is_sure(const struct forecast *now, const struct forecast *then)
{
	return now->copied.bytes - then->copied.bytes >= SURE * then->error;
}

bool worth_moving(const struct worth *w, const struct snapshot *s, const struct round *r,
	const struct forecast *now, const struct forecast *then)
{
	double gain = now->cost - then->cost;
	return worth_knowing(s, r) && now->cost > 0 && gain >= w->least_gain * now->cost &&
	       is_sure(now, then) && worth_gaining(s, r, gain * lately(s, r, now), LEAST_OF_GC) &&
	       worth_looking(w, r);
}
