/* What the exact engine counted, for a screen and for JSON. */
#ifndef REPORT_EXACT_VIEW_H
#define REPORT_EXACT_VIEW_H

#include "report/document.h"
#include "report/view.h"

/* "audit: 4 068 146 of 4 068 146 allocations seen, 99.97 % attributed to a line"; nothing where
 * there was none. More seen than walked are clones of arrays that look like fillers; they are told
 * apart. */
void exact_put_audit(struct buf *out, const struct model *m);
/* "4 068 146 objects, 214 GB, by header accounting; …" and the collections; nothing where nothing
 * was counted, but why where the engine was refused. */
/* "every 100th allocation was walked …"; nothing where none was. */
void exact_put_walks(struct buf *out, const struct model *m);
void exact_put_counts(struct buf *out, const struct model *m);
/* The object `exact`; NULL where nothing was counted. */
json_t *exact_json(struct document *d, const struct model *m);

/* Appends it to the document as its next key, where there is any. */
void exact_json_put(struct document *d, const struct model *m);

#endif
