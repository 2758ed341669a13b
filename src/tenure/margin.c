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
static double variance(const struct passage *p, const struct shares *s)
{
	struct passage_curve curve = passage_curve_of(p);
	double tail = 0, sum = 0;
	for (uint32_t age = curve.known; age > 0; age--) {
		tail += s->of[age] * curve.reach[age].bytes;
		sum += tail * tail * chance_at_age(p, age - 1);
	}
	return sum + tail * tail * chance_at_birth(p);
}

double margin_error(const struct snapshot *s, const struct held *held, const struct margin_of *m)
{
	const struct shares stays = shares_of(held, m, false), goes = shares_of(held, m, true);
	const struct shares differs = less(goes, &stays);
	double sum = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct snapshot_row *row = &s->rows[i];
		bool jumps = m->set->jump && choose_is(m->set->jump[i].why);
		if ((row->at.depth && !jumps) || !(row->passage.bytes.stood[0] > 0))
			continue;
		sum += variance(&row->passage, row->at.depth ? &differs : jumps ? &goes : &stays);
	}
	return sqrt(sum);
}
