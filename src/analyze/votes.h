/*
 * The application caller of a row whose frames are all the JDK's own: the nearest frame up the
 * stack that is not, if one stands for VOTES_SHARE of the row's bytes. doc/metrics.md, "Site".
 */
#ifndef ANALYZE_VOTES_H
#define ANALYZE_VOTES_H

#include "analyze/context.h"

#define VOTES_SHARE 0.9 /* of a row's bytes: from there on an application caller is shown */

struct vote {
	uint32_t frame; /* 0: nobody */
	double lead, share, all;
};

struct votes {
	struct vote *at; /* owned; by row */
};

/*
 * Counts the votes of the accounts picked (indices into the ledger), each in its row. *v is
 * overwritten, to be given to votes_release. 0 or ERR_NOMEM.
 */
int votes_find(struct votes *v, const struct model *m, const struct ledger *l,
	const uint32_t *picked, const uint32_t *row_of, size_t accounts, size_t rows);
void votes_release(struct votes *v);
/* The caller of a row, a frame's index, and what share of the bytes it stands for; 0: none. */
uint32_t votes_winner(const struct votes *v, const struct model *m, size_t row,
	const struct context *context, double *share);

#endif
