/* Rows as lines of text: comma-separated values, or a JSON object each. */
#ifndef EXPORT_LINES_H
#define EXPORT_LINES_H

#include "export/digits.h"
#include "export/out.h"
#include "export/relation.h"

enum lines_form {
	LINES_CSV,  /* RFC 4180, but lines end with \n; a line of names first; not known: empty */
	LINES_JSON, /* not known: null */
};

struct lines {
	struct out *out; /* borrowed */
	enum lines_form form;
	struct digits_memo memo;
};

/* What comes before the rows of a relation. 0 or an error of the sink. */
int lines_head(struct lines *l, enum relation_id id);
struct rows lines_rows(struct lines *l);

#endif
