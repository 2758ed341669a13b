/*
 * Wishes by class: copies with their own texts, in the order of their places; and what became of
 * them, class by class: a wish may be granted in the class of one loader and not in that of
 * another.
 */
#ifndef AGENT_WISHES_H
#define AGENT_WISHES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/rewrite_class.h"

/* Times that constructors of a class are looked for; not for ever where it is not there. */
enum { WISH_ASKED_MOST = 8 };
/* Whether a constructor finishes what it makes: of a call that is not known before. */
bool wish_constructs(const struct wish *w);
/* Whether it was done on its way in, when nothing was known of the class that it names, and is
 * worth another look. */
bool wish_came_late(const struct wish *w);

struct wishes {
	struct wish *at; /* owned; their texts belong to all copies of them, but for opcode and why
			    (rewrite_class.h); in any thread */
	size_t count;
};

/*
 * Copies those that are not refused: a class that the VM did not take once is not tried again. 0 or
 * ERR_NOMEM (then out is empty).
 */
int wishes_copy(struct wishes *out, const struct wish *from, size_t count);
void wishes_release(struct wishes *w);

/* Those for classes of that name: a part of w, not to be released. */
struct wishes wishes_of(const struct wishes *w, const char *class_name);
/* Whether both want the same of the loader's class. */
bool wishes_agree(
	const struct wishes *a, const struct wishes *b, const char *class_name, int32_t loader);

/* What became of wishes: each of one loader, and none waits. */
/* In all; of classes of one name: as many as a file may say. */
enum { ANSWERS_MOST = 8192, ANSWERS_OF_NAME = 4096 };
/*
 * A copy of what is wished of the loader's class, each place once, as wishes of that loader; not
 * those that were refused there, nor, where there is no room for more answers, those of which
 * nothing is known: what is done has to be found again. 0 or ERR_NOMEM (then out is empty).
 */
int wishes_for(struct wishes *out, const struct wishes *w, const struct wishes *answers,
	const char *class_name, int32_t loader);
/* Whether anything is wished of the loader's class of which it is not known what became, and can
 * be.
 */
bool wishes_unanswered(const struct wishes *w, const struct wishes *answers, const char *class_name,
	int32_t loader);
/* What became of them replaces what was known of that class; the texts go over to the answers. 0 or
 * ERR_NOMEM (then it is not known). Where there is no room none are added. */
int wishes_answer(
	struct wishes *answers, const char *class_name, int32_t loader, struct wishes *outcome);
/* Whether anything is done in the loader's class. */
bool wishes_any_done(const struct wishes *answers, const char *class_name, int32_t loader);
/* Whether anything there came late (wish_came_late). */
bool wishes_any_late(const struct wishes *answers, const char *class_name, int32_t loader);
/* What came late there was looked for once more. */
void wishes_asked(const struct wishes *answers, const char *class_name, int32_t loader);
/* What became of it: where it is done anywhere, that; NULL: not known. */
const struct wish *wishes_at(const struct wishes *answers, const struct wish *w);
/* What became of each in `to`: it is done if it is done anywhere, and plain if it is so wherever it
 * is done. */
void wishes_look(struct wish *to, size_t count, const struct wishes *answers);
/* The loader of a class in which it is done; false: in none. */
bool wishes_done_in(const struct wishes *answers, const struct wish *w, int32_t *loader);

#endif
