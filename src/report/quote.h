/* Any bytes as a text of another format. All are cleaned (text.h): what is no UTF-8, and
 * control characters, become '?'. */
#ifndef REPORT_QUOTE_H
#define REPORT_QUOTE_H

#include <stdbool.h>

#include "base/buf.h"

/* Whether it is printable ASCII without quotes, commas and backslashes: the same in every format,
 * as names nearly always are. */
bool quote_is_plain(struct slice text);
/* Appends a JSON string with its quotes. */
void quote_json(struct buf *out, struct slice text);
/* Appends a field of RFC 4180, in quotes where it needs them. */
void quote_csv(struct buf *out, struct slice text);

#endif
