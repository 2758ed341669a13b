#include "exact/chunk_pool.h"

#include <stddef.h>

#include "base/error.h"

int chunk_pool_init(struct chunk_pool *p, uint32_t chunks, uint32_t reserve, uint32_t words)
{
	*p = (struct chunk_pool){.words = words, .reserve = reserve, .bound = chunks};
	size_t size = offsetof(struct chunk, words) + words * sizeof(uint32_t);
	return slab_init(&p->slab, (size + 7) & ~(size_t)7, chunks);
}

void chunk_pool_grow(struct chunk_pool *p, uint64_t bytes)
{
	uint64_t more = bytes / p->slab.size, most = slab_fresh(&p->slab) + more;
	atomic_store(&p->bound, most < p->slab.count ? (uint32_t)most : p->slab.count);
}

void chunk_pool_clear(struct chunk_pool *p)
{
	if (slab_fresh(&p->slab) && !slab_held(&p->slab))
		slab_clear(&p->slab);
}

void chunk_pool_release(struct chunk_pool *p)
{
	slab_release(&p->slab);
	atomic_store(&p->ready, NULL);
}

static struct chunk *take(struct chunk_pool *p, uint32_t flags, enum event_kind kind, uint64_t base)
{
	struct chunk *c = slab_take(&p->slab);
	if (c)
		*c = (struct chunk){.flags = flags, .kind = kind, .base = base};
	return c;
}

struct chunk *chunk_pool_take_births(struct chunk_pool *p, uint64_t base)
{
	struct chunk *c = NULL;
	uint32_t held = slab_held(&p->slab);
	if (atomic_load_explicit(&p->lost, memory_order_relaxed))
		return NULL;
	if (held < atomic_load_explicit(&p->bound, memory_order_relaxed) &&
		held + p->reserve < p->slab.count)
		c = take(p, 0, EVENT_BIRTHS, base);
	if (!c)
		atomic_store_explicit(&p->lost, true, memory_order_relaxed);
	return c;
}

struct chunk *chunk_pool_take_gc(struct chunk_pool *p, enum event_kind kind, uint64_t base)
{
	return take(p, EVENTS_OF_GC | EVENTS_CLOSED, kind, base);
}

void chunk_pool_give(struct chunk_pool *p, struct chunk *list)
{
	for (struct chunk *next; list; list = next) {
		next = list->next;
		slab_give(&p->slab, list);
	}
}

void chunk_pool_hand(struct chunk_pool *p, struct chunk *list)
{
	for (struct chunk *next; list; list = next) {
		next = list->next;
		list->next = atomic_load_explicit(&p->ready, memory_order_relaxed);
		while (!atomic_compare_exchange_weak_explicit(
			&p->ready, &list->next, list, memory_order_release, memory_order_relaxed)) {
		}
	}
}

struct chunk *chunk_pool_ready(struct chunk_pool *p)
{
	struct chunk *last = atomic_exchange_explicit(&p->ready, NULL, memory_order_acquire);
	struct chunk *first = NULL;
	for (struct chunk *next; last; last = next) {
		next = last->next;
		last->next = first;
		first = last;
	}
	return first;
}
