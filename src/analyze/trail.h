/*
 * The places that the exact engine tells, as trees: a class, one line of it, a bytecode of that, a
 * caller of it that inlining tells, its caller … Says where counts and samples meet:
 * doc/metrics.md, "Exact totals".
 */
#ifndef ANALYZE_TRAIL_H
#define ANALYZE_TRAIL_H

#include "base/map.h"
#include "base/vec.h"
#include "model/model.h"

struct trail {
	uint64_t births, own; /* counted here and by its callers; of these without a caller */
	uint64_t walked;      /* of `births`: by walked paths */
	uint32_t callers;     /* that are told */
	uint32_t leaf;        /* to the user of trails; 0 at first */
	bool ends;            /* a site ends here: not all its callers are told */
	bool full;            /* a walked path ends here */
	bool undivided;       /* a sample has a caller that is not told */
};

struct trails {
	VEC(struct trail) list; /* numbered from 1 */
	bool all; /* every birth was to be walked: what was not is of paths that are not known */
	uint64_t crowded; /* one birth in so many was to be walked, and for the paths of some there
			     was no room; 0: for all there was */
	bool callers_together; /* set before the first is added: no caller is told apart */
	struct map
		index; /* number of the one before (0: of a class) and class or location → number */
};

void trails_release(struct trails *t);
/* Adds the places of a site that was counted. 0 or ERR_NOMEM. */
int trails_add(struct trails *t, const struct model *m, uint32_t site, uint64_t births);
/* There are samples of this site. To be called for all, once all that was counted is there. */
void trails_meet(struct trails *t, const struct model *m, uint32_t site);
/*
 * The place that the counts and samples of a site belong to; 0: nothing was counted there. *mixed:
 * the place whose callers are nearly all told, where it or one of them is the answer, or some of
 * whose births were walked, where one of these paths is; else 0. Where paths that found no room
 * made too much of a place, those that did are not told apart: they are those of other times.
 */
size_t trails_find(const struct trails *t, const struct model *m, uint32_t site, size_t *mixed);

/* Whether anything was counted at the site's line. */
bool trails_line(const struct trails *t, const struct model *m, uint32_t site);

static inline struct trail *trails_at(const struct trails *t, size_t number)
{
	return &t->list.at[number - 1];
}

#endif
