/*
 * What is summed up about the objects of one place: of an account (ledger.h), and of a row of a
 * report, which is the merge of its accounts. Zero is a valid empty tally.
 */
#ifndef ANALYZE_TALLY_H
#define ANALYZE_TALLY_H

#include "analyze/counted.h"
#include "analyze/lifespans.h"
#include "model/replay.h"
#include "stat/spans.h"
#include "stat/total.h"

struct tally {
	struct total alloc; /* all sampled allocations */
	/* Of them, those that were not followed and that no other life stands for: the ones that
	 * thinning left out are in the weights of those it took. */
	struct total stray;
	/* Lives that were followed, by what became of them: born = died + alive + untracked, once
	 * settled. */
	struct total born, died, alive, untracked;
	/* Those of which it is known, by whether they died at the first collection that could tell;
	 * born = infant + outlived + those that met none. */
	struct total infant, outlived;
	/* Of `died`: found by a collection that can find dead objects of the old generation, and
	 * not surely by one of the young one by itself in the same pause. Of these: those that met
	 * no other (late_young), and those that stood in the young generation until then by the
	 * thresholds, but may have left it sooner (late_open). */
	struct total late, late_young, late_open;
	struct lifespans lives[MEASURES]; /* in collections */
	struct spans bytes, ns;           /* by objects */
	struct counted counted;           /* beside the samples; leaf.h */
};

void tally_release(struct tally *t);
/* Sums up `born`, and settles `lives`, at the end of a trace that left the full clock at `now`. 0
 * or ERR_NOMEM. */
int tally_settle(struct tally *t, uint64_t now);
/* Of settled tallies. 0 or ERR_NOMEM (then *t is valid but incomplete). */
int tally_merge(struct tally *t, const struct tally *more);
/* The same without lives. */
void tally_merge_totals(struct tally *t, const struct tally *more);

/* What became of an object, as far as tallies want to know. */
struct lived {
	struct life life;
	uint64_t size;
	double weight;
	enum deaths deaths; /* as the trace tells them */
	bool alive;         /* at the end of the trace */
	bool vague;         /* of a size that is a mean, or not known */
};
/* Adds it in the clocks of the set. 0 or ERR_NOMEM. */
int tally_life(struct tally *t, const struct lived *l, unsigned clocks);

#endif
