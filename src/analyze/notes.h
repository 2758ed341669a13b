/* The sentences under a report: all that a reader must know not to be misled, and why a value is
 * missing. */
#ifndef ANALYZE_NOTES_H
#define ANALYZE_NOTES_H

#include "base/vec.h"
#include "model/model.h"

struct notes {
	VEC(char *) list; /* owned, sentences with full stop; the gravest first */
};

void notes_release(struct notes *n);
/* Adds what the trace itself gives reason for. 0 or ERR_NOMEM. */
int notes_find(struct notes *n, const struct model *m);
/* Adds one sentence, unless it is there. 0 or ERR_NOMEM. */
int notes_add(struct notes *n, const char *format, ...) MF_PRINTF(2, 3);

#endif
