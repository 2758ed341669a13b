/* Rules about what is copied, and what stays. */
#include "analyze/rules.h"

#include <math.h>

#include "base/units.h"

struct copying {
	struct copies_life life;
	double young;          /* bytes of it that are allocated young */
	double times;          /* copies of each byte, */
	struct estimate share; /* of all that the run copies */
	double bytes;          /* copied, cut to what the VM did */
};

static double times_of(const struct trial *t, enum copies_limit limit)
{
	struct copies_life life = copies_life_of(&t->row->by_bytes[CLOCK_YOUNG], limit);
	return copies_mean(copies_copied, &life, &trial_run(t)->held, TENURING_MOST, 1);
}

static struct copying copying_of(const struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	double all = r->all.copied[TENURING_MOST], own = t->place->copied[TENURING_MOST];
	struct copying c = {.life = copies_life_of(&t->row->by_bytes[CLOCK_YOUNG], COPIES_VALUE),
		.young = fmax(0, t->row->tally.alloc.bytes.sum - t->place->large.bytes.sum)};
	struct estimate made = estimate_ratio(total_bytes(&t->row->tally.alloc));
	double times = times_of(t, COPIES_VALUE);
	double lo = times > 0 ? times_of(t, COPIES_LO) / times : 0;
	double hi = times > 0 ? times_of(t, COPIES_HI) / times : 0;
	c.bytes = own * r->fit;
	c.times = c.young > 0 ? c.bytes / c.young : 0;
	c.share.value = all > 0 ? own / all : 0;
	/* Counted copies have no error but that of the split among callers. */
	lo = r->counted ? 1 : lo;
	hi = r->counted ? 1 : hi;
	c.share.lo = c.share.value * fmax(0, 1 - hypot(1 - made.lo, 1 - lo));
	c.share.hi = fmin(1, c.share.value * (1 + hypot(made.hi - 1, hi - 1)));
	return c;
}

/* Whether it is copied enough to be worth a finding; says so. */
static bool judge_copying(struct trial *t, const struct copying *c)
{
	const struct advise_run *r = trial_run(t);
	if (!trial_judge(t, c->share))
		return false;
	if (r->fit < FIT_POOR)
		trial_at_best(t, SURE_LIKELY);
	trial_cost_of_copying(t, c->bytes, c->share.value);
	return true;
}

#define NONE_SURE 0.005 /* what is shown as nothing may be that much at most */

/* ", 31 % outlives 4", or at most so much: where it is held in sight, or where none was seen that
 * did, which few may not tell. */
static void put_outliving(struct trial *t, const struct curve *c, unsigned age)
{
	struct curve_point at = curve_at(c, age);
	bool unseen = at.p <= 0 && at.hi >= NONE_SURE;
	bool held = age > trial_run(t)->held_known + 1 && at.p > 0 && at.p < 0.995;
	buf_put_str(&t->facts, unseen || held ? ", at most " : ", ");
	rule_put_share(&t->facts, unseen ? at.hi : at.p);
	buf_printf(&t->facts, " outlives %u", age);
}

/* "100 % of it outlives a GC, 31 % outlives 4, at most 5 % outlives 15." As far as is known. */
static void put_ages(struct trial *t)
{
	static const unsigned ages[] = {4, 15};
	const struct curve *c = &t->row->by_bytes[CLOCK_YOUNG];
	rule_put_share(&t->facts, curve_at(c, 1).p);
	buf_put_str(&t->facts, " of it outlives a GC");
	for (size_t i = 0; i < ARRAY_SIZE(ages) && ages[i] <= c->known; i++)
		put_outliving(t, c, ages[i]);
	buf_put_str(&t->facts, ". ");
}

