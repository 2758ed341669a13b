/* A table as text: cells in columns as wide as their widest, by what a terminal shows. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/vec.h"
#include "report/text.h"

enum { TABLE_COLUMNS = 24, TABLE_GAP = 2 };

struct table {
	struct table_column {
		const char *head[2]; /* borrowed */
		bool right;
		bool stretch; /* gives way where the line is too long */
	} columns[TABLE_COLUMNS];
	size_t count;
	VEC(char *) cells; /* owned; row by row */
	struct buf scratch;
};

void table_release(struct table *t);
void table_column(struct table *t, const char *head1, const char *head2, bool right, bool stretch);
/* Where the next cell is to be written; table_next keeps it. */
static inline struct buf *table_cell(struct table *t)
{
	return &t->scratch;
}
/* 0 or ERR_NOMEM. */
int table_next(struct table *t);
/* Appends heads (the second line of them where it has any text) and rows, each line indented by 2.
 * Columns with no text at all are left out. */
int table_put(struct table *t, struct buf *out, const struct look *look);

#endif
