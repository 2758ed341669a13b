/*
 * pprof profiles (gzipped protocol buffers): what `go tool pprof`, Pyroscope, Parca, Grafana and
 * speedscope open. The allocated class is the leaf frame.
 */
#ifndef EXPORT_PPROF_H
#define EXPORT_PPROF_H

#include "analyze/cells.h"
#include "analyze/ledger.h"
#include "analyze/where.h"
#include "base/buf.h"

enum pprof_kind {
	/* Go's heap profile: alloc_objects, alloc_space, inuse_objects, inuse_space (alive at the
	 * end). */
	PPROF_HEAP,
	/*
	 * tcmalloc's lifetime profile: allocated, deallocated and censored_allocated (not seen to
	 * die) objects and space, a sample for each stack and age, with the labels "gc gen age"
	 * (collections survived) and avg_lifetime, stddev_lifetime, min_lifetime, max_lifetime
	 * (ns).
	 */
	PPROF_LIFETIME,
	PPROF_KINDS
};
const char *pprof_word(unsigned kind);

struct pprof_source {
	const struct model *model;
	const struct ledger *ledger; /* settled */
	const struct cells *cells;   /* PPROF_LIFETIME: of the same replay */
	const struct where *where;
};

/* Appends the file. 0, ERR_NOMEM or ERR_LIMIT (more than 2 GiB). */
int pprof_put(struct buf *out, const struct pprof_source *s, enum pprof_kind kind);

#endif
