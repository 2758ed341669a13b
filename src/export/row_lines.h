/* The report's rows as JSON lines: the columns of its CSV as keys. */
#ifndef EXPORT_ROW_LINES_H
#define EXPORT_ROW_LINES_H

#include "report/view.h"

/* Appends a line for each row; what is not known is null. 0 or ERR_NOMEM. */
int row_lines_put(struct buf *out, const struct view *v);

#endif
