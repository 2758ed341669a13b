#include "sim.h"

#include <math.h>

#include "base/compiler.h"
#include "stat/weight.h"

static double churn(uint32_t age)
{
	return age == 0 ? 0.96 : 0.1;
}

static double geometric(uint32_t age)
{
	(void)age;
	return 0.3;
}

static double bimodal(uint32_t age)
{
	return age == 0 ? 0.5 : age < 12 ? 0.01 : 0.4;
}

static double slow(uint32_t age)
{
	(void)age;
	return 0.03;
}

static double growing(uint32_t age)
{
	return fmin(0.02 * age, 0.9);
}

static double immortal(uint32_t age)
{
	(void)age;
	return 0.002;
}

const struct sim_life sim_lives[] = {
	{"churn", churn},
	{"geometric", geometric},
	{"bimodal", bimodal},
	{"slow", slow},
	{"growing", growing},
	{"immortal", immortal},
};
const size_t sim_life_count = ARRAY_SIZE(sim_lives);

double sim_truth(const struct sim_life *life, uint32_t t)
{
	double s = 1;
	for (uint32_t a = 0; a < t; a++)
		s *= 1 - life->hazard(a);
	return s;
}

uint64_t sim_size(struct rng *r, uint64_t least, uint64_t most)
{
	return (uint64_t)((double)least * pow((double)most / (double)least, rng_unit(r)));
}

static bool chance(struct rng *r, double p)
{
	return rng_unit(r) < p;
}

/* Follows the object from collection to collection until it dies or is out of sight. */
static void watch(struct rng *r, const struct sim_plan *plan, struct sim_object *o)
{
	uint32_t until = plan->end ? (uint32_t)rng_below(r, plan->end + 1) : SIM_AGES;
	uint32_t a = 0;
	bool lost;
	while (!(lost = a >= until || chance(r, plan->lost)) && a < o->age)
		a++;
	o->seen = a;
	o->died = !lost && a < SIM_AGES;
}

struct sim_object sim_draw(struct rng *r, const struct sim_plan *plan, const struct sim_life *life)
{
	struct sim_object o = {.size = sim_size(r, plan->least, plan->most)};
	double part = plan->large > 0 && o.size >= 256 ? plan->large : 1;
	while (o.age < SIM_AGES && !chance(r, part * life->hazard(o.age)))
		o.age++;
	double poisson = weight_poisson(o.size, plan->interval);
	o.weight = poisson * plan->track;
	o.sampled = chance(r, 1 / poisson) && rng_below(r, plan->track) == 0;
	watch(r, plan, &o);
	return o;
}
