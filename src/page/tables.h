/* All columns of the page's data (doc/page-data.md), and where each lies. */
#ifndef PAGE_TABLES_H
#define PAGE_TABLES_H

#include <stdint.h>

#include "page/data.h"
#include "page/strip.h"

enum tables_column {
#define TABLE(name, type, rows, row)
#define COLUMN(table, name, form, value) TABLES_##table##_##name,
#include "page/tables.def"
#undef TABLE
#undef COLUMN
	TABLES_COLUMNS
};

enum { TABLES_ALIGN = 8 };

/* Where the columns lie, from the end of the document on. */
struct tables_layout {
	struct tables_place {
		enum strip_type type;
		size_t count;
		uint64_t offset; /* a multiple of TABLES_ALIGN */
	} at[TABLES_COLUMNS];
};

/* Values come from a struct data that data_find has filled. */
const struct strip *tables_strip(enum tables_column column);
/* Looks at all values once. */
void tables_lay_out(struct tables_layout *l, const struct data *d);
/* Writes all columns. 0 or the sink's error. */
int tables_put(const struct tables_layout *l, const struct data *d, const struct sink *out);

#endif