static void put_lives(struct trial *t, const struct copying *c)
{
	rule_put_rate(&t->facts, trial_per_second(t, c->young));
	buf_put_str(&t->facts, " allocated; ");
	put_ages(t);
	rule_put_rate(&t->facts, t->out->bytes);
	buf_put_str(&t->facts, " copied, ");
	rule_put_share(&t->facts, c->share.value);
	buf_printf(&t->facts, " of all copying: each byte %.*f times.", c->times < 9.95 ? 1 : 0,
		c->times);
}

#define WORTH_TELLING 0.9 /* of what it was: what is saved is a tenth or more */

/* What a larger young generation, and sending it old at its first copy, would make of it. */
static void put_instead(struct trial *t, const struct copying *c)
{
	const struct advise_run *r = trial_run(t);
	/* What outlives one is copied once at least, however little the VM copied (fit). */
	double part = advise_run_larger(r, &c->life, 2), once = fmin(t->place->copied[0], c->bytes);
	double early = t->place->early[0] * r->fit;
	if (part < WORTH_TELLING)
		buf_printf(&t->outcome,
			"With a young generation twice as large each byte would be copied %s%.1f "
			"times. ",
			c->life.p[r->held_known + 1] > 0.005 ? "at most " : "", part * c->times);
	buf_printf(&t->outcome, "Promoted at its first copy: %.1f times",
		c->young > 0 ? once / c->young : 0);
	if (early > 0.005 * c->young) {
		buf_put_str(&t->outcome, ", but ");
		rule_put_rate(&t->outcome, trial_per_second(t, early));
		buf_put_str(&t->outcome, " more is promoted, to die in the old generation");
	}
	buf_put_str(&t->outcome, ".");
}

static bool find_copied(struct trial *t, const char *todo)
{
	struct copying c = copying_of(t);
	if (!judge_copying(t, &c))
		return false;
	put_lives(t, &c);
	buf_put_str(&t->todo, todo);
	put_instead(t, &c);
	return true;
}

static bool is_kept(const struct trial *t)
{
	return trial_has_shape(t, SHAPE_IMMORTAL) || trial_has_shape(t, SHAPE_LONG_LIVED);
}

#define DIES_OLD 0.5 /* of what was promoted: found dead in the old generation */

static bool dies_old(const struct trial *t)
{
	const struct curve *c = &t->row->by_bytes[CLOCK_YOUNG];
	struct copies_life life = copies_life_of(c, COPIES_VALUE);
	double end = c->points.count ? c->points.at[c->points.count - 1].p : 1;
	return model_full(t->model) && end < DIES_OLD * life.p[trial_run(t)->held_known + 1];
}

bool find_mid_life(struct trial *t)
{
	return (trial_has_shape(t, SHAPE_MID_LIFE) ||
		       (is_kept(t) && dies_old(t) && trial_run(t)->held_low >= LOW_OFTEN)) &&
	       find_copied(t,
		       "Let it go sooner, or hold less of it at a time: whatever waits (queues, "
		       "batches, open requests) while a GC runs is copied, and each GC copies it "
		       "again.");
}

bool find_bimodal(struct trial *t)
{
	return trial_has_shape(t, SHAPE_BIMODAL) &&
	       find_copied(t,
		       "Part dies at once and part stays: look at the callers (mayfly report "
		       "--inverted). If it fills a cache, most entries leave before they are of "
		       "use: "
		       "cache less, or let only what was asked for twice in.");
}

/* The share of it that was allocated in the first tenth of the run. */
static double early_share(const struct trial *t)
{
	double all = evidence_until(t->place, UINT64_MAX);
	return all > 0 ? evidence_until(t->place, t->model->now.time / 10) / all : 0;
}

#define RAMP_UP_EARLY 0.8

bool find_ramp_up(struct trial *t)
{
	if (!is_kept(t) || early_share(t) < RAMP_UP_EARLY ||
		!find_copied(t, "It costs the start only. If that matters: load it before traffic "
				"comes, or "
				"in a more compact form (arrays of numbers instead of objects)."))
		return false;
	buf_put_str(&t->facts, " ");
	rule_put_share(&t->facts, early_share(t));
	buf_put_str(&t->facts, " of it was made in the first tenth of the run.");
	return true;
}

