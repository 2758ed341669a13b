/* Feeds rows (relation.h) from a trace: those of objects and collections while it is replayed, the
 * others from what was summed up. */
#ifndef EXPORT_FEED_H
#define EXPORT_FEED_H

#include "analyze/cells.h"
#include "analyze/ledger.h"
#include "analyze/notes.h"
#include "analyze/where.h"
#include "export/relation.h"

struct feed {
	/* Set by the caller; borrowed. */
	struct rows rows;
	unsigned relations; /* set of 1 << enum relation_id: what is wanted */
	const struct where *where;
	const char *file; /* the trace, as the user named it */
	/* Its own. */
	struct map passes; /* site and thread → whether they pass `where` */
	struct buf line, stack, scratch;
	uint64_t gcs; /* so far */
};

void feed_release(struct feed *f);
/* Objects and collections. */
struct listener feed_listener(struct feed *f);
/* The rest, after the replay; `l` is settled. 0 or the first error. */
int feed_settled(struct feed *f, const struct model *m, const struct ledger *l,
	const struct cells *c, const struct notes *n);

#endif
