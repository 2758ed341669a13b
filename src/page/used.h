/* The definitions and texts that a page speaks of: all sites with samples, and what they are made
 * of. */
#ifndef PAGE_USED_H
#define PAGE_USED_H

#include "analyze/ledger.h"
#include "page/numbering.h"
#include "page/samples.h"

struct used {
	struct numbering texts, classes, methods, frames, sites, threads;
};

/* gcs: indices of the collections in the page. *u is overwritten. 0 or ERR_NOMEM (then nothing is
 * held). */
int used_find(struct used *u, const struct model *m, const struct ledger *l,
	const struct samples *s, const uint32_t *gcs, size_t gc_count);
void used_release(struct used *u);

#endif
