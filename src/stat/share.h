/* What share of an estimated total a part of it is: doc/metrics.md, "share of a total". */
#ifndef STAT_SHARE_H
#define STAT_SHARE_H

#include "stat/total.h"

/* Of bytes; the part's samples are among the whole's. value NaN, with 0 and 1 as its limits, where
 * the whole is nothing. */
struct estimate share_bytes(const struct total *part, const struct total *whole);

#endif
