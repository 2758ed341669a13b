/* The report as comma-separated values (RFC 4180, but lines end with \n). Not known: an empty
 * field. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "report/view.h"

/* Appends the header line and a line a row. Lifetimes: collections, MB or ms, by the view's clock.
 * 0 or ERR_NOMEM. */
int csv_put(struct buf *out, const struct view *v);

#endif
