#include "tenure/round.h"

#include <math.h>
#include <string.h>

void round_clear(struct round *r)
{
	memset(r, 0, sizeof(*r));
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == ROUND_UNKNOWN || b == ROUND_UNKNOWN ? ROUND_UNKNOWN : a + b;
}

static void join(struct round_collection *to, const struct round_collection *c)
{
	to->allocated = plus(to->allocated, c->allocated);
	to->survivors = plus(to->survivors, c->survivors);
	to->promoted = plus(to->promoted, c->promoted);
	to->pause = plus(to->pause, c->pause);
	to->cpu = plus(to->cpu, c->cpu);
	to->cards = plus(to->cards, c->cards);
}

void round_add(struct round *r, const struct round_collection *c)
{
	if (r->count < ROUND_COLLECTIONS)
		r->collection[r->count++] = *c;
	else
		join(&r->collection[ROUND_COLLECTIONS - 1], c);
}

static uint64_t figure(const struct round_collection *c, enum round_figure f)
{
	const uint64_t value[ROUND_FIGURES] = {
		[ROUND_ALLOCATED] = c->allocated,
		[ROUND_SURVIVORS] = c->survivors,
		[ROUND_PROMOTED] = c->promoted,
		[ROUND_COPIED] = plus(c->survivors, c->promoted),
		[ROUND_PAUSE] = c->pause,
		[ROUND_CPU] = c->cpu,
		[ROUND_CARDS] = c->cards,
	};
	return value[f];
}

double round_sum(const struct round *r, enum round_figure f, uint32_t from, uint32_t to)
{
	double sum = 0;
	for (uint32_t i = from; i < to && i < r->count; i++) {
		uint64_t value = figure(&r->collection[i], f);
		if (value == ROUND_UNKNOWN)
			return (double)NAN;
		sum += (double)value;
	}
	return sum;
}

double round_total(const struct round *r, enum round_figure f)
{
	return round_sum(r, f, 0, r->count);
}

double round_rate(const struct round *r, enum round_figure f, uint32_t g)
{
	uint32_t from = r->count * g / ROUND_GROUPS, to = r->count * (g + 1) / ROUND_GROUPS;
	double allocated = round_sum(r, ROUND_ALLOCATED, from, to);
	return allocated > 0 ? round_sum(r, f, from, to) / allocated : (double)NAN;
}
