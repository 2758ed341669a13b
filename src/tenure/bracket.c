#include "tenure/bracket.h"

#include <math.h>

#include "tenure/chance.h"

enum { REACHES = TENURE_AGES + 1, ERRORS = 2 };

/* What each object counts for that outlives so many collections, in copies. */
struct weights {
	double of[REACHES];
};

struct bracketing {
	struct held held;
	uint32_t most;
	double part, old;
	struct chance chance;
	const struct cost *cost;
};

/* A sum over rows, and its variance. */
struct sum {
	double value, variance;
};

/* Copied without, but for the part that is to be saved; less copied with; less what dies early,
 * which is what is promoted and would have gone before the threshold, or by a full collection. */
static struct weights weights_of(const struct bracketing *b, bool jumps)
{
	uint32_t most = jumps ? 0 : b->most;
	const struct held then = held_until(&b->held, most),
			  now = held_until(&b->held, THRESHOLD_MOST);
	struct weights w = {.of = {0}};
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		double share = b->held.share[t];
		uint32_t with = t < most ? t : most;
		for (uint32_t age = 1; age <= t + 1; age++)
			w.of[age] += share * (1 - b->part - (age <= with + 1 ? 1 : 0));
		w.of[t + 1] += (now.share[t] - then.share[t]) * b->old;
	}
	return w;
}

static struct weights less(struct weights a, const struct weights *b)
{
	for (uint32_t age = 0; age < REACHES; age++)
		a.of[age] -= b->of[age];
	return a;
}

/* A caller's row is what jumping changes of its place, which is counted whole. */
static struct weights weights_for(
	const struct bracketing *b, const struct snapshot_row *row, bool jumps)
{
	struct weights stays = weights_of(b, false), goes = weights_of(b, true);
	if (row->at.depth)
		return less(goes, &stays);
	return jumps ? goes : stays;
}

/* By the delta method: each age's ratio is a factor of all that outlives it. */
static void add(struct sum *sum, const struct bracketing *b, const struct passage *p,
	const struct weights *w, uint32_t seen, bool lives)
{
	struct passage_curve c = passage_curve_of(p);
	uint32_t known = seen < c.known ? seen : c.known;
	double beyond = lives ? cost_copy(b->cost, c.reach[known]) : 0, tail = 0;
	for (uint32_t age = REACHES; age-- > known + 1;)
		tail += w->of[age] * beyond;
	for (uint32_t age = known; age > 0; age--) {
		tail += w->of[age] * cost_copy(b->cost, c.reach[age]);
		sum->variance += tail * tail * chance_of_all(&b->chance, p, age - 1);
	}
	sum->value += tail;
}

struct bracket bracket_of(const struct snapshot *s, const struct held *held,
	const struct setting *set, const struct cost *cost, double part, const struct sight *seen)
{
	struct bracketing b = {
		.held = held_known(held), set->most, part, cost->old, chance_of(s), cost};
	struct sum dies = {0, 0}, lives = {0, 0};
	double all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		all += b.held.share[t];
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		b.held.share[t] /= all;
		b.held.full[t] /= all;
	}
	for (size_t i = 0; i < s->count; i++) {
		const struct snapshot_row *row = &s->rows[i];
		bool jumps = set->jump && choose_is(set->jump[i].why);
		if ((row->at.depth && !jumps) || !(row->passage.bytes.stood[0] > 0))
			continue;
		struct weights w = weights_for(&b, row, jumps);
		uint32_t ages = jumps ? seen->jump : seen->stay;
		add(&dies, &b, &row->passage, &w, ages, false);
		add(&lives, &b, &row->passage, &w, ages, true);
	}
	return (struct bracket){dies.value - ERRORS * sqrt(dies.variance),
		lives.value + ERRORS * sqrt(lives.variance)};
}

bool bracket_is_clear(const struct bracket *b)
{
	return b->least > 0 || b->most < 0;
}
