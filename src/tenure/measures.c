#include "tenure/measures.h"

#include <math.h>
#include <string.h>

#define LEAST_BROUGHT 0.25 /* of the copying that was to go, that must be gone */

enum { DEAR_ROUNDS = 4 };

static const char *const texts[MEASURES + 1] = {
	[MEASURE_COST] = "what the collector costs",
	[MEASURE_COPIED] = "what it copies",
	[MEASURE_PROMOTED] = "what it promotes",
	[MEASURE_PAUSE] = "the mean pause",
	[MEASURES] = "nothing",
};

typedef bool gauge_above(const struct gauge *before, const struct gauge *now, double least);

static enum measure first_above(const struct measures *before, const struct measures *now,
	unsigned which, double least, gauge_above *above)
{
	for (enum measure m = 0; m < MEASURES; m++)
		if (which >> m & 1 && above(&before->of[m], &now->of[m], least))
			return m;
	return MEASURES;
}

enum measure measures_changed(
	const struct measures *before, const struct round *r, double least, unsigned which)
{
	struct measures now = {0};
	measures_add(&now, r);
	return first_above(before, &now, which, least, gauge_worse);
}

/* What is promoted is a part of what is copied, and may be a small one, which sways most. */
static bool is_much(const struct measures *before, const struct measures *now, double least)
{
	double more = gauge_median(&now->of[MEASURE_PROMOTED]) -
		      gauge_median(&before->of[MEASURE_PROMOTED]);
	return more > least * gauge_median(&before->of[MEASURE_COPIED]);
}

/* Where it is not known it tells nothing. */
static bool is_beyond(const struct gauge *before, const struct gauge *now, double least)
{
	return !before->count || !now->count || gauge_departed(before, now, least);
}

static bool is_real(
	const struct measures *before, const struct measures *now, enum measure m, double least)
{
	return gauge_departed(&before->of[m], &now->of[m], least) &&
	       is_beyond(&before->each[m], &now->each[m], least) &&
	       (m != MEASURE_COST || is_beyond(&before->share, &now->share, least));
}

enum measure measures_departed(
	const struct measures *before, const struct round *r, double least, unsigned which)
{
	struct measures now = {0};
	measures_add(&now, r);
	if (!is_much(before, &now, least))
		which &= ~(1u << MEASURE_PROMOTED);
	for (enum measure m = 0; m < MEASURES; m++)
		if (which >> m & 1 && is_real(before, &now, m, least))
			return m;
	return MEASURES;
}

bool measures_brought_nothing(
	const struct measures *before, const struct measures *since, double foretold, double least)
{
	double was = measures_copied(before), due = was - foretold;
	return since->rounds >= MEASURES_JUDGED && due > least * was &&
	       was - measures_copied(since) < LEAST_BROUGHT * due;
}

const char *measure_text(enum measure m)
{
	return texts[m];
}

void measures_clear(struct measures *m)
{
	memset(m, 0, sizeof(*m));
}

static double cost_rate(const struct round *r, uint32_t g)
{
	double cpu = round_rate(r, ROUND_CPU, g);
	return isfinite(cpu) ? cpu : round_rate(r, ROUND_PAUSE, g);
}

static double mean_pause(const struct round *r, uint32_t g)
{
	uint32_t from = round_group(r, g), to = round_group(r, g + 1);
	return to > from ? round_sum(r, ROUND_PAUSE, from, to) / (to - from) : (double)NAN;
}

/* CPU of the program itself for each byte that it allocates; NaN where not known. */
static double own_rate(const struct round *r)
{
	double cpu = round_total(r, ROUND_CPU), own = (double)r->process_cpu - cpu;
	bool known = r->process_cpu != ROUND_UNKNOWN && own > 0;
	return known ? own / round_total(r, ROUND_ALLOCATED) : (double)NAN;
}

static void add_each(struct measures *m, const struct round *r, uint32_t g)
{
	uint32_t from = round_group(r, g), to = round_group(r, g + 1);
	double bytes = round_sum(r, ROUND_ALLOCATED, from, to), each = bytes / (to - from);
	gauge_add(&m->each[MEASURE_COST], cost_rate(r, g) * each);
	gauge_add(&m->each[MEASURE_COPIED], round_rate(r, ROUND_COPIED, g) * each);
	gauge_add(&m->each[MEASURE_PROMOTED], round_rate(r, ROUND_PROMOTED, g) * each);
	gauge_add(&m->share, round_rate(r, ROUND_CPU, g) / own_rate(r));
}

/* A gauge passes over what is not finite: not known. */
static void add_group(struct measures *m, const struct round *r, uint32_t g)
{
	gauge_add(&m->of[MEASURE_COST], cost_rate(r, g));
	gauge_add(&m->of[MEASURE_COPIED], round_rate(r, ROUND_COPIED, g));
	gauge_add(&m->of[MEASURE_PROMOTED], round_rate(r, ROUND_PROMOTED, g));
	gauge_add(&m->of[MEASURE_PAUSE], mean_pause(r, g));
	add_each(m, r, g);
}

static void add_whole(struct measures *m, const struct round *r)
{
	double cpu = round_total(r, ROUND_CPU), pause = round_total(r, ROUND_PAUSE);
	double allocated = round_total(r, ROUND_ALLOCATED);
	if (allocated > 0)
		gauge_add(&m->whole, (isfinite(cpu) ? cpu : pause) / allocated);
}

void measures_add(struct measures *m, const struct round *r)
{
	double allocated = round_total(r, ROUND_ALLOCATED), copied = round_total(r, ROUND_COPIED);
	for (uint32_t g = 0; g < ROUND_GROUPS; g++)
		add_group(m, r, g);
	add_whole(m, r);
	m->rounds++;
	m->full += r->full > 0;
	if (!isfinite(allocated) || !isfinite(copied))
		return;
	m->allocated += allocated;
	m->copied += copied;
}

double measures_copied(const struct measures *m)
{
	return m->allocated > 0 ? m->copied / m->allocated : 0;
}

/* Of what is promoted, 0 … 1. */
static double share_of_early(const struct measures *now, double early)
{
	double promoted = gauge_mean(&now->of[MEASURE_PROMOTED]);
	return early < promoted ? early / promoted : 1;
}

bool measures_dearer(
	const struct measures *before, const struct measures *now, double early, double least)
{
	/* Rounds without levers may be few: their groups are enough. */
	const struct gauge *was = &before->of[MEASURE_COST], *is = &now->whole;
	if (was->count < ROUND_GROUPS || is->count < DEAR_ROUNDS)
		return false;
	double more = gauge_mean(is) - gauge_mean(was);
	double noise = 3 * hypot(gauge_mean_error(was), gauge_mean_error(is));
	return more * share_of_early(now, early) > least * gauge_mean(was) && more > noise;
}

enum measure measures_worse(
	const struct measures *before, const struct measures *now, unsigned which, double least)
{
	return first_above(before, now, which, least, gauge_worse);
}

bool measures_apart(
	const struct measures *before, const struct round *r, unsigned which, double least)
{
	struct measures now = {0};
	measures_add(&now, r);
	return first_above(before, &now, which, least, gauge_worse) != MEASURES ||
	       first_above(&now, before, which, least, gauge_worse) != MEASURES;
}
