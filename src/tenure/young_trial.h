/*
 * Whether a young generation of another size pays: what the collector copied and took for each byte
 * allocated in a run, against the run before; and what the next run is to do.
 */
#ifndef TENURE_YOUNG_TRIAL_H
#define TENURE_YOUNG_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/hist.h"
#include "tenure/decisions.h"
#include "tenure/round.h"
#include "tenure/young_size.h"

/* All zeros at first. */
struct young_trial {
	uint32_t rounds; /* all of them; the first ones, of the program's start, don't count */
	double allocated, copied, cpu; /* bytes, bytes, ns; NaN: not known */
	double full;                   /* bytes that full collections kept */
	double seen; /* bytes allocated in rounds of which it is known what was copied */
	uint32_t rates[HIST_BINS]; /* rounds, by the CPU's ns for each MiB */
};

void young_trial_round(struct young_trial *t, const struct round *r);
/* False: too few rounds to tell. Where all collections were full ones, copied is not known. */
bool young_trial_figures(const struct young_trial *t, struct young_figures *out);

/* Whether the collector does more with it than it did before, and why: a sentence. What is not
 * known of before, or now, is no reason. */
bool young_trial_fails(
	const struct young_figures *before, const struct young_figures *now, struct diag *why);

/* A run, at its end. */
struct young_run {
	bool set;                 /* it had the size that the file says */
	bool known;               /* `now` is */
	struct young_figures now; /* of it */
	struct young_offer offer; /* bytes 0: none */
	struct young_room room;
};
/* For the next one. *why: where what was set has failed, why; else empty. */
struct decision_young young_trial_next(
	const struct decision_young *file, const struct young_run *run, struct diag *why);

#endif
