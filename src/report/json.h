/* The report as JSON: the contract of doc/report-json.md, which scripts rely on. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report/view.h"

/* Appends one object and a newline. 0 or ERR_NOMEM. */
int json_put(struct buf *out, const struct view *v);

#endif
