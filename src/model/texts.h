/*
 * The strings of a trace. The file numbers them; equal strings get one number here, so that
 * numbers can be compared in place of texts. 0 is the empty text and everything unknown.
 */
#ifndef MODEL_TEXTS_H
#define MODEL_TEXTS_H

#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"

struct texts {
	struct intern table;
	struct map by_id; /* the file's id → number */
};

void texts_release(struct texts *t);
/* Notes that the file calls this text `id`. 1 where the id has another text already (kept), 0, or
 * ERR_NOMEM. */
int texts_define(struct texts *t, uint64_t id, struct slice text);
/* The number for a file's id: 0 with *known = false where it was never defined; id 0 is known and
 * 0. */
uint32_t texts_number(const struct texts *t, uint64_t id, bool *known);
/* The number of a text of our own making. 0: out of memory, or the empty text. */
uint32_t texts_add(struct texts *t, struct slice text);

static inline struct slice texts_get(const struct texts *t, uint32_t number)
{
	return intern_get(&t->table, number);
}

#endif
