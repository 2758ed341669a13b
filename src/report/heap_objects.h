/* Every object of the heap by events, one line each: doc/report-json.md, "mayfly heap --objects".
 */
#ifndef REPORT_HEAP_OBJECTS_H
#define REPORT_HEAP_OBJECTS_H

#include <stdio.h>

#include "analyze/lifetime.h"
#include "model/followed.h"

/* Those that pass the query's filter, by rising address and at most its limit, to a stream. 0,
 * ERR_NOMEM or ERR_IO. */
int heap_objects_put(FILE *out, const struct model *m, struct followed *f, uint64_t young,
	const struct query *query);

#endif
