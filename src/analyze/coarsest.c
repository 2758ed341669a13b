#include "analyze/coarsest.h"

#include "stat/weight.h"

/* Under fewer a place can't have missed much. */
#define SAMPLES_LEAST 3.0

/* Bytes that a sample of an object of 1 stands for. */
static double unit_of(const struct config_def *c)
{
	return c->walk * weight_poisson(1, c->interval);
}

/* Objects that one of this kind stands for, where it is sampled. */
static double weight_of(const struct config_def *c, const struct coarse_kind *k)
{
	return c->walk * (k->lives ? c->track : 1) * weight_poisson(k->size, c->interval);
}

/* What was allocated under it, by so many samples. */
static double allocated(const struct config_def *c, double samples)
{
	return c->walk * ((double)c->interval + 1) * samples;
}

struct coarse coarse_of(const struct model *m, const struct coarse_kind *k)
{
	double size = (double)(k->size ? k->size : 1), e = k->exposure;
	struct coarse out = {.count = 0};
	for (size_t i = 0; i < m->facts.configs.count; i++) {
		const struct config_def *c = &m->facts.configs.at[i];
		double weight = weight_of(c, k), bytes = allocated(c, (double)c->samples);
		if (c->valid)
			coarse_add(&out, &(struct coarse_level){size * weight / e,
						 size * (weight - 1) / e, bytes / e});
	}
	if (out.count == 1)
		out.count = 0;
	return out;
}

double coarse_chance(const struct model *m, const struct coarse_kind *k)
{
	double seen = 0, all = 0;
	for (size_t i = 0; i < m->facts.configs.count; i++) {
		const struct config_def *c = &m->facts.configs.at[i];
		double bytes = allocated(c, (double)c->samples + 1e-9);
		if (!c->valid)
			continue;
		seen += bytes / weight_of(c, k);
		all += bytes;
	}
	return all > 0 ? seen / all : 0;
}

/* Of one that is as coarse as `unit` says, or finer. */
static struct total_coarse config_of(const struct model *m, double unit)
{
	struct total_coarse out = {0};
	double found = 0;
	for (size_t i = 0; i < m->facts.configs.count; i++) {
		const struct config_def *c = &m->facts.configs.at[i];
		if (!c->valid || unit_of(c) > unit || unit_of(c) <= found)
			continue;
		found = unit_of(c);
		out = (struct total_coarse){(float)c->walk, (float)c->interval};
	}
	return out;
}

struct total_coarse coarsest_of(const struct model *m)
{
	struct coarse all = coarse_of(m, &(struct coarse_kind){.size = 1, .exposure = 1});
	double samples = 0;
	size_t i = 0;
	while (i < all.count && samples < SAMPLES_LEAST) {
		samples += all.at[i].room / all.at[i].unit;
		i++;
	}
	if (i == all.count || m->exact.births.objects > 0)
		return (struct total_coarse){0};
	return config_of(m, all.at[i - 1].unit * (1 + 1e-9));
}
