/* The page: the viewer with the data of one or two traces in it (doc/page-data.md, "In the
 * page"). */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "page/data.h"

#define PAGE_PLACE  "<!--mayfly-data-->"
#define PAGE_MARKER "<script type=\"application/x-mayfly\" data-trace=\""

enum { PAGE_TRACES = 2 };

/* Whether it has exactly one place for data. 0, or ERR_FORMAT with a sentence. */
int page_check(struct slice viewer, struct diag *d);
/* Writes the page; count: 1 … PAGE_TRACES; viewer: one that page_check accepts. 0, ERR_NOMEM,
 * ERR_LIMIT or the sink's error. */
int page_put(const struct sink *out, struct slice viewer, const struct data *traces, size_t count);

#endif
