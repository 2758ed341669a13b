#include "exact/slab.h"

#include "base/error.h"
#include "exact/pages.h"

int slab_init(struct slab *s, size_t size, uint32_t count)
{
	*s = (struct slab){.size = size, .count = count};
	s->at = pages_map(size * count);
	s->below = pages_map(count * sizeof(*s->below));
	if (s->at && s->below)
		return ERR_NONE;
	slab_release(s);
	return ERR_NOMEM;
}

void slab_release(struct slab *s)
{
	pages_unmap(s->at, s->size * s->count);
	pages_unmap(s->below, s->count * sizeof(*s->below));
	*s = (struct slab){.size = s->size};
}

void slab_clear(struct slab *s)
{
	pages_clear(s->at, s->size * s->count);
	pages_clear(s->below, s->count * sizeof(*s->below));
	atomic_store(&s->top, 0);
	atomic_store(&s->fresh, 0);
}

static void *take_fresh(struct slab *s)
{
	uint32_t i = atomic_load_explicit(&s->fresh, memory_order_relaxed);
	while (i < s->count)
		if (atomic_compare_exchange_weak(&s->fresh, &i, i + 1))
			return s->at + i * s->size;
	return NULL;
}

static uint64_t head(uint64_t before, uint32_t piece)
{
	return ((before >> 32) + 1) << 32 | piece;
}

static void *take_free(struct slab *s)
{
	uint64_t top = atomic_load_explicit(&s->top, memory_order_acquire);
	while ((uint32_t)top) {
		uint32_t i = (uint32_t)top - 1;
		uint32_t next = atomic_load_explicit(&s->below[i].next, memory_order_relaxed);
		if (atomic_compare_exchange_weak(&s->top, &top, head(top, next)))
			return s->at + i * s->size;
	}
	return NULL;
}

void *slab_take(struct slab *s)
{
	void *piece = take_free(s);
	if (!piece)
		piece = take_fresh(s);
	if (!piece) /* one may have come back in between */
		piece = take_free(s);
	if (piece)
		atomic_fetch_add_explicit(&s->held, 1, memory_order_relaxed);
	return piece;
}

void slab_give(struct slab *s, void *piece)
{
	uint32_t i = (uint32_t)((size_t)((uint8_t *)piece - s->at) / s->size);
	uint64_t top = atomic_load_explicit(&s->top, memory_order_relaxed);
	atomic_fetch_sub_explicit(&s->held, 1, memory_order_relaxed);
	do
		atomic_store_explicit(&s->below[i].next, (uint32_t)top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&s->top, &top, head(top, i + 1), memory_order_release, memory_order_relaxed));
}
