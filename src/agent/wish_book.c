#include "agent/wish_book.h"

struct wishes wish_book_exchange(struct wish_book *b, struct wishes wishes)
{
	pthread_mutex_lock(&b->lock);
	struct wishes before = b->wishes;
	b->wishes = wishes;
	pthread_mutex_unlock(&b->lock);
	return before;
}

void wish_book_forget(struct wish_book *b)
{
	pthread_mutex_lock(&b->lock);
	wishes_release(&b->answers);
	pthread_mutex_unlock(&b->lock);
}

struct wishes wish_book_own(struct wish_book *b, const char *name, int32_t loader)
{
	struct wishes own;
	pthread_mutex_lock(&b->lock);
	(void)!wishes_for(&own, &b->wishes, &b->answers, name, loader); /* or none */
	pthread_mutex_unlock(&b->lock);
	return own;
}

void wish_book_answer(struct wish_book *b, const char *name, int32_t loader, struct wishes *own)
{
	pthread_mutex_lock(&b->lock);
	(void)!wishes_answer(&b->answers, name, loader, own); /* or nobody knows */
	pthread_mutex_unlock(&b->lock);
	wishes_release(own);
}

static void refuse(struct wish *w, const char *why)
{
	w->state = WISH_REFUSED;
	w->why = why;
}

void wish_book_refuse(struct wish_book *b, const char *name, int32_t loader, const char *why)
{
	struct wishes own = wish_book_own(b, name, loader);
	for (size_t i = 0; i < own.count; i++)
		refuse(&own.at[i], why);
	wish_book_answer(b, name, loader, &own);
}

static void leave(struct wish *w, const char *why, wish_see *see, void *arg)
{
	refuse(w, why);
	if (see)
		see(arg, w);
}

bool wish_book_leave(struct wish_book *b, const char *name, int32_t loader, const char *why,
	wish_see *see, void *arg)
{
	struct wishes own = wish_book_own(b, name, loader);
	pthread_mutex_lock(&b->lock);
	wishes_look(own.at, own.count, &b->answers);
	bool done = wishes_any_done(&b->answers, name, loader);
	pthread_mutex_unlock(&b->lock);
	for (size_t i = 0; i < own.count; i++)
		if (own.at[i].state == WISH_WAITS)
			leave(&own.at[i], why, done ? NULL : see, arg);
	wish_book_answer(b, name, loader, &own);
	return done;
}

bool wish_book_wants(struct wish_book *b, const char *name)
{
	pthread_mutex_lock(&b->lock);
	bool wants = wishes_of(&b->wishes, name).count;
	pthread_mutex_unlock(&b->lock);
	return wants;
}

bool wish_book_misses(struct wish_book *b, const char *name, int32_t loader)
{
	pthread_mutex_lock(&b->lock);
	bool misses = wishes_unanswered(&b->wishes, &b->answers, name, loader);
	pthread_mutex_unlock(&b->lock);
	return misses;
}

bool wish_book_done(struct wish_book *b, const char *name, int32_t loader)
{
	pthread_mutex_lock(&b->lock);
	bool done = wishes_any_done(&b->answers, name, loader);
	pthread_mutex_unlock(&b->lock);
	return done;
}

bool wish_book_done_anywhere(struct wish_book *b, const char *name)
{
	bool done = false;
	pthread_mutex_lock(&b->lock);
	struct wishes of = wishes_of(&b->answers, name);
	for (size_t i = 0; i < of.count && !done; i++)
		done = of.at[i].state == WISH_DONE;
	pthread_mutex_unlock(&b->lock);
	return done;
}

void wish_book_look(struct wish_book *b, struct wish *wishes, size_t count)
{
	pthread_mutex_lock(&b->lock);
	wishes_look(wishes, count, &b->answers);
	pthread_mutex_unlock(&b->lock);
}

size_t wish_book_sought(
	struct wish_book *b, const struct wish *wishes, size_t count, struct sought_method *list)
{
	size_t sought = 0;
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < count; i++) {
		const struct wish *w = &wishes[i];
		struct sought_method m = {w->class_name, w->method, w->descriptor, .of = i};
		m.one_loader = wishes_done_in(&b->answers, w, &m.loader);
		if (!w->vm_method && m.one_loader)
			list[sought++] = m;
	}
	pthread_mutex_unlock(&b->lock);
	return sought;
}

bool wish_book_late(struct wish_book *b, const char *name)
{
	bool late = false;
	pthread_mutex_lock(&b->lock);
	struct wishes of = name ? wishes_of(&b->answers, name) : b->answers;
	for (size_t i = 0; i < of.count && !late; i++)
		late = wish_came_late(&of.at[i]);
	pthread_mutex_unlock(&b->lock);
	return late;
}

/* What is known now of the constructors at that answer; NULL: nothing. */
static const struct judgement *judged_at(
	const struct judgements *judged, jclass k, int32_t loader, const struct wish *answer)
{
	const struct judgement *j = answer->loader == loader && wish_came_late(answer)
					    ? judgements_find(judged, k, answer->allocates)
					    : NULL;
	return j && j->quiet ? j : NULL;
}

bool wish_book_gains(struct wish_book *b, const struct judgements *judged, jclass k,
	const char *name, int32_t loader)
{
	bool gains = false;
	pthread_mutex_lock(&b->lock);
	struct wishes of = wishes_of(&b->answers, name);
	for (size_t i = 0; i < of.count; i++) {
		const struct judgement *j = judged_at(judged, k, loader, &of.at[i]);
		if (j && *j->quiet)
			gains = true;
		else if (j)
			of.at[i].asked = WISH_ASKED_MOST;
	}
	pthread_mutex_unlock(&b->lock);
	return gains;
}

bool wish_book_late_in(struct wish_book *b, const char *name, int32_t loader)
{
	pthread_mutex_lock(&b->lock);
	bool late = wishes_any_late(&b->answers, name, loader);
	pthread_mutex_unlock(&b->lock);
	return late;
}

void wish_book_asked_in(struct wish_book *b, const char *name, int32_t loader)
{
	pthread_mutex_lock(&b->lock);
	wishes_asked(&b->answers, name, loader);
	pthread_mutex_unlock(&b->lock);
}

void wish_book_asked(struct wish_book *b)
{
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->answers.count; i++)
		b->answers.at[i].asked += wish_came_late(&b->answers.at[i]);
	pthread_mutex_unlock(&b->lock);
}
