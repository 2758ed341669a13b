/* The file format of speedscope (https://www.speedscope.app/file-format-schema.json): several
 * profiles over one list of frames. */
#ifndef EXPORT_SPEEDSCOPE_H
#define EXPORT_SPEEDSCOPE_H

#include "analyze/cells.h"
#include "analyze/ledger.h"
#include "analyze/where.h"
#include "export/out.h"

struct speedscope_source {
	const struct model *model;
	const struct ledger *ledger; /* settled */
	const struct cells *cells;   /* of the same replay */
	const struct where *where;
	const char *name; /* of the trace */
};

/*
 * Writes the file. Its profiles, in bytes: allocated; of the lives that were followed, those that
 * died at their first collection, were seen to survive one, fifteen, and were alive at the end. 0,
 * ERR_NOMEM or an error of the sink.
 */
int speedscope_put(struct out *o, const struct speedscope_source *s);

#endif
