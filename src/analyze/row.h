/*
 * One row of a report: a place, what was summed up of it, and what follows from that. The
 * curves are computed on demand (row_solve), for only the rows that are shown need them.
 */
#ifndef ANALYZE_ROW_H
#define ANALYZE_ROW_H

#include "analyze/context.h"
#include "analyze/label.h"
#include "analyze/leaf.h"
#include "analyze/tally.h"
#include "stat/curve.h"
#include "stat/shape.h"

#define ROW_SAMPLES_MIN 10.0 /* effective, of a row of which lives are told: doc/metrics.md */

/* How much there is to go by: doc/metrics.md, "Evidence". */
struct evidence {
	uint64_t followed; /* samples; where it was counted, all objects */
	uint64_t seen;     /* of them by a collection: born before it */
	double effective;  /* of these */
	bool counted;      /* all objects by the exact engine, not samples */
	bool too_few;      /* though there were collections */
};

struct row {
	enum by by;
	char *label; /* owned; the text of its grouping, with the site's leaf frame for BY_SITE */
	uint32_t class; /* BY_SITE, BY_CLASS; index, 0 unknown */
	struct context
		context; /* BY_SITE: which frames tell it; BY_METHOD: one frame, without its line */
	/* The nearest frame of application code, where the allocating one is the JDK's own: index,
	 * 0 none that is shared enough. */
	uint32_t caller;
	double caller_share; /* of the bytes */
	struct tally tally;  /* owned */
	/* Set by row_solve. A curve without points: not known. */
	struct evidence evidence[MEASURES];
	struct curve curves[CLOCKS];      /* owned; by objects */
	struct curve by_bytes[CLOCKS_GC]; /* owned */
	enum shape shape;                 /* by bytes */
};

void row_release(struct row *r);
/* Computes the curves of a set of clocks, the evidence and the shape. To be called once. 0 or
 * ERR_NOMEM. */
int row_solve(struct row *r, const struct model *m, unsigned clocks);
/* The clock that counts collections in this trace. */
enum clock row_gc_clock(const struct model *m);
/* What of it was too large to be followed, so that its lives are those of the rest. */
struct amount row_too_large(const struct row *r, const struct model *m);
/* Frame i of the row, from the allocating one, as an index; 0 from the last on. */
uint32_t row_frame(const struct row *r, const struct model *m, uint32_t i);

#endif
