/*
 * What collections of the young generation found dead in a window of the run, by the exact engine:
 * by site, and by collections survived. doc/metrics.md, "Exact garbage".
 */
#ifndef ANALYZE_TOLD_H
#define ANALYZE_TOLD_H

#include "analyze/life_group.h"
#include "base/vec.h"
#include "model/counts.h"

struct told_site {
	struct quantity dead[GROUPS];
};

struct told {
	/* By place in the model's counts. Sums so far, less what they were when it was opened. */
	VEC(struct told_site) sites;
	bool open;
};

void told_release(struct told *t);
/* From here on deaths count, and up to here they do. May be done again and again. 0 or ERR_NOMEM.
 */
int told_open(struct told *t, const struct counts *c);
int told_close(struct told *t, const struct counts *c);
/* A group's, or of all groups (GROUPS), as leaves_lay_deaths takes them; to be given to
 * counts_release. 0 or ERR_NOMEM. */
int told_deaths(const struct told *t, const struct counts *c, int group, struct counts *out);

#endif
