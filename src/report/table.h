/* A table as text: cells in columns as wide as their widest, by what a terminal shows. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/vec.h"
#include "report/text.h"

enum {
	TABLE_COLUMNS = 24,
	TABLE_GAP = 2,
	TABLE_NAME_LEAST = 12, /* a class's name that gives way */
};

struct table {
	struct table_column {
		const char *head[2]; /* borrowed */
		bool right;
		size_t least; /* gives way to this width where the line is too long; 0: does not */
		int spare;    /* is left out where that does not do, the least first; 0: never */
		bool left_out;
	} columns[TABLE_COLUMNS];
	size_t count;
	VEC(char *) cells; /* owned; row by row */
	struct buf scratch;
};

void table_release(struct table *t);
void table_column(struct table *t, const char *head1, const char *head2, bool right, bool stretch);
/* The last column gives way, too, down to a width. */
void table_gives(struct table *t, size_t least);
/* The last column can be spared where the line is too long: from 1, the first to be left out. */
void table_spares(struct table *t, int rank);
/* Where the next cell is to be written; table_next keeps it. */
static inline struct buf *table_cell(struct table *t)
{
	return &t->scratch;
}
/* 0 or ERR_NOMEM. */
int table_next(struct table *t);
/* Appends heads (the second line of them where it has any text) and rows, each line indented by 2.
 * Columns without a cell are not shown. Where the look's width is too small, columns that can be
 * spared are left out until the others fit at their least; then those that give way are made
 * smaller, in proportion to that. */
int table_put(struct table *t, struct buf *out, const struct look *look);
/* After table_put: says which columns were left out. Nothing where none was. */
void table_tell(const struct table *t, struct buf *out, const struct look *look);

#endif
