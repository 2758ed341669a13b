#include "analyze/counted.h"

#include <math.h>

#include "base/error.h"
#include "stat/survival.h"

#define SIGHT        0.5          /* of those that outlived all so far, to go on with the counts */
#define RISK_MIN     5.0          /* effective samples, to go on with these */
#define OBJECTS_MOST (1ull << 48) /* so that sums of a damaged trace stay numbers */

void counted_release(struct counted *c)
{
	for (int i = 0; i < MEASURES; i++)
		ages_release(&c->lives[i]);
}

int counted_merge(struct counted *c, const struct counted *more)
{
	int err = ERR_NONE;
	c->any |= more->any;
	c->partial |= more->partial;
	c->open += more->open;
	for (int i = 0; i < MEASURES && !err; i++) {
		c->unfollowed[i] += more->unfollowed[i];
		err = ages_merge(&c->lives[i], &more->lives[i]);
	}
	return err;
}

/* Objects of one site and age are taken to be of one size. */
static struct mass mass_by(struct quantity q, int measure)
{
	struct mass m = {.n = q.objects < OBJECTS_MOST ? q.objects : OBJECTS_MOST,
		.w = (double)q.objects,
		.w2 = (double)q.objects};
	if (measure == MEASURE_BYTES && q.objects) {
		m.w = fmax((double)q.bytes, (double)q.objects);
		m.w2 = m.w * m.w / (double)q.objects;
	}
	return m;
}

/* What is known no longer of those that outlived k collections. */
static struct quantity lost_at(const struct site_counts *s, size_t k)
{
	if (!k)
		return s->outside_met;
	struct quantity lost = s->ages.at[k - 1].promoted;
	if (k == COUNTS_AGES) {
		/* How long those of 16 and more live is not told. */
		quantity_add(&lost, s->ages.at[k - 1].survived);
	} else if (k < s->ages.count) {
		quantity_add(&lost, s->ages.at[k].lost);
		quantity_add(&lost, s->ages.at[k].young);
	}
	return lost;
}

/* What was born in an interval that no collection accounted for ended is not of the cohort. */
static struct ages_row row_of(const struct site_counts *s, size_t k, int measure)
{
	struct ages_row row = {.age = (uint32_t)k};
	if (k < s->ages.count && k < COUNTS_AGES) {
		const struct age_counts *age = &s->ages.at[k];
		struct quantity out = age->survived;
		quantity_add(&out, age->promoted);
		row.died = mass_by(quantity_less(age->risk, out), measure);
		if (k)
			row.entered = mass_by(age->entered, measure);
	}
	row.lost = mass_by(lost_at(s, k), measure);
	return row;
}

/* Behind those that are there, for whom there is room; nothing where nothing is in it. */
static void put_row(struct ages *to, const struct ages_row *row)
{
	if (!row->died.n && !row->lost.n && !row->entered.n)
		return;
	mass_add(&to->all, row->died);
	mass_add(&to->all, row->lost);
	to->rows.at[to->rows.count++] = *row;
}

static int add_lives(struct ages *a, const struct site_counts *s, int measure)
{
	struct ages more = {0};
	int err = vec_reserve(&more.rows, s->ages.count + 1);
	for (size_t k = 0; k <= s->ages.count && k <= COUNTS_AGES && s->ages.count && !err; k++) {
		struct ages_row row = row_of(s, k, measure);
		put_row(&more, &row);
	}
	err = err ? err : ages_merge(a, &more);
	ages_release(&more);
	return err;
}

/* Whether any of it left the young generation, or the ages that are told apart. */
static bool leaves_sight(const struct site_counts *s)
{
	struct quantity seen = s->died;
	for (size_t k = 0; k < s->ages.count; k++)
		quantity_add(&seen, s->ages.at[k].young);
	return s->ages.count > COUNTS_AGES || seen.objects != s->births.objects;
}

int counted_add(struct counted *c, const struct site_counts *s)
{
	int err = ERR_NONE;
	c->any = true;
	c->partial |= leaves_sight(s);
	for (int i = 0; i < MEASURES && !err; i++)
		err = add_lives(&c->lives[i], s, i);
	return err;
}

void counted_close_outside(struct counted *c, const struct site_counts *s)
{
	for (int i = 0; i < MEASURES && s->ages.count; i++)
		c->unfollowed[i] += mass_by(s->outside_met, i).w;
}

/* Who is alive and met no collection is not of the cohort. */
static struct ages_row row_of_endings(const struct ending_row *e, int measure)
{
	struct quantity lost = e->of[ENDING_FORGOTTEN];
	if (e->age)
		quantity_add(&lost, e->of[ENDING_ALIVE]);
	return (struct ages_row){.age = e->age,
		.died = mass_by(e->of[ENDING_DIED], measure),
		.lost = mass_by(lost, measure)};
}

