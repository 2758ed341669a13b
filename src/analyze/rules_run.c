/* Rules about the run as a whole. */
#include "analyze/rules.h"

#include <math.h>

#include "analyze/full.h"
#include "base/units.h"

static void put_ms(struct buf *out, double ns_per_s)
{
	double ms = ns_per_s / 1e6;
	buf_printf(out, "%.*f ms/s", ms < 9.95 ? 1 : 0, ms);
}

/* Bytes of copying saved, and of those that would be promoted although they die young, at a lower
 * bound. */
static double saved_at(const struct advise_run *r, unsigned threshold)
{
	return r->fit * (r->all.copied[TENURING_MOST] - r->all.copied[threshold]);
}

static double early_at(const struct advise_run *r, unsigned threshold)
{
	return r->fit * r->all.early[threshold];
}

/* The saved share, with the interval that the ages give it. */
static struct estimate saved_share(const struct advise_run *r, unsigned threshold)
{
	const struct copies_life *lives[] = {&r->life, &r->life_lo, &r->life_hi};
	double saved[3], all = advise_run_copied(r), share = saved_at(r, threshold) / all;
	for (int i = 0; i < 3; i++)
		saved[i] = copies_mean(copies_copied, lives[i], &r->held, TENURING_MOST, 1) -
			   copies_mean(copies_copied, lives[i], &r->held, threshold, 1);
	if (r->counted)
		return (struct estimate){share, share, share};
	if (!(saved[0] > 0))
		return (struct estimate){share, 0, share};
	return (struct estimate){
		share, share * saved[1] / saved[0], fmin(1, share * saved[2] / saved[0])};
}

#define EARLY_PRICE 2.0 /* of a byte of garbage in the old generation, in bytes copied */

/* The bound that gains most. */
static unsigned best_threshold(const struct advise_run *r)
{
	unsigned best = r->held_most;
	double gain = 0;
	for (unsigned i = r->held_most; i-- > 0;) {
		double g = saved_at(r, i) - EARLY_PRICE * early_at(r, i);
		if (g > gain) {
			gain = g;
			best = i;
		}
	}
	return best;
}

static void put_threshold(struct trial *t, unsigned best)
{
	const struct advise_run *r = trial_run(t);
	struct whatif now = advise_whatif(r, TENURING_MOST, 1), then = advise_whatif(r, best, 1);
	rule_put_rate(&t->facts, trial_per_second(t, now.copied));
	buf_printf(&t->facts, " copied by young GCs, each byte that outlives one %.1f times; ",
		now.copied / (r->fit * r->all.copied[0]));
	rule_put_share(&t->facts, saved_at(r, best) / now.copied);
	buf_printf(&t->facts, " of it is copied for the %u%s time or more.", best + 2,
		best == 0   ? "nd"
		: best == 1 ? "rd"
			    : "th");
	buf_put_str(&t->todo, "Promote sooner.");
	flag_put(&t->option, FLAG_THRESHOLD, best);
	buf_put_str(&t->outcome, "Copied: ");
	rule_put_rate(&t->outcome, trial_per_second(t, now.copied));
	buf_put_str(&t->outcome, " -> ");
	rule_put_rate(&t->outcome, trial_per_second(t, then.copied));
	buf_put_str(&t->outcome, "; promoted: ");
	rule_put_rate(&t->outcome, trial_per_second(t, now.promoted));
	buf_put_str(&t->outcome, " -> ");
	rule_put_rate(&t->outcome, trial_per_second(t, then.promoted));
	buf_put_str(
		&t->outcome, " (what dies there waits for a collection of the old generation).");
}

bool find_threshold(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	if (!r->ages_known || !(advise_run_copied(r) > 0) ||
		!flag_known(FLAG_THRESHOLD, r->collector, r->jdk))
		return false;
	unsigned best = best_threshold(r);
	if (best >= r->held_most || !trial_judge(t, saved_share(r, best)))
		return false;
	trial_at_best(t, SURE_LIKELY); /* what the old generation then costs is not priced */
	trial_cost_of_copying(t, saved_at(r, best), t->out->share.value);
	put_threshold(t, best);
	return true;
}

enum { LARGER = 2 };
#define EDEN_PART   0.8 /* of a young generation, with SurvivorRatio 8 */
#define YOUNG_LIMIT 0.5 /* of the heap */

