/* The SHAPE column: at which age the objects of a row die, drawn in 16 columns. */
#ifndef REPORT_BARS_H
#define REPORT_BARS_H

#include "report/text.h"
#include "stat/curve.h"

enum { BARS = 16 }; /* ages 0 … 14, and 15 or more */

/*
 * The share of objects that die at each age, the last: that reach 15. NaN: not observed long
 * enough to know.
 */
void bars_shares(const struct curve *c, double shares[BARS]);
/* Appends BARS columns: blank under 1 %, eighths of a block above, a dot where it is not known. */
void bars_put(struct buf *out, const struct curve *c, const struct look *look);
/* The same of any shares: of ages 0 … 14, and 15 or more. */
void bars_put_shares(struct buf *out, const double shares[BARS], const struct look *look);
/* The column's header, BARS wide. */
const char *bars_head(const struct look *look);

#endif
