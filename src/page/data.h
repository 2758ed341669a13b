/* The data of one trace in a page, as bytes: doc/page-data.md. */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include "analyze/context.h"
#include "analyze/notes.h"
#include "page/collect.h"
#include "page/gc_pick.h"
#include "page/used.h"
#include "trace/sink.h"

/* A document of another command, to be put into the page's under this key. */
struct data_part {
	const char *key;
	struct slice json; /* one value; empty: left out */
};

struct data {
	/* Set before data_find; all borrowed. */
	const struct model *model;
	const struct collect *collect; /* settled */
	struct notes *notes;           /* of the report; data_find adds what was left out */
	const char *file;              /* as the user named it */
	const struct data_part *parts;
	size_t part_count;
	/* Filled by data_find, owned. */
	struct contexts rows;  /* of the report, in no order; `of` is by account */
	VEC(uint32_t) callers; /* of the application, by row: frames; 0 none */
	struct gc_pick gcs;
	struct used used;
};

/* Makes rows and numbers. 0 or ERR_NOMEM (then nothing is held). */
int data_find(struct data *d, size_t gcs);
void data_release(struct data *d);
/* Writes it. 0, ERR_NOMEM, ERR_LIMIT (4 GiB of texts) or the sink's error. */
int data_put(const struct data *d, const struct sink *out);

#endif
