/* Numbers as JSON text, the same that jansson writes of them with six digits, many times as fast.
 */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include <stdint.h>

#include "base/buf.h"

enum { NUMBER_DIGITS = 6 };

/* null where it is not finite; "1.0", "0.5", "1e-5". */
void number_put(struct buf *out, double value);
/* A whole number. */
void number_put_count(struct buf *out, uint64_t value);

#endif
