#include "tenure/young_trial.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"

enum {
	MIB = 1 << 20,
	STARTING = 2, /* rounds of a program's start */
	LEAST = 3     /* and after them, that tell something */
};
/* The collector's CPU for each byte, between two runs of the same program: what is less they differ
 * by where nothing has changed (doc/tenure.md, "The young generation's size"). */
#define DEARER 2
#define CALM   0.1 /* of the rounds: those that other work disturbed least */

/* At most what a file may say: a program that hardly allocates can be made to collect for long. */
static uint64_t for_each_mib(double sum, double allocated)
{
	double rate = sum / allocated * MIB;
	return isfinite(rate) && rate > 0 ? (uint64_t)fmin(rate + 0.5, DECISIONS_FIGURE) : 0;
}

void young_trial_round(struct young_trial *t, const struct round *r)
{
	if (t->rounds++ < STARTING)
		return;
	double allocated = round_total(r, ROUND_ALLOCATED), copied = round_total(r, ROUND_COPIED);
	double cpu = round_total(r, ROUND_CPU);
	t->allocated += allocated;
	t->cpu += cpu;
	t->rates[hist_bin(for_each_mib(cpu, allocated))]++;
	t->full += (double)r->full;
	t->seen += isfinite(copied) ? allocated : 0;
	t->copied += isfinite(copied) ? copied : 0;
}

/* What all but a tenth of the rounds took more than, to an eighth. */
static uint64_t calm_rate(const struct young_trial *t)
{
	double below = 0, few = CALM * (t->rounds - STARTING);
	uint32_t bin = 0;
	while (bin < HIST_BINS - 1 && (below += t->rates[bin]) <= few)
		bin++;
	return hist_low(bin);
}

bool young_trial_figures(const struct young_trial *t, struct young_figures *out)
{
	*out = (struct young_figures){0};
	if (t->rounds < STARTING + LEAST || !(t->allocated > 0))
		return false;
	out->copied = for_each_mib(t->copied, t->seen);
	out->cpu = for_each_mib(t->cpu, t->allocated);
	out->cpu_calm = out->cpu ? calm_rate(t) : 0;
	out->full = for_each_mib(t->full, t->allocated);
	return out->copied > 0 || out->full > 0;
}

static bool is_full_known(const struct young_figures *f)
{
	return f->full != YOUNG_FULL_UNKNOWN;
}

/* In bytes copied: what full collections do is the most that a size can do harm by, and of the same
 * program they keep the same to a few per cent. */
static double work(const struct young_figures *f, bool with_full)
{
	return (double)f->copied + (with_full ? YOUNG_FULL_COST * (double)f->full : 0);
}

static void say_copies(const struct young_figures *before, const struct young_figures *now,
	bool with_full, struct diag *why)
{
	if (!now->copied)
		diag_set(why, ERR_NONE,
			"hardly a collection but full ones came: they kept %" PRIu64
			" bytes for each MB allocated",
			now->full);
	else if (with_full && (before->full || now->full))
		diag_set(why, ERR_NONE,
			"the collector copied %" PRIu64
			" bytes of each MB and full ones kept %" PRIu64 ", and %" PRIu64
			" and %" PRIu64 " without it",
			now->copied, now->full, before->copied, before->full);
	else
		diag_set(why, ERR_NONE,
			"the collector copied %" PRIu64 " bytes of each MB, and %" PRIu64
			" without it",
			now->copied, before->copied);
}

static bool is_dearer(uint64_t before, uint64_t now)
{
	return before && (double)now > DEARER * (double)before;
}

bool young_trial_fails(
	const struct young_figures *before, const struct young_figures *now, struct diag *why)
{
	bool with_full = is_full_known(before) && is_full_known(now);
	bool copies = before->copied && work(now, with_full) >= work(before, with_full);
	bool dearer =
		is_dearer(before->cpu, now->cpu) && is_dearer(before->cpu_calm, now->cpu_calm);
	if (copies)
		say_copies(before, now, with_full, why);
	else if (dearer)
		diag_set(why, ERR_NONE,
			"the collector took %.0f %% more of the CPU for each byte than without it",
			100 * ((double)now->cpu / (double)before->cpu - 1));
	return copies || dearer;
}

static uint32_t mib(uint64_t bytes)
{
	return (uint32_t)(bytes / MIB);
}

static bool is_of_this_heap(const struct decision_young *y, const struct young_room *room)
{
	return y->there && (!y->heap_mb || y->heap_mb == mib(room->heap));
}

static struct decision_young as_offered(const struct young_run *run)
{
	const struct young_offer *o = &run->offer;
	return (struct decision_young){.there = true,
		.set = true,
		.mb = mib(o->bytes),
		.heap_mb = mib(run->room.heap),
		.before_mb = mib(run->room.young),
		.before = run->now,
		.expected = (uint64_t)((double)run->now.copied * o->then.bytes / o->now.bytes)};
}

/* What failed is not offered again, nor what is as large or larger. */
static bool may_offer(const struct decision_young *file, const struct young_run *run)
{
	bool failed = is_of_this_heap(file, &run->room) && !file->set;
	return run->known && run->offer.bytes && young_size_fits(run->offer.bytes, &run->room) &&
	       !(failed && mib(run->offer.bytes) >= file->mb);
}

struct decision_young young_trial_next(
	const struct decision_young *file, const struct young_run *run, struct diag *why)
{
	struct decision_young next = *file;
	why->text[0] = 0;
	bool waits = is_of_this_heap(file, &run->room) && file->set && !run->set;
	if (waits) /* it was not tried */
		return next;
	if (run->set && run->known && young_trial_fails(&file->before, &run->now, why)) {
		next.set = false;
		return next;
	}
	if (run->set && run->known)
		next.runs += next.runs < DECISIONS_TRUST;
	return may_offer(file, run) ? as_offered(run) : next;
}
