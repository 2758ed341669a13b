/*
 * The pieces of code that the exact engine's sites stand in, compiled methods and methods'
 * bytecodes, each once: after a collection they are looked at, a few thousand, instead of the sites
 * in them, of which there are a hundred times as many.
 *
 * Threads add under the lock; all else is done while the program stands.
 */
#ifndef AGENT_CODE_WATCH_H
#define AGENT_CODE_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/loaders.h"
#include "exact/site_table.h"
#include "exact/unloading.h"
#include "hotspot/code_blobs.h"
#include "hotspot/methods.h"

enum { CODE_PIECES = SITES_MAX, CODE_HEADS = 1 << 12 };

struct code_piece {
	uintptr_t code;   /* where it begins */
	uintptr_t home;   /* of a method's: the loader of its class (exact/loaders.h) */
	uint32_t version; /* the compilation, or of a method; not 0 */
	bool is_method;   /* bytecodes, else compiled */
	bool gone;        /* other code stands there, or none */
	uint32_t next;    /* of one hash, of those that went, or of nobody's; 0: no more */
};

struct code_watch {
	const struct code_blobs *blobs; /* borrowed, as these: */
	const struct vm_methods *methods;
	pthread_mutex_t lock;
	struct code_piece *at;      /* [CODE_PIECES]; 0 is none; owned */
	uint32_t *here;             /* [CODE_PIECES]: those that are not gone; owned */
	uint32_t count, here_count; /* numbers ever given; of them here */
	uint32_t went, free;        /* the first that went at the last look, and of nobody's */
	uint32_t heads[CODE_HEADS];
};

/* 0 or ERR_NOMEM. */
int code_watch_init(
	struct code_watch *w, const struct code_blobs *blobs, const struct vm_methods *methods);
void code_watch_release(struct code_watch *w);

/* The number of the piece, which stands there now; of `p` the first four count. 0: no room. */
uint32_t code_watch_add(struct code_watch *w, const struct code_piece *p);
/* While the program stands: which pieces went since it was asked last (enum code_gone); sites in
 * them are to be retired before it goes on, since by the next look their numbers are others'.
 * loaders: those that are alive, where some may have gone; else NULL. */
unsigned code_watch_look(struct code_watch *w, const struct loaders *loaders);

static inline bool code_watch_gone(const struct code_watch *w, uint32_t piece)
{
	return w->at[piece].gone;
}

#endif
