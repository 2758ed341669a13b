/* What a trace is, as the key `trace` of JSON documents: doc/report-json.md. */
#ifndef REPORT_TRACE_JSON_H
#define REPORT_TRACE_JSON_H

#include "model/model.h"
#include "report/document.h"

/* How many collections of each kind there were: the key `gcs`. */
json_t *gcs_json(struct document *d, const struct model *m);
/* file: as the user named it; alloc_bytes: allocated in the whole trace. NULL or a
 * failed document: out of memory. */
json_t *trace_json(struct document *d, const struct model *m, const char *file, double alloc_bytes);

#endif
