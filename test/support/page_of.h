/* A simulated program, recorded, replayed and made into a page's data, and that read again. */
#ifndef SUPPORT_PAGE_OF_H
#define SUPPORT_PAGE_OF_H

#include "page/data.h"
#include "support/page_read.h"
#include "support/sim.h"

struct page_of {
	struct model model;
	struct collect collect;
	struct notes notes;
	struct data data;
	struct buf bytes; /* the data */
	bool has_model, has_data;
};

/* The bytes of the trace. 0 or an error. */
int page_of_trace(struct buf *out, const struct sim *s);
/* Replays a trace and makes the data, of at most so many samples and collections. 0 or an error;
 * to be released in any case. */
int page_of_bytes(struct page_of *p, struct slice trace, size_t samples, size_t gcs);
int page_of_sim(struct page_of *p, const struct sim *s, size_t samples, size_t gcs);
void page_of_release(struct page_of *p);

#endif
