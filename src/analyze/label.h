/* What a report calls a place: the text of a class, line, method, package or thread. */
#ifndef ANALYZE_LABEL_H
#define ANALYZE_LABEL_H

#include <stdint.h>

#include "base/buf.h"
#include "model/model.h"

enum by {
#define BY(name, word, key, plural) BY_##name,
#include "analyze/by.def"
#undef BY
	BY_COUNT
};

struct by_row {
	const char *word;   /* of --by */
	const char *key;    /* of a row's label in JSON; NULL: frames tell */
	const char *plural; /* what rows are called */
};
const struct by_row *by_row(enum by by);

/* Appends "com.acme.Order.flush:88" for a frame; "com.acme.Order.flush" without a line; "(no
 * stack)" for frame 0. */
void label_frame(struct buf *out, const struct model *m, uint32_t frame);
/* Appends the label of a site and thread under a grouping; BY_SITE: its allocating line. Never
 * nothing: "(unknown)". */
void label_put(struct buf *out, const struct model *m, uint32_t site, uint32_t thread, enum by by);

#endif
