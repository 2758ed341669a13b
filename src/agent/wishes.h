/* Wishes by class: copies with their own texts, in the order of their places. */
#ifndef AGENT_WISHES_H
#define AGENT_WISHES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/rewrite_class.h"

struct wishes {
	struct wish *at; /* owned, with their texts, but for opcode and why (rewrite_class.h) */
	size_t count;
};

/*
 * Copies those that are not refused: a class that the VM did not take once is not tried again. 0 or
 * ERR_NOMEM (then out is empty).
 */
int wishes_copy(struct wishes *out, const struct wish *from, size_t count);
void wishes_release(struct wishes *w);

/* Those for a class: a part of w, not to be released. */
struct wishes wishes_of(const struct wishes *w, const char *class_name);
/* Whether both want the same of the class. */
bool wishes_agree(const struct wishes *a, const struct wishes *b, const char *class_name);
/* What became of each in `to` that `from` has too is taken over. */
void wishes_follow(struct wish *to, size_t count, const struct wishes *from);

#endif
