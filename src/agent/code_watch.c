#include "agent/code_watch.h"

#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"

int code_watch_init(
	struct code_watch *w, const struct code_blobs *blobs, const struct vm_methods *methods)
{
	*w = (struct code_watch){.blobs = blobs, .methods = methods, .count = 1};
	pthread_mutex_init(&w->lock, NULL);
	w->at = pages_map(CODE_PIECES * sizeof(*w->at));
	w->here = pages_map(CODE_PIECES * sizeof(*w->here));
	if (w->at && w->here)
		return ERR_NONE;
	code_watch_release(w);
	return ERR_NOMEM;
}

void code_watch_release(struct code_watch *w)
{
	pages_unmap(w->at, CODE_PIECES * sizeof(*w->at));
	pages_unmap(w->here, CODE_PIECES * sizeof(*w->here));
	w->at = NULL;
	w->here = NULL;
	pthread_mutex_destroy(&w->lock);
}

static uint32_t find(const struct code_watch *w, uint32_t at, const struct code_piece *p)
{
	for (; at; at = w->at[at].next) {
		const struct code_piece *is = &w->at[at];
		if (is->code == p->code && is->version == p->version && is->home == p->home &&
			is->is_method == p->is_method)
			break;
	}
	return at;
}

/* One that is nobody's. 0: there is none. */
static uint32_t fresh(struct code_watch *w)
{
	uint32_t piece = w->free;
	if (!piece)
		return w->count < CODE_PIECES ? w->count++ : 0;
	w->free = w->at[piece].next;
	return piece;
}

static uint32_t put(struct code_watch *w, uint32_t *head, const struct code_piece *p)
{
	uint32_t piece = fresh(w);
	if (!piece)
		return 0;
	w->at[piece] = *p;
	w->at[piece].next = *head;
	w->here[w->here_count++] = piece;
	return *head = piece;
}

static uint32_t *head_of(struct code_watch *w, const struct code_piece *p)
{
	return &w->heads[hash64_pair(p->code, p->version) % CODE_HEADS];
}

uint32_t code_watch_add(struct code_watch *w, const struct code_piece *p)
{
	uint32_t *head = head_of(w, p);
	pthread_mutex_lock(&w->lock);
	uint32_t piece = find(w, *head, p);
	if (!piece)
		piece = put(w, head, p);
	pthread_mutex_unlock(&w->lock);
	return piece;
}

/* A method's bytecodes can be read as long as the loader of its class lives. */
static unsigned what_went(
	const struct code_watch *w, const struct code_piece *p, const struct loaders *loaders)
{
	struct code_blob blob;
	if (!p->is_method)
		return code_blob_find(w->blobs, p->code, &blob) || blob.begin != p->code ||
				       blob.compilation != p->version
			       ? CODE_GONE
			       : 0;
	if (loaders && !loaders_alive(loaders, p->home))
		return CODE_GONE;
	return vm_method_version(w->methods, p->code) != p->version ? CODE_GONE | CODE_REDEFINED
								    : 0;
}

/* What lies anywhere is asked for so many pieces early. */
static void look_ahead(const struct code_watch *w, uint32_t i)
{
	enum { AHEAD = 8 };
	if (i + 2 * AHEAD < w->here_count)
		__builtin_prefetch(&w->at[w->here[i + 2 * AHEAD]]);
	if (i + AHEAD < w->here_count)
		__builtin_prefetch(
			(const void *)(w->at[w->here[i + AHEAD]].code - w->methods->header));
}

/* It is not found any more. */
static void let_go(struct code_watch *w, uint32_t piece)
{
	uint32_t *link = head_of(w, &w->at[piece]);
	while (*link != piece)
		link = &w->at[*link].next;
	*link = w->at[piece].next;
	w->at[piece].next = w->went;
	w->went = piece;
}

/* Those that went before: no site has them any more. */
static void free_gone(struct code_watch *w)
{
	for (uint32_t piece = w->went, next; piece; piece = next) {
		next = w->at[piece].next;
		w->at[piece].next = w->free;
		w->free = piece;
	}
	w->went = 0;
}

unsigned code_watch_look(struct code_watch *w, const struct loaders *loaders)
{
	unsigned all = 0;
	uint32_t left = 0;
	free_gone(w);
	for (uint32_t i = 0; i < w->here_count; i++) {
		uint32_t piece = w->here[i];
		look_ahead(w, i);
		unsigned went = what_went(w, &w->at[piece], loaders);
		w->at[piece].gone = went != 0;
		all |= went;
		if (went)
			let_go(w, piece);
		else
			w->here[left++] = piece;
	}
	w->here_count = left;
	return all;
}
