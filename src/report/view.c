#include "report/view.h"

double view_seconds(const struct view *v)
{
	return (double)v->model->now.time / 1e9;
}

double view_seconds_told(const struct view *v)
{
	return (double)model_births_time(v->model) / 1e9;
}

uint64_t view_samples(const struct model *m)
{
	uint64_t seen = m->tallies.samples + m->odds.count[ODD_WEIGHTLESS];
	return m->standing.samples > seen ? m->standing.samples : seen;
}

uint64_t view_lost(const struct model *m)
{
	uint64_t told = m->tallies.lost[LOST_SAMPLES];
	return m->standing.lost > told ? m->standing.lost : told;
}

bool view_counts(const struct view *v)
{
	return v->clock == CLOCK_YOUNG || v->clock == CLOCK_FULL;
}

double view_allocated(const struct model *m)
{
	return m->exact.births.objects ? (double)m->exact.births.bytes : m->tallies.sampled;
}