static int add_endings(struct ages *a, const struct site_endings *e, int measure)
{
	struct ages more = {0};
	int err = vec_reserve(&more.rows, e->rows.count + 1);
	for (size_t i = 0; i < e->rows.count && !err; i++) {
		struct ages_row row = row_of_endings(&e->rows.at[i], measure);
		put_row(&more, &row);
	}
	err = err ? err : ages_merge(a, &more);
	ages_release(&more);
	return err;
}

int counted_add_endings(struct counted *c, const struct site_endings *e)
{
	int err = ERR_NONE;
	c->any = true;
	for (size_t i = 0; i < e->rows.count; i++)
		c->partial |= e->rows.at[i].of[ENDING_FORGOTTEN].objects > 0;
	for (int i = 0; i < MEASURES && !err; i++)
		err = add_endings(&c->lives[i], e, i);
	return err;
}

/* -- The curve -- */

/* How far the counts speak for most of what outlived all so far and is ever followed: an age. */
static uint32_t sight_of(const struct ages *a, double unfollowed)
{
	double in_sight = a->all.w - unfollowed, share = 1;
	for (size_t i = 0; i < a->rows.count; i++)
		in_sight -= a->rows.at[i].entered.w;
	for (size_t i = 0; i < a->rows.count; i++) {
		const struct ages_row *row = &a->rows.at[i];
		in_sight += row->entered.w;
		double after = in_sight - row->lost.w + (row->age ? 0 : unfollowed);
		share *= in_sight > 0 ? after / in_sight : 0;
		if (share < SIGHT)
			return row->age;
		in_sight = after - row->died.w;
	}
	return UINT32_MAX;
}

/* Of the samples those that outlived `from` collections: what becomes of them from there on. */
static int later_of(const struct ages *sampled, uint32_t from, struct ages *out)
{
	*out = (struct ages){.heaviest = sampled->heaviest};
	if (vec_reserve(&out->rows, sampled->rows.count))
		return ERR_NOMEM;
	for (size_t i = 0; i < sampled->rows.count; i++) {
		struct ages_row row = sampled->rows.at[i];
		if (row.age < from)
			continue;
		if (row.age == from)
			row.entered = (struct mass){0};
		mass_add(&out->all, row.died);
		mass_add(&out->all, row.lost);
		out->rows.at[out->rows.count++] = row;
	}
	return ERR_NONE;
}

static void cut_points(struct curve *c, uint64_t from)
{
	while (c->points.count && c->points.at[c->points.count - 1].t > from)
		c->points.count--;
	c->known = from;
}

static struct curve_point joined(struct curve_point at, struct curve_point later)
{
	return (struct curve_point){.t = later.t,
		.p = at.p * later.p,
		.lo = at.lo * later.lo,
		.hi = fmin(at.hi * later.hi, at.hi),
		.risk = later.risk};
}

/* Puts what the samples know after `from` behind the counts. */
static int append(struct curve *c, uint32_t from, const struct curve *later)
{
	struct curve_point at = curve_at(c, from);
	cut_points(c, from);
	for (size_t i = 0; i < later->points.count; i++) {
		const struct curve_point *p = &later->points.at[i];
		if (p->t > from && vec_push(&c->points, joined(at, *p)))
			return ERR_NOMEM;
	}
	c->known = later->known;
	return ERR_NONE;
}

static int go_on(struct curve *c, uint32_t from, const struct ages *sampled)
{
	struct ages rest;
	struct curve later = {0};
	int err = later_of(sampled, from, &rest);
	bool enough = mass_effective(rest.all) >= RISK_MIN;
	if (!err && enough)
		err = survival_curve(&rest, &later);
	if (!err && enough && later.known > from)
		err = append(c, from, &later);
	curve_release(&later);
	ages_release(&rest);
	return err;
}

/* Up to the age where the first are lost from sight, or come late, the curve says what they all
 * did.
 */
static void close_exact(struct curve *c, const struct ages *a)
{
	uint64_t exact = UINT64_MAX;
	double hi = 1;
	for (size_t i = a->rows.count; i-- > 0;)
		if (a->rows.at[i].lost.n || a->rows.at[i].entered.n)
			exact = a->rows.at[i].age;
	for (size_t i = 0; i < c->points.count; i++) {
		struct curve_point *p = &c->points.at[i];
		if (p->t <= exact)
			p->lo = p->hi = p->p;
		p->hi = hi = fmin(p->hi, hi);
	}
}

int counted_curve(const struct counted *c, enum measure measure, const struct ages *sampled,
	struct curve *out)
{
	const struct ages *counted = &c->lives[measure];
	uint32_t from = c->partial ? sight_of(counted, c->unfollowed[measure]) : UINT32_MAX;
	int err = survival_curve(counted, out);
	if (!err)
		close_exact(out, counted);
	if (err || from == UINT32_MAX || !(from <= out->known) || !(curve_at(out, from).p > 0))
		return err;
	err = go_on(out, from, sampled);
	if (err)
		curve_release(out);
	return err;
}
