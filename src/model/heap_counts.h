/*
 * What was alive at one collection, by site, as the last heap_count of a trace tells, or the one
 * that is wanted (doc/trace-format.md, 8.1). Memory grows with sites and classes.
 */
#ifndef MODEL_HEAP_COUNTS_H
#define MODEL_HEAP_COUNTS_H

#include <stdbool.h>

#include "model/counts.h"

/* element i of young: survived i + 1 collections */
struct heap_site {
	uint32_t site; /* index */
	struct quantity young[COUNTS_AGES], old;
};

/* Of no site. */
struct heap_rest {
	uint32_t class; /* index */
	struct quantity all;
};

struct heap_counts {
	VEC(struct heap_site) sites; /* owned */
	VEC(uint32_t) by_site;       /* index of a site → 1 + where it is in `sites`; 0 none */
	VEC(struct heap_rest) rest;  /* owned; a class may have several */
	bool whole;                  /* `head` has come: else they are those of one to come */
	struct record_heap_count head;
	/* Set before: the count of the collection after which the clocks stood so, if there is one;
	 * what comes after it is not read. */
	bool wanted;
	uint64_t wanted_young, wanted_full;
};

void heap_counts_release(struct heap_counts *h);
/* Take a record; `site` and `class` are indices. 0 or ERR_NOMEM. */
int heap_counts_old(struct heap_counts *h, uint32_t site, const struct record_site_old *r);
int heap_counts_young(struct heap_counts *h, uint32_t site, const struct record_site_young *r);
int heap_counts_older(struct heap_counts *h, uint32_t class, const struct record_class_older *r);
void heap_counts_head(struct heap_counts *h, const struct record_heap_count *r);
/* Whether it is the one wanted. */
bool heap_counts_found(const struct heap_counts *h);

#endif
