/* The comparison of two groups of runs, with what there is to be said of it. What `diff` shows and
 * the page carries. */
#ifndef CLI_DIFFERING_H
#define CLI_DIFFERING_H

#include "report/diff_view.h"

struct differing {
	struct diff_side a, b; /* borrowed */
	struct diff diff;
	struct notes notes;
	struct notes failures; /* of --fail-if: whoever checks it adds them */
};

/* Sets what a run's ledger keeps, before its replay. */
void differing_listen(struct ledger *l, bool by_thread);

/* Compares; *f is overwritten. 0 or ERR_NOMEM (then nothing is held). */
int differing_open(struct differing *f, const struct diff_side *a, const struct diff_side *b,
	const struct diff_query *q);
void differing_release(struct differing *f);
/* For JSON, or the screen; what is to be shown there (look, all, limit) is the caller's to set. */
struct diff_view differing_view(const struct differing *f);

#endif
