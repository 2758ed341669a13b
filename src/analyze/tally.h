/*
 * What is summed up about the objects of one place: of an account (ledger.h), and of a row of a
 * report, which is the merge of its accounts. Zero is a valid empty tally.
 */
#ifndef ANALYZE_TALLY_H
#define ANALYZE_TALLY_H

#include "model/life.h"
#include "model/replay.h"
#include "stat/ages.h"
#include "stat/spans.h"
#include "stat/total.h"

/* The clocks that lifetimes are known in; as a set, bits of 1 << clock. */
enum clock { CLOCK_YOUNG, CLOCK_FULL, CLOCK_BYTES, CLOCK_NS, CLOCKS };
enum { CLOCKS_ALL = (1 << CLOCKS) - 1 };

struct tally {
	struct total alloc; /* all sampled allocations */
	/* Lives that were followed, by what became of them: born = died + alive + untracked, once
	 * settled. */
	struct total born, died, alive, untracked;
	/* Those of which it is known, by whether they died at the first collection that could tell;
	 * born = infant + outlived + those that met none. */
	struct total infant, outlived;
	struct ages young, full;
	/*
	 * Deaths found by other collections since the full clock stood at open_clock. The next full
	 * collection makes them deaths of their full age; without one, it is not known whether
	 * those who live on would have outlived it, and so these prove nothing either
	 * (tally_settle).
	 */
	struct ages open;
	uint64_t open_clock;
	struct spans bytes, ns;
};

void tally_release(struct tally *t);
/* Sums up `born`, and settles `open`, at the end of a trace that left the full clock at `now`. 0 or
 * ERR_NOMEM. */
int tally_settle(struct tally *t, uint64_t now);
/* Of settled tallies. 0 or ERR_NOMEM (then *t is valid but incomplete). */
int tally_merge(struct tally *t, const struct tally *more);

int tally_sample(struct tally *t, const struct sample *s);
/* What became of an object, in the clocks of the set; alive: at the end of the trace. 0 or
 * ERR_NOMEM. */
int tally_life(struct tally *t, const struct object *o, const struct life *l, bool alive,
	enum deaths deaths, unsigned clocks);

#endif
