/*
 * What src/stat answers for lives drawn from a generator that oracle.test.ts has too: the page
 * computes the same numbers in another language, and this is what keeps the two together. Prints
 * oracle.json.
 */
#include <math.h>
#include <stdio.h>

#include "stat/ages.h"
#include "stat/interval.h"
#include "stat/shape.h"
#include "stat/spans.h"
#include "stat/survival.h"
#include "stat/total.h"

enum { SEEDS = 8, TENURING = 15 };

static unsigned state;

static unsigned below(unsigned n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

struct lives {
	struct ages ages;
	struct spans spans;
	struct total total;
};

static int draw_one(struct lives *l, unsigned span, unsigned most, unsigned lost)
{
	unsigned age = below(span);
	enum fate fate = below(100) >= lost ? FATE_DIED : FATE_LOST;
	unsigned weight = 1 + below(most), size = 16 + below(5000);
	unsigned after = below(1000000), by = after + 1 + below(800000);
	int err = ages_add_bytes(&l->ages, fate, 0, age, size, weight);
	err = err ? err : spans_add(&l->spans, fate, 0, after, by, weight);
	return err ? err : total_add(&l->total, size, weight + 0.5);
}

static int draw(struct lives *l, unsigned seed)
{
	state = seed;
	unsigned n = 15 + below(150), span = 1 + below(seed % 2 ? 6 : 400);
	unsigned most = seed % 3 ? 1 + below(40) : 1, lost = below(60);
	int err = 0;
	if (seed % 4 == 1)
		total_coarsen(&l->total, seed == 1 ? (struct total_coarse){8, 524288}
						   : (struct total_coarse){1, 65536});
	for (unsigned i = 0; i < n && !err; i++)
		err = draw_one(l, span, most, lost);
	return err;
}

static void put_curve(const char *name, const struct curve *c)
{
	printf(",\"%s\":{\"known\":", name);
	if (c->known == UINT64_MAX)
		printf("null");
	else
		printf("%.0f", (double)c->known);
	printf(",\"nEff\":%.9g,\"points\":[", c->n_eff);
	for (size_t i = 0; i < c->points.count; i++) {
		const struct curve_point *p = &c->points.at[i];
		printf("%s[%.0f,%.9g,%.9g,%.9g,%.9g]", i ? "," : "", (double)p->t, p->p, p->lo,
			p->hi, p->risk);
	}
	printf("]}");
}

static int put(unsigned seed)
{
	struct lives l = {0};
	struct curve counted = {0}, flowing = {0};
	int err = draw(&l, seed);
	err = err ? err : survival_curve(&l.ages, &counted);
	err = err ? err : interval_curve(&l.spans, &flowing);
	struct estimate e = total_bytes(&l.total);
	printf("%s{\"seed\":%u,\"shape\":\"%s\",\"total\":[%.9g,%.9g,%.9g]",
		seed > 1 ? ",\n" : "[\n", seed, shape_text(shape_of(&counted, TENURING)), e.value,
		e.lo, e.hi);
	put_curve("counted", &counted);
	put_curve("flowing", &flowing);
	printf("}");
	ages_release(&l.ages);
	spans_release(&l.spans);
	curve_release(&counted);
	curve_release(&flowing);
	return err;
}

int main(void)
{
	int err = 0;
	for (unsigned seed = 1; seed <= SEEDS && !err; seed++)
		err = put(seed);
	printf("\n]\n");
	return err ? 1 : 0;
}
