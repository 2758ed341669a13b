/* The document in the page's data: doc/page-data.md, "The document". */
#ifndef PAGE_HEAD_H
#define PAGE_HEAD_H

#include "base/buf.h"
#include "page/tables.h"

/* Appends it. 0 or ERR_NOMEM. */
int head_put(struct buf *out, const struct data *d, const struct tables_layout *l);

#endif
