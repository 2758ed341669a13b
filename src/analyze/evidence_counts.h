/*
 * Lays what the exact engine counted over the evidence of advice: what collections copied and
 * promoted, and what was born outside of the young generation, no longer is an estimate.
 * doc/metrics.md, "Exact advice".
 */
#ifndef ANALYZE_EVIDENCE_COUNTS_H
#define ANALYZE_EVIDENCE_COUNTS_H

#include "analyze/evidence.h"

/* What collections did with the objects of a site that was counted, had the threshold never been
 * over each bound. Adds to copied, promoted, early and large of *out. */
void evidence_count(struct evidence_site *out, const struct site_counts *s);
/* To be called once, on a ledger that leaves_lay was called on. Without exact counts in the model
 * nothing changes. 0 or ERR_NOMEM. */
int evidence_lay(struct evidence_log *e, const struct model *m);

#endif
