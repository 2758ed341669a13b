#include "tenure/forecast.h"

#include <math.h>

#include "tenure/margin.h"

enum { ERRORS = 2 };

static void add(struct forecast *to, const struct forecast *f, double times)
{
	amount_add(&to->copied, amount_times(f->copied, times));
	amount_add(&to->first, amount_times(f->first, times));
	amount_add(&to->promoted, amount_times(f->promoted, times));
	amount_add(&to->early, amount_times(f->early, times));
}

/* What a bound makes of one curve, while the threshold in force would be `now`. */
static struct forecast stay(const struct passage_curve *c, uint32_t now, uint32_t most)
{
	uint32_t bound = now < most ? now : most;
	return (struct forecast){.copied = passage_copied(c, bound),
		.first = passage_copied(c, 0),
		.promoted = passage_promoted(c, bound)};
}

/* A bound, while thresholds are as held. */
struct bounding {
	const struct held *held;
	uint32_t most;
	double early[THRESHOLD_MOST + 1]; /* of what a threshold promotes: for what is promoted, and
					     would have died young as things are */
};

static struct bounding bounding_of(const struct held *held, uint32_t most)
{
	const struct held then = held_until(held, most), now = held_until(held, THRESHOLD_MOST);
	struct bounding b = {.held = held, .most = most};
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		b.early[t] = then.share[t] - now.share[t];
	return b;
}

/* Mean over the thresholds. */
static struct forecast bounded(const struct bounding *b, const struct passage_curve *c)
{
	struct forecast sum = {0};
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		if (b->held->share[t] > 0) {
			struct forecast f = stay(c, t, b->most);
			add(&sum, &f, b->held->share[t]);
		}
		amount_add(&sum.early, amount_times(passage_promoted(c, t), b->early[t]));
	}
	return sum;
}

/* A caller's row is what jumping changes of its place, which is counted whole. */
static void add_row(struct forecast *to, const struct snapshot *s, const struct snapshot_row *row,
	const struct bounding *bound, const struct bounding *jump)
{
	struct passage_curve c = snapshot_curve(s, row);
	if (jump) {
		struct forecast goes = bounded(jump, &c);
		add(to, &goes, 1);
	}
	if (!row->at.depth != !!jump) {
		struct forecast stays = bounded(bound, &c);
		add(to, &stays, row->at.depth ? -1 : 1);
	}
}

static struct forecast by_ages(
	const struct snapshot *s, const struct held *held, const struct setting *set)
{
	const struct bounding bound = bounding_of(held, set->most), jump = bounding_of(held, 0);
	struct forecast f = {0};
	for (size_t i = 0; i < s->count; i++) {
		bool jumps = set->jump && choose_is(set->jump[i].why);
		if ((i < s->places || jumps) && s->rows[i].passage.bytes.stood[0] > 0)
			add_row(&f, s, &s->rows[i], &bound, jumps ? &jump : NULL);
	}
	return f;
}

/* What survivor spaces take of it. */
static double part_again(const struct forecast *f, const struct fit *fit)
{
	double want = f->copied.bytes - f->promoted.bytes;
	return fit->taken > 0 && want > fit->taken ? fit->taken / want : 1;
}

/* What is copied again was put into survivor spaces first. Where these take less than all that
 * stays young, others come in place of what is sent away, and are copied again in theirs. */
static struct amount copied_in(const struct forecast *f, const struct fit *fit)
{
	struct amount copied = f->first;
	amount_add(&copied, amount_times(amount_less(f->copied, f->first), part_again(f, fit)));
	return copied;
}

/* Of objects of the samples' places, which stand for so many times what they are. */
static struct forecast fitted(const struct snapshot *s, const struct held *held,
	const struct setting *set, const struct fit *fit, double times)
{
	struct forecast f = by_ages(s, held, set);
	return (struct forecast){.copied = amount_times(copied_in(&f, fit), times),
		.first = amount_times(f.first, times),
		.promoted = amount_times(amount_whole(f.promoted), times),
		.early = amount_times(amount_whole(f.early), times)};
}

/* Others get as old as all do, and none of them jumps. */
struct forecast forecast_of(const struct snapshot *s, const struct held *held,
	const struct setting *set, const struct fit *fit, const struct cost *cost)
{
	const struct setting bound = {.most = set->most};
	struct held h = held_known(held);
	struct forecast f = fitted(s, &h, set, fit, fit->value);
	if (fit->others > 0) {
		struct forecast others = fitted(s, &h, &bound, fit, fit->others);
		add(&f, &others, 1);
	}
	f.cost = cost_copy(cost, f.copied) + cost->old * cost_copy(cost, f.early);
	return f;
}

double forecast_error(const struct snapshot *s, const struct held *held, const struct setting *set,
	const struct fit *fit)
{
	const struct setting none = {.most = THRESHOLD_MOST};
	struct held h = held_known(held);
	struct forecast then = by_ages(s, &h, set), now = by_ages(s, &h, &none);
	struct margin_of m = {.set = set,
		.copied = copied_in(&then, fit),
		.copied_now = copied_in(&now, fit),
		.again = part_again(&then, fit),
		.again_now = part_again(&now, fit),
		.fitted = fit->known};
	return m.copied.bytes * fit->value * margin_error(s, &h, &m);
}

/*
 * Bytes that survivor spaces take, in the window's own; 0: all that stays young. Samples may stand
 * for more than there is: that is no want of room while as large a part of what is copied stays
 * young as by the ages. Else first copies and the part of the others that found room are what was
 * copied, and say how much too many samples stand for.
 */
static double taken(const struct forecast *now, double copied, double survivors)
{
	double want = now->copied.bytes - now->promoted.bytes;
	double again = now->copied.bytes - now->first.bytes;
	if (want <= survivors || want / now->copied.bytes <= survivors / copied)
		return 0;
	double level = (copied - survivors * again / want) / now->first.bytes;
	return fmax(survivors / level, 1);
}

struct fit fit_of(
	const struct snapshot *s, const struct held *held, double copied, double survivors)
{
	const struct setting none = {.most = THRESHOLD_MOST};
	struct fit fit = {.value = 1};
	struct held h = held_known(held);
	struct forecast now = by_ages(s, &h, &none);
	if (!(copied > 0) || !(now.copied.bytes > 0))
		return fit;
	fit.known = true;
	fit.taken = taken(&now, copied, survivors);
	fit.all = copied / copied_in(&now, &fit).bytes;
	fit.value = fmin(fit.all, 1 + ERRORS * s->copied_error);
	return fit;
}

void fit_add_others(struct fit *fit, const struct snapshot *s, double seen)
{
	if (s->fit.known && fit->known && seen > fit->value)
		fit->others = fmin(fit->all, seen) - fit->value;
}
