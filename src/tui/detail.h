/* All about one row as text: its figures, how much of it outlives how much on each clock, and the
 * call paths that it comes by. */
#ifndef TUI_DETAIL_H
#define TUI_DETAIL_H

#include "tui/listing.h"

/* Appends what the row is: "byte[] of o.a.l.util.ByteBlockPool.nextBuffer:204". */
void detail_title(
	struct buf *out, const struct model *m, const struct row *r, const struct look *look);
/* Appends it, for a width. The row is of the listing. 0 or ERR_NOMEM. */
int detail_put(struct buf *out, const struct listing *l, const struct sight *s,
	const struct state *st, const struct row *row, int width);

#endif
