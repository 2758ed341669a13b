/*
 * Pieces of one size out of a bounded, mapped area, whose memory comes as pieces are first taken.
 * Any thread may take and give back at any time, without a lock: a list of the free ones by number,
 * with a count in its head that tells apart two heads of the same number.
 */
#ifndef EXACT_SLAB_H
#define EXACT_SLAB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct slab_link {
	_Atomic uint32_t next; /* the next free piece's number plus 1 */
};

struct slab {
	uint8_t *at;             /* owned */
	struct slab_link *below; /* of each free piece; owned */
	size_t size;             /* of a piece, bytes */
	uint32_t count;
	_Atomic uint64_t top;   /* changes (high half), number plus 1 of the first free piece */
	_Atomic uint32_t fresh; /* pieces from this one on were never taken */
	_Atomic uint32_t held;  /* taken now */
};

/* 0 or ERR_NOMEM. */
int slab_init(struct slab *s, size_t size, uint32_t count) MF_MUST_USE;
void slab_release(struct slab *s);
/* NULL: all are taken. Not cleared. */
void *slab_take(struct slab *s);
void slab_give(struct slab *s, void *piece);

/* All have been given, and nobody is at it: gives the memory back. */
void slab_clear(struct slab *s);

/* So many pieces have memory. */
static inline uint32_t slab_fresh(const struct slab *s)
{
	return atomic_load_explicit(&s->fresh, memory_order_relaxed);
}

static inline uint32_t slab_held(const struct slab *s)
{
	return atomic_load_explicit(&s->held, memory_order_relaxed);
}

#endif
