#include "tenure/young_size.h"

#include <math.h>

#include "base/compiler.h"

enum { MIB = 1 << 20 };
#define OLD_LEAST 0.25 /* of the heap that is left to the old generation */
#define OLD_SPARE 1.5  /* times what it holds */

/* Of the young generation as it is. */
static const double times[] = {1.25, 1.5, 1.75, 2};

static uint64_t old_needs(const struct young_room *room)
{
	return (uint64_t)fmax(OLD_LEAST * (double)room->heap, OLD_SPARE * (double)room->held);
}

bool young_size_fits(uint64_t bytes, const struct young_room *room)
{
	uint64_t need = old_needs(room);
	return need < room->heap && bytes <= room->heap - need;
}

/* What lives on at a time of so many collections from its birth, summed up from that of its first
 * one to `age`: all that is known lasts, as at its last age. */
static struct amount area(const struct passage_curve *c, double age)
{
	struct amount sum = {0, 0};
	for (uint32_t a = 0; a < age; a++)
		amount_add(&sum, amount_times(c->reach[a + 1 < c->known ? a + 1 : c->known],
					 fmin(age - a, 1)));
	return sum;
}

struct copying {
	struct amount copied, promoted;
};

/* With a young generation k times as large: births are spread evenly over the k cycles that become
 * one. */
static struct copying copying_in(const struct passage_curve *c, uint32_t threshold, double k)
{
	struct amount all = area(c, k * (threshold + 1));
	return (struct copying){.copied = amount_times(all, 1 / k),
		.promoted = amount_times(amount_less(all, area(c, k * threshold)), 1 / k)};
}

static void add_row(struct copying *to, const struct snapshot_row *row, const struct held *held,
	uint32_t bound, double k)
{
	struct passage_curve c = passage_curve_of(&row->passage);
	uint32_t most = row->flags & SNAPSHOT_JUMPS ? 0 : bound;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		if (held->share[t] <= 0)
			continue;
		struct copying one = copying_in(&c, t < most ? t : most, k);
		amount_add(&to->copied, amount_times(one.copied, held->share[t]));
		amount_add(&to->promoted, amount_times(one.promoted, held->share[t]));
	}
}

struct pricing {
	const struct snapshot *s;
	struct held held;
	uint32_t bound;
	const struct young_room *room;
	const struct cost *cost;
};

static struct copying copying_with(const struct pricing *p, double k)
{
	struct copying sum = {{0, 0}, {0, 0}};
	for (size_t i = 0; i < p->s->places; i++)
		if (p->s->rows[i].passage.bytes.stood[0] > 0)
			add_row(&sum, &p->s->rows[i], &p->held, p->bound, k);
	return sum;
}

/* A full collection whenever what was promoted has filled what the old generation has left. Its
 * objects are taken to be as large as those that are copied. */
static double price(const struct pricing *p, const struct copying *c, double k)
{
	const struct young_room *room = p->room;
	double copies = cost_copy(p->cost, c->copied), held = (double)room->held;
	double left = (double)room->heap - k * (double)room->young - held;
	double once = c->copied.bytes > 0 ? held / c->copied.bytes * copies : 0;
	return copies +
	       (left > 0 ? YOUNG_FULL_COST * once * c->promoted.bytes / left : (double)INFINITY);
}

static uint64_t whole_mib(double bytes)
{
	return (uint64_t)bytes / MIB * MIB;
}

struct young_offer young_size_offer(const struct snapshot *s, const struct held *held,
	uint32_t bound, const struct young_room *room, const struct cost *cost)
{
	const struct pricing p = {s, held_known(held), bound, room, cost};
	struct copying now = copying_with(&p, 1);
	double costs = price(&p, &now, 1), least = costs;
	struct young_offer offer = {.now = now.copied, .then = now.copied, .left = 1};
	for (size_t i = 0; room->heap && room->young && i < ARRAY_SIZE(times); i++) {
		uint64_t bytes = whole_mib(times[i] * (double)room->young);
		struct copying then = copying_with(&p, times[i]);
		double costs_then = price(&p, &then, times[i]);
		if (!young_size_fits(bytes, room) || !(costs_then < least))
			continue;
		least = costs_then;
		offer.bytes = bytes;
		offer.then = then.copied;
	}
	offer.saved = isfinite(costs) ? costs - least : 0;
	offer.left = costs > 0 && isfinite(costs) ? least / costs : 1;
	return offer;
}