/* Sets the option for a young generation LARGER times as large; false where there is none. */
static bool put_young_option(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	double young = LARGER * r->step / EDEN_PART;
	if (!(r->heap_max > 0) || young > YOUNG_LIMIT * r->heap_max)
		return false;
	if (flag_known(FLAG_YOUNG_SIZE, r->collector, r->jdk))
		flag_put(&t->option, FLAG_YOUNG_SIZE, (unsigned)ceil(young / MEGABYTE));
	else if (flag_known(FLAG_YOUNG_SHARE, r->collector, r->jdk))
		flag_put(&t->option, FLAG_YOUNG_SHARE, (unsigned)ceil(100 * young / r->heap_max));
	else
		return false;
	return true;
}

/* ns of young pauses a run of these bytes copied and collections takes. */
static double pauses(const struct advise_run *r, double copied, double collections)
{
	return copied * r->cost.value + collections * r->fixed;
}

static struct estimate young_gain(const struct advise_run *r)
{
	const struct copies_life *lives[] = {&r->life, &r->life_hi, &r->life_lo};
	double gain[3], n = (double)r->young;
	double now = advise_run_copied(r);
	for (int i = 0; i < 3; i++)
		gain[i] = 1 - pauses(r, now * advise_run_larger(r, lives[i], LARGER), n / LARGER) /
				      pauses(r, now, n);
	return (struct estimate){gain[0], fmin(gain[0], fmin(gain[1], gain[2])),
		fmax(gain[0], fmax(gain[1], gain[2]))};
}

static void put_young_size(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	struct whatif now = advise_whatif(r, TENURING_MOST, 1),
		      then = advise_whatif(r, TENURING_MOST, LARGER);
	double n = (double)r->young;
	char a[UNITS_MAX], b[UNITS_MAX];
	buf_printf(&t->facts,
		"A young GC each %s allocated; it takes %s before it copies "
		"anything.",
		units_bytes(r->step, a), units_time(r->fixed, b));
	buf_put_str(&t->todo, "Give the young generation twice the room, if there is memory.");
	buf_put_str(&t->outcome, "Half as many young GCs; copied: ");
	rule_put_rate(&t->outcome, trial_per_second(t, now.copied));
	buf_put_str(&t->outcome, " -> at most ");
	rule_put_rate(&t->outcome, trial_per_second(t, then.copied));
	buf_printf(&t->outcome, "; an average pause: %s -> %s.",
		units_time(pauses(r, now.copied, n) / n, a),
		units_time(pauses(r, then.copied, n / LARGER) / (n / LARGER), b));
}

bool find_young_size(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	struct whatif now = advise_whatif(r, TENURING_MOST, 1);
	if (!r->ages_known || !r->cost_known || !(pauses(r, now.copied, (double)r->young) > 0))
		return false;
	struct estimate e = young_gain(r);
	if (!trial_judge(t, e) || !put_young_option(t))
		return false;
	trial_at_best(t, SURE_LIKELY); /* the VM sizes its spaces anew */
	double all = pauses(r, now.copied, (double)r->young);
	t->out->bytes = trial_per_second(t, now.copied);
	t->out->gc_most = trial_per_second(t, e.value * r->young_pause);
	t->out->gc = fmin(t->out->gc_most, trial_per_second(t, e.value * all));
	put_young_size(t);
	return true;
}

enum { ROOMIER = 4 }; /* a survivor space is a quarter of eden, not an eighth */

static void put_premature(struct trial *t, double promoted, double dead)
{
	const struct advise_run *r = trial_run(t);
	rule_put_rate(&t->facts, trial_per_second(t, promoted));
	buf_put_str(&t->facts, " promoted; at least ");
	rule_put_least(&t->facts, dead);
	buf_printf(&t->facts,
		" of it was found dead by a collection of the old generation. Survivors did not "
		"fit: the VM promoted at age %.1f on average, not %u.",
		r->held_mean, r->held_max);
	buf_put_str(&t->todo, "Give survivors more room.");
	if (flag_known(FLAG_SURVIVORS, r->collector, r->jdk))
		flag_put(&t->option, FLAG_SURVIVORS, ROOMIER);
	else if (flag_known(FLAG_SURVIVORS_FIXED, r->collector, r->jdk))
		flag_put(&t->option, FLAG_SURVIVORS_FIXED, ROOMIER);
}

