#include "stat/shape.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/* The numbers of doc/metrics.md, "shape". */
#define SAMPLES_MIN 10.0 /* effective */
#define RISK_MIN                                                                                   \
	5.0 /* effective samples that must still be followed where a curve is called flat */
#define WATCHED_MIN 3 /* collections, to tell lives longer than one apart */
#define NEARLY_ALL  0.95
#define MASS_MIN    0.15 /* of each of the two masses of a bimodal life */
#define GAP_MAX     0.05 /* that dies between them */
#define GAP_LEAST   2    /* collections between them */
#define MOST        0.5

struct facts {
	const struct curve *curve;
	uint64_t end;     /* where "long" begins: the tenuring threshold, or as far as the curve is
			     known */
	uint64_t watched; /* the last t up to which RISK_MIN samples were followed */
	uint64_t threshold; /* of tenuring */
	double first, last; /* p(1), p(end) */
};

/* How many effective samples the collection of point i found in sight, the dead included. */
static double exposed(const struct curve *c, size_t i)
{
	const struct curve_point *at = &c->points.at[i];
	double p = i ? at[-1].p : 1;
	if (at->p > 0)
		return at->risk * p / at->p;
	return i ? at[-1].risk : c->n_eff;
}

/* The last t up to which enough samples were followed. Risk holds from its point up to the next. */
static uint64_t watched_upto(const struct curve *c)
{
	uint64_t upto = 0;
	for (size_t i = 0; i < c->points.count && exposed(c, i) >= RISK_MIN; i++) {
		bool last = i + 1 == c->points.count;
		upto = last ? c->known : c->points.at[i + 1].t - 1;
		if (c->points.at[i].risk < RISK_MIN)
			return c->points.at[i].t;
	}
	return upto;
}

static struct facts facts_of(const struct curve *c, uint32_t tenuring)
{
	uint64_t threshold = tenuring ? tenuring : 1;
	struct facts f = {
		.curve = c,
		.end = c->known < threshold ? c->known : threshold,
		.watched = watched_upto(c),
		.threshold = threshold,
		.first = curve_at(c, 1).p,
	};
	f.last = curve_at(c, f.end).p;
	return f;
}

static bool is_churn(const struct facts *f)
{
	return f->first <= 1 - NEARLY_ALL;
}

static bool is_unknown(const struct facts *f)
{
	if (f->curve->n_eff < SAMPLES_MIN || !f->curve->points.count)
		return true;
	return f->curve->known < WATCHED_MIN && !is_churn(f);
}

/* A short look can't tell: what is alive after a few collections may be a buffer that turns over in
 * a few more. */
static bool is_immortal(const struct facts *f)
{
	return f->watched >= f->threshold && f->watched >= WATCHED_MIN &&
	       curve_at(f->curve, f->watched).p >= NEARLY_ALL;
}

/*
 * Whether those dead by t are a mass of their own: the gap after them, at least as long as their
 * own ages span, is nearly empty, and enough outlive it. A constant hazard never passes: what it
 * takes in t ages, it takes (of the rest) in the next t.
 */
static bool splits_at(const struct facts *f, uint64_t t)
{
	uint64_t gap = t > GAP_LEAST ? t : GAP_LEAST;
	if (t + gap > f->end)
		return false;
	double before = curve_at(f->curve, t).p, after = curve_at(f->curve, t + gap).p;
	return 1 - before >= MASS_MIN && after >= MASS_MIN && before - after <= GAP_MAX;
}

/* However few of them outlive one: most of these reach the end, and do not die in mid-life. */
static bool rest_stays(const struct facts *f)
{
	return f->end > GAP_LEAST && f->first <= MOST && f->last >= MOST * f->first;
}

static bool is_bimodal(const struct facts *f)
{
	if (rest_stays(f))
		return true;
	for (uint64_t t = 1; t < f->end; t++)
		if (splits_at(f, t))
			return true;
	return false;
}

static bool is_long_lived(const struct facts *f)
{
	return f->last >= MOST;
}

static bool is_mid_life(const struct facts *f)
{
	return f->last < MOST;
}

static const struct {
	const char *text;
	bool (*rule)(const struct facts *f);
} shapes[] = {
#define SHAPE(name, text, rule) [SHAPE_##name] = {text, rule},
#include "stat/shape.def"
#undef SHAPE
};

enum shape shape_of(const struct curve *c, uint32_t tenuring)
{
	struct facts f = facts_of(c, tenuring);
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (shapes[i].rule(&f))
			return (enum shape)i;
	return SHAPE_UNKNOWN;
}

const char *shape_text(enum shape shape)
{
	return (size_t)shape < ARRAY_SIZE(shapes) ? shapes[shape].text : "unknown";
}
