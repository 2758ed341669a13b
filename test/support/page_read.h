/* Reads a page as doc/page-data.md says, for tests: another way than the one it was written in. */
#ifndef SUPPORT_PAGE_READ_H
#define SUPPORT_PAGE_READ_H

#include <jansson.h>
#include <stddef.h>

#include "base/buf.h"

struct page_read {
	json_t *document; /* owned */
	struct buf bytes; /* the data */
	size_t columns;   /* where the columns' bytes begin */
};

/* Each: 0, or a negative error where the rules are broken. Release it in any case. */
int page_read_data(struct page_read *p, struct slice data);
/* The data of the trace `which` ("a", "b"). */
int page_read_html(struct page_read *p, struct slice html, const char *which);
void page_read_release(struct page_read *p);

/* A column's rows; 0 too where there is no such column. */
size_t page_read_count(const struct page_read *p, const char *column);
/* Its values, to be given to mem_free; NULL where it breaks the rules. */
double *page_read_column(const struct page_read *p, const char *column);
/* The text with this number; NULL: none. */
const char *page_read_text(const struct page_read *p, double number);

/* The stages alone, too: 0, or ERR_FORMAT. */
int page_read_base64(struct buf *out, struct slice text);
int page_read_inflate(struct buf *out, struct slice stream);

#endif