/* Both ways out may pay: the collector's work is either in copying or in the old generation. */
static bool threshold_pays(const struct advise_run *r)
{
	unsigned best = best_threshold(r);
	return best < r->held_most && flag_known(FLAG_THRESHOLD, r->collector, r->jdk) &&
	       saved_at(r, best) >= rule_row(RULE_THRESHOLD)->threshold * advise_run_copied(r);
}

bool find_premature(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	const struct curve *c = &t->advise->lists[LIST_ALLOC].outlived;
	double outlive = copies_mean(copies_promoted, &r->life, &r->held, TENURING_MOST, 1);
	if (!r->ages_known || r->held_low < LOW_OFTEN || !model_full(t->model) || !(outlive > 0) ||
		!c->points.count)
		return false;
	struct curve_point end = c->points.at[c->points.count - 1];
	double promoted = r->fit * r->all.promoted[TENURING_MOST];
	struct estimate dead = {1 - end.p / outlive, 1 - end.hi / outlive, 1 - end.lo / outlive};
	if (!trial_judge(t, dead))
		return false;
	trial_cost_of_copying(
		t, dead.value * promoted, dead.value * promoted / advise_run_copied(r));
	put_premature(t, promoted, dead.value);
	if (threshold_pays(r))
		buf_put_str(&t->todo, " A lower threshold does the opposite, and saves copying "
				      "instead: measure which pays.");
	return true;
}

/* Where less is left, what fills it is garbage: another rule's. */
static bool is_full(const struct advise_run *r)
{
	return full_of_what_lives(r->full_count, r->full_left, r->heap_max);
}

static void put_left(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	double left = r->full_left / (double)r->full_count;
	char a[UNITS_MAX];
	buf_printf(&t->facts, " After one %s are in use still, ", units_bytes(left, a));
	rule_put_share(&t->facts, left / r->heap_max);
	buf_put_str(&t->facts, " of the largest heap.");
}

static void put_each(struct trial *t, double pause, uint64_t count)
{
	char a[UNITS_MAX];
	if (count > 1)
		buf_printf(&t->facts, ", %s each", units_time(pause / (double)count, a));
}

bool find_full_heap(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	char a[UNITS_MAX], b[UNITS_MAX];
	double share = r->full_pause / (r->seconds * 1e9);
	if (!is_full(r) || !trial_judge(t, (struct estimate){share, share, share}))
		return false;
	t->out->gc = t->out->gc_most = trial_pause_per_second(t, r->full_pause);
	buf_printf(&t->facts, "%s full collection%s that the program did not ask for, %s of pauses",
		units_count(r->full_count, a), r->full_count == 1 ? "" : "s",
		units_time(r->full_pause, b));
	put_each(t, r->full_pause, r->full_count);
	buf_put_str(&t->facts, ".");
	put_left(t);
	buf_put_str(&t->todo, "Give it a larger heap (-Xmx), or keep less: what is in it, and who "
			      "made that, mayfly heap tells.");
	return true;
}

bool find_explicit(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	char a[UNITS_MAX], b[UNITS_MAX];
	double share = r->explicit_pause / (r->seconds * 1e9);
	if (!r->explicit_count || !trial_judge(t, (struct estimate){share, share, share}))
		return false;
	t->out->gc = t->out->gc_most = trial_per_second(t, r->explicit_pause);
	buf_printf(&t->facts, "%s collection%s, %s of pauses", units_count(r->explicit_count, a),
		r->explicit_count == 1 ? "" : "s", units_time(r->explicit_pause, b));
	put_each(t, r->explicit_pause, r->explicit_count);
	buf_put_str(&t->facts, ", because of System.gc().");
	buf_put_str(&t->todo, "Remove the call; where it is a library's, tell the VM to ");
	if (flag_known(FLAG_EXPLICIT_CONCURRENT, r->collector, r->jdk)) {
		buf_put_str(&t->todo, "collect beside the program then.");
		flag_put(&t->option, FLAG_EXPLICIT_CONCURRENT, 0);
	} else {
		buf_put_str(&t->todo, "ignore it (not if much direct memory is used: buffers are "
				      "freed by it).");
		if (flag_known(FLAG_EXPLICIT_NONE, r->collector, r->jdk))
			flag_put(&t->option, FLAG_EXPLICIT_NONE, 0);
	}
	buf_put_str(&t->outcome, "Without them: ");
	put_ms(&t->outcome, t->out->gc);
	buf_put_str(&t->outcome, " less in pauses.");
	return true;
}
