/* Listens to a replay for a page: what the report needs (ledger.h), and each sample. */
#ifndef PAGE_COLLECT_H
#define PAGE_COLLECT_H

#include "analyze/ledger.h"
#include "page/samples.h"
#include "page/ticks.h"

enum {
	PAGE_SAMPLES = 200000, /* in a page, at most */
	PAGE_TICKS = 20000,
	PAGE_GCS = 20000,
};

struct collect {
	struct ledger ledger;
	struct samples samples;
	struct ticks ticks;
	/* By account that was sampled: what its samples are multiplied by, so that those of a line
	 * sum up to the bytes that the exact engine counted there. Empty: by 1. Owned. */
	VEC(double) factors;
	double unsampled; /* bytes counted where nothing was sampled: not in the page's samples */
};

/* Keeps at most so many samples. */
struct collect collect_init(size_t samples);
void collect_release(struct collect *c);
/* The functions that fill it. */
struct listener collect_listener(struct collect *c);
/* To be called once, after the replay. 0 or ERR_NOMEM. */
int collect_settle(struct collect *c, const struct model *m);
/* What a sample of this site is multiplied by. */
double collect_factor(const struct collect *c, uint32_t site);

#endif
