/* Java names, shortened for a line of a screen; doc/metrics.md, "Names on the screen". All are
 * cleaned (text.h). */
#ifndef REPORT_SHORT_H
#define REPORT_SHORT_H

#include "analyze/row.h"
#include "report/text.h"

/* "o.a.l.util.ByteBlockPool": packages to initials, but the last one whole; the JDK's wholly to
 * initials ("j.u.Arrays"). */
void short_class(struct buf *out, struct slice class_name);
/* The same of a method by its full name, "org.apache.lucene.util.ByteBlockPool.nextBuffer"; what
 * has no dot stays. */
void short_method(struct buf *out, struct slice name);
/* "o.a.l.util.ByteBlockPool.nextBuffer:204"; with_line false leaves the number out. */
void short_frame(struct buf *out, const struct model *m, uint32_t frame, bool with_line);
/* "byte[]": the simple name whole. */
void short_simple(struct buf *out, struct slice class_name);
/* Where the row's objects are allocated: its frames from the leaf on, joined by arrows, and the
 * application's caller. */
void short_place(
	struct buf *out, const struct model *m, const struct row *r, const struct look *look);

#endif
