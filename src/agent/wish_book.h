/*
 * The wishes that are in force, and what became of them in the classes of each loader: one book for
 * the thread that applies, which alone changes what is wished, and for all threads in which classes
 * come by. Its lock is never held across a call into the VM, nor while another is taken.
 */
#ifndef AGENT_WISH_BOOK_H
#define AGENT_WISH_BOOK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/judgements.h"
#include "agent/sought_methods.h"
#include "agent/wishes.h"

struct wish_book {
	pthread_mutex_t lock; /* protects both */
	struct wishes wishes, answers;
};

/* From now on these are wished, and no others; they go over to the book. What was before, to be
 * released. */
struct wishes wish_book_exchange(struct wish_book *b, struct wishes wishes);
/* What became of wishes is forgotten. */
void wish_book_forget(struct wish_book *b);

/* A copy of the wishes for that class, so that they can be granted without the lock; none without
 * the memory. */
struct wishes wish_book_own(struct wish_book *b, const char *name, int32_t loader);
/* What became of them: they go over to the book. Without the memory nobody knows. */
void wish_book_answer(struct wish_book *b, const char *name, int32_t loader, struct wishes *own);
/* The class stays what it was: its wishes are refused, and are not tried again. why: static. */
void wish_book_refuse(struct wish_book *b, const char *name, int32_t loader, const char *why);
/* For the code that stands at a place; the lock is not held. */
typedef void wish_see(void *arg, struct wish *w);
/* What is done of the class stays, and what is not is refused, and seen where nothing is done: then
 * its code is as it was. Whether anything is done. */
bool wish_book_leave(struct wish_book *b, const char *name, int32_t loader, const char *why,
	wish_see *see, void *arg);

/* Whether anything is wished of classes of that name. */
bool wish_book_wants(struct wish_book *b, const char *name);
/* Whether anything is wished of the class of which it is not known what became. */
bool wish_book_misses(struct wish_book *b, const char *name, int32_t loader);
/* Whether anything is done in the class; in any class of that name. */
bool wish_book_done(struct wish_book *b, const char *name, int32_t loader);
bool wish_book_done_anywhere(struct wish_book *b, const char *name);
/* What has become of them by now. */
void wish_book_look(struct wish_book *b, struct wish *wishes, size_t count);
/* The methods of those that have none, in the class of a loader in which they are done; `of` is
 * their index. list: with room for all. How many. */
size_t wish_book_sought(
	struct wish_book *b, const struct wish *wishes, size_t count, struct sought_method *list);

/* Whether any wish came late (wish_came_late) in classes of that name; NULL: in any. */
bool wish_book_late(struct wish_book *b, const char *name);
bool wish_book_late_in(struct wish_book *b, const char *name, int32_t loader);
/* Whether what came late there would be another than it is by what is judged of the constructors of
 * class k. Where none of those is quiet it is not late any more. */
bool wish_book_gains(struct wish_book *b, const struct judgements *judged, jclass k,
	const char *name, int32_t loader);
/* All that came late were looked for once more; those of the loader's class. */
void wish_book_asked(struct wish_book *b);
void wish_book_asked_in(struct wish_book *b, const char *name, int32_t loader);

#endif
