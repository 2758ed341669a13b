#include "tenure/margin.h"

#include <math.h>

#include "tenure/chance.h"

enum { REACHES = TENURE_AGES + 1 };

/* By ages outlived: what a byte that came so far adds to the forecast, as a share of it. */
struct shares {
	double of[REACHES];
};

static void count(struct shares *s, uint32_t threshold, double again, double share)
{
	for (uint32_t age = 1; age <= threshold + 1; age++)
		s->of[age] += age == 1 ? share : share * again;
}

static double part(double of)
{
	return of > 0 ? 1 / of : 0;
}

/* More copies now make the fit less. */
static struct shares shares_of(const struct held *held, const struct margin_of *m, bool jumps)
{
	struct shares s = {.of = {0}};
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		uint32_t bound = jumps ? 0 : t < m->set->most ? t : m->set->most;
		count(&s, bound, m->again, held->share[t] * part(m->copied.bytes));
		if (m->fitted)
			count(&s, t, m->again_now, -held->share[t] * part(m->copied_now.bytes));
	}
	return s;
}

/* A caller's row is what jumping changes of its place. */
static struct shares less(struct shares goes, const struct shares *stays)
{
	for (uint32_t age = 0; age < REACHES; age++)
		goes.of[age] -= stays->of[age];
	return goes;
}

/* By the delta method: each age's ratio is a factor of all that outlives it, and births of all. */
static double variance(
	const struct passage *p, const struct passage_curve *curve, const struct shares *s)
{
	double tail = 0, sum = 0;
	for (uint32_t age = curve->known; age > 0; age--) {
		tail += s->of[age] * curve->reach[age].bytes;
		sum += tail * tail * chance_at_age(p, age - 1);
	}
	return sum + tail * tail * chance_at_birth(p);
}

static bool is_jumping(const struct margin_of *m, size_t row)
{
	return m->set->jump && choose_is(m->set->jump[row].why);
}

static bool is_counted(const struct snapshot *s, const struct margin_of *m, size_t row)
{
	const struct snapshot_row *r = &s->rows[row];
	return (!r->at.depth || is_jumping(m, row)) && r->passage.bytes.stood[0] > 0;
}

/* What jumps, as a share of all that outlives so many; none where no table tells of these. */
static struct shares jumping_of(const struct snapshot *s, const struct margin_of *m)
{
	struct shares jumps = {.of = {0}}, all = {.of = {0}};
	for (size_t i = 0; s->fit.known && m->set->jump && i < s->count; i++) {
		struct passage_curve c = snapshot_curve(s, &s->rows[i]);
		for (uint32_t age = 1; age <= c.known; age++) {
			all.of[age] += s->rows[i].at.depth ? 0 : c.reach[age].bytes;
			jumps.of[age] += is_jumping(m, i) ? c.reach[age].bytes : 0;
		}
	}
	for (uint32_t age = 1; age < REACHES; age++)
		jumps.of[age] = fmin(jumps.of[age] * part(all.of[age]), 1);
	return jumps;
}

/* Where the VM tells what all objects outlive, samples say only whose of it goes: more of a place
 * is less of the others. */
static struct shares split(const struct shares *differs, const struct shares *jumping, bool jumps)
{
	struct shares s = *differs;
	for (uint32_t age = 1; age < REACHES; age++)
		s.of[age] *= jumps ? 1 - jumping->of[age] : -jumping->of[age];
	return s;
}

double margin_error(const struct snapshot *s, const struct held *held, const struct margin_of *m)
{
	const struct shares stays = shares_of(held, m, false), goes = shares_of(held, m, true);
	const struct shares differs = less(goes, &stays), jumping = jumping_of(s, m);
	const struct shares of_all[] = {
		split(&differs, &jumping, false), split(&differs, &jumping, true)};
	double sum = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct snapshot_row *row = &s->rows[i];
		bool jumps = is_jumping(m, i);
		if (!is_counted(s, m, i))
			continue;
		struct passage_curve c = snapshot_curve(s, row);
		sum += variance(&row->passage, &c,
			s->fit.known    ? &of_all[jumps]
			: row->at.depth ? &differs
			: jumps         ? &goes
					: &stays);
	}
	return sqrt(sum);
}
