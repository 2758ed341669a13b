#include "trace/ahead.h"

#include <signal.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"

/* -- A batch -- */

#define STEP(size) (((size) + 7) / 8 * 8)

/* Room that a record takes without the rest of the union. 0: no such kind, never in a batch. */
static const uint16_t steps[256] = {
#define RECORD(kind, name)                                                                         \
	[kind] = STEP(offsetof(struct record, name) + sizeof(struct record_##name)),
#include "trace/record.def"
#undef RECORD
};

/* Texts point into the reader's block, which does not live as long as a batch. */
static uint8_t *keep(struct slice *text, uint8_t *end)
{
	if (!text->len)
		return end;
	memcpy(end - text->len, text->at, text->len);
	text->at = end - text->len;
	return end - text->len;
}

static uint8_t *keep_texts(struct record *r, uint8_t *end)
{
	switch (r->kind) {
	case RECORD_string:
		return keep(&r->string.text, end);
	case RECORD_fact:
		return keep(&r->fact.value, keep(&r->fact.key, end));
	case RECORD_note:
		return keep(&r->note.text, end);
	default:
		return end;
	}
}

static void fill(struct ahead *a, struct ahead_batch *b)
{
	b->count = 0;
	if (!b->at)
		b->at = mem_alloc(a->room);
	if (!b->at) {
		b->got = diag_set(&a->diag, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
		return;
	}
	uint8_t *at = b->at, *end = b->at + a->room;
	while (end - at >= AHEAD_LEAST) {
		struct record *r = (void *)at;
		b->got = reader_next(a->reader, r, &a->diag);
		if (b->got <= 0)
			return;
		end = keep_texts(r, end);
		at += steps[r->kind];
		b->count++;
	}
}

/* -- The thread -- */

static uint64_t full(const struct ahead *a)
{
	return a->filled - a->emptied;
}

/* Waits until a batch is empty; where none is, until half of them are, for waking up costs time.
 * NULL: to stop. */
static struct ahead_batch *wait_empty(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	if (full(a) == AHEAD_BATCHES)
		while (full(a) > AHEAD_BATCHES / 2 && !a->stop)
			pthread_cond_wait(&a->moved, &a->lock);
	struct ahead_batch *b = a->stop ? NULL : &a->ring[a->filled % AHEAD_BATCHES];
	pthread_mutex_unlock(&a->lock);
	return b;
}

/* The thread waits for half of the batches, its user for the first one. */
static void count_up(struct ahead *a, uint64_t *count)
{
	pthread_mutex_lock(&a->lock);
	++*count;
	if (full(a) == AHEAD_BATCHES / 2 || full(a) == 1)
		pthread_cond_signal(&a->moved);
	pthread_mutex_unlock(&a->lock);
}

static void *run(void *arg)
{
	struct ahead *a = arg;
	struct ahead_batch *b;
	int got = 1;
	while (got > 0 && (b = wait_empty(a))) {
		fill(a, b);
		got = b->got; /* afterwards it is the user's */
		count_up(a, &a->filled);
	}
	return NULL;
}

/* Signals are for the program's own threads. */
static void start(struct ahead *a)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	a->threaded = pthread_create(&a->thread, NULL, run, a) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* -- Its user -- */

int ahead_init(struct ahead *a, struct reader *reader, size_t room)
{
	*a = (struct ahead){.reader = reader, .room = room};
	if (pthread_mutex_init(&a->lock, NULL))
		return ERR_IO;
	if (pthread_cond_init(&a->moved, NULL)) {
		pthread_mutex_destroy(&a->lock);
		return ERR_IO;
	}
	return ERR_NONE;
}

void ahead_release(struct ahead *a)
{
	if (a->threaded) {
		pthread_mutex_lock(&a->lock);
		a->stop = true;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->lock);
		pthread_join(a->thread, NULL);
	}
	for (size_t i = 0; i < AHEAD_BATCHES; i++)
		mem_free(a->ring[i].at);
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->lock);
}

static void wait_filled(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	while (a->filled == a->emptied)
		pthread_cond_wait(&a->moved, &a->lock);
	pthread_mutex_unlock(&a->lock);
}

/* Gives the batch at hand back, if there is one, and takes the next. */
static void turn(struct ahead *a)
{
	if (a->hand) {
		count_up(a, &a->emptied);
		if (!a->threaded)
			start(a);
	}
	struct ahead_batch *b = &a->ring[a->emptied % AHEAD_BATCHES];
	if (a->threaded) {
		wait_filled(a);
	} else {
		fill(a, b);
		a->filled++;
	}
	a->hand = b;
	a->next = b->at;
	a->left = b->count;
}

static int end(const struct ahead *a, struct diag *d)
{
	if (a->hand->got < 0 && d)
		*d = a->diag;
	return a->hand->got;
}

int ahead_next(struct ahead *a, const struct record **out, struct diag *d)
{
	while (!a->left) {
		if (a->hand && a->hand->got <= 0)
			return end(a, d);
		turn(a);
	}
	const struct record *r = (const void *)a->next;
	a->next += steps[r->kind];
	a->left--;
	*out = r;
	return 1;
}
