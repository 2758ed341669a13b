/*
 * A filter: `class=byte[]`, `site=*ByteBlockPool*`, `shape=long-lived`; all must hold. Globs know
 * * and ?; brackets are plain characters, because array classes have them.
 */
#ifndef ANALYZE_WHERE_H
#define ANALYZE_WHERE_H

#include <stdbool.h>

#include "analyze/label.h"
#include "base/diag.h"
#include "stat/shape.h"

enum { WHERE_MAX = 16, WHERE_TEXT = 256 };

enum where_key {
	WHERE_CLASS,
	WHERE_SITE,
	WHERE_METHOD,
	WHERE_PACKAGE,
	WHERE_THREAD,
	WHERE_STACK,
	WHERE_SHAPE
};

struct where {
	struct where_term {
		enum where_key key;
		char glob[2 * WHERE_TEXT]; /* as fnmatch reads it */
	} terms[WHERE_MAX];
	size_t count;
};

/* Adds one "key=glob". 0, ERR_FORMAT (no such key, no glob) or ERR_LIMIT, with a sentence. */
int where_add(struct where *w, const char *text, struct diag *d);
bool where_has(const struct where *w, enum where_key key);
/* Whether a site and thread pass all terms but those about the shape. `scratch` is overwritten; out
 * of memory shows in scratch->failed. */
bool where_account(const struct where *w, const struct model *m, uint32_t site, uint32_t thread,
	struct buf *scratch);
bool where_shape(const struct where *w, enum shape shape);

#endif