bool find_long_lived(struct trial *t)
{
	return is_kept(t) && find_copied(t, "If it has to live that long, make less of it: reuse "
					    "what is retired (a pool "
					    "or ring), or keep it in fewer, larger arrays.");
}

#define GROWTH_PROVEN 0.25 /* of what is alive: found alive by an old collection */
#define GROWTH_LEAST  0.01 /* of the heap */
enum { GROWTH_AGES = 10 };

static int parts_of(uint64_t births)
{
	int n = 0;
	for (; births; births &= births - 1)
		n++;
	return n;
}

/* Of the quarters of the run but the last, the least share of what was allocated that is alive,
 * compared with the last quarter's. */
static double kept_evenly(const struct trial *t)
{
	double kept[EVIDENCE_PARTS], before = 0, least = 1;
	for (int i = 0; i < EVIDENCE_PARTS; i++) {
		uint64_t end = t->model->now.time / EVIDENCE_PARTS * (uint64_t)(i + 1);
		double until = i + 1 < EVIDENCE_PARTS ? evidence_until(t->place, end)
						      : evidence_until(t->place, UINT64_MAX);
		double made = until - before;
		kept[i] = made > 0 ? fmin(1, t->place->alive[i] / made) : 0;
		before = until;
	}
	for (int i = 0; i + 1 < EVIDENCE_PARTS; i++)
		least = fmin(least, kept[i]);
	double last = kept[EVIDENCE_PARTS - 1];
	return last > 0 ? least / last : 0;
}

/* By samples. */
static double alive_of(const struct trial *t)
{
	double sum = 0;
	for (int i = 0; i < EVIDENCE_PARTS; i++)
		sum += t->place->alive[i];
	return sum;
}

static void put_growth(struct trial *t, double alive)
{
	const struct advise_run *r = trial_run(t);
	char a[UNITS_MAX], b[UNITS_MAX];
	buf_printf(&t->facts,
		"%s of it is alive at the end, and what was made early no less than "
		"what was made late: ",
		units_bytes(alive, a));
	rule_put_rate(&t->facts, trial_per_second(t, alive));
	buf_printf(&t->facts, " more. Objects of %d%s different ages are alive.",
		parts_of(t->place->births),
		parts_of(t->place->births) >= EVIDENCE_BIRTHS ? " or more" : "");
	buf_put_str(&t->todo,
		"Find what holds them (a list, map or listener that is only ever added "
		"to) and bound it; if it is a cache that still fills, record for longer.");
	if (r->heap_max > alive)
		buf_printf(&t->outcome, "At this rate it alone fills the heap of %.0f MB in %s.",
			r->heap_max / MEGABYTE,
			units_time((r->heap_max - alive) / alive * r->born_seconds * 1e9, b));
}

bool find_growth(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	double alive = alive_of(t), even = kept_evenly(t);
	/* As the report has it: where births were counted, no more than these. */
	double told = t->row->tally.alive.bytes.sum;
	if (!(alive > 0) || !(told > 0) || t->place->proven < GROWTH_PROVEN * alive ||
		alive < GROWTH_LEAST * r->heap_max || parts_of(t->place->births) < GROWTH_AGES ||
		t->row->tally.alive.n < (uint64_t)GROWTH_AGES)
		return false;
	/* What the last quarter has alive is known best where an old collection saw it. */
	struct estimate e = {even, even * t->place->proven / alive, even};
	if (!trial_judge(t, e))
		return false;
	if (trial_lives_known(t)) {
		struct copying c = copying_of(t);
		trial_cost_of_copying(t, c.bytes, c.share.value);
	}
	t->out->bytes = trial_per_second(t, told);
	t->out->gc_most = (double)NAN;
	put_growth(t, told);
	return true;
}
