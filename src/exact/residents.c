#include "exact/residents.h"

#include <sched.h>

#include "base/error.h"
#include "exact/pages.h"

enum { SPINS = 64 };

int residents_init(struct residents *r, uint64_t most, size_t regions, uintptr_t base)
{
	*r = (struct residents){.room = regions, .base = base};
	uint64_t blocks = (most + RESIDENT_BLOCK - 1) / RESIDENT_BLOCK;
	if (blocks >= UINT32_MAX)
		return ERR_NOMEM;
	int err = slab_init(&r->blocks, sizeof(struct resident_block), (uint32_t)blocks);
	if (err)
		return err;
	r->regions = pages_map(regions * sizeof(*r->regions));
	if (!r->regions)
		slab_release(&r->blocks);
	return r->regions ? ERR_NONE : ERR_NOMEM;
}

void residents_release(struct residents *r)
{
	pages_unmap(r->regions, r->room * sizeof(*r->regions));
	slab_release(&r->blocks);
	*r = (struct residents){.room = 0};
}

static void lock(struct resident_list *l)
{
	for (int spins = 0; atomic_exchange_explicit(&l->locked, true, memory_order_acquire);
		spins++)
		if (spins >= SPINS)
			sched_yield();
}

static void unlock(struct resident_list *l)
{
	atomic_store_explicit(&l->locked, false, memory_order_release);
}

struct resident_block *resident_list_take(struct resident_list *l)
{
	lock(l);
	struct resident_block *b = l->first;
	if (b)
		l->first = b->next;
	unlock(l);
	return b;
}

/* The region's block that has room, or a fresh one; in no list then. NULL: there is no more. */
static struct resident_block *take_block(struct residents *r, struct resident_list *l)
{
	lock(l);
	struct resident_block *b = l->first;
	bool open = b && b->used < RESIDENT_BLOCK;
	if (open)
		l->first = b->next;
	unlock(l);
	if (open)
		return b;
	b = slab_take(&r->blocks);
	if (b)
		b->used = 0;
	return b;
}

/* As many as find room. */
static void move(struct resident_block *to, struct resident_block *from)
{
	while (from->used && to->used < RESIDENT_BLOCK)
		to->at[to->used++] = from->at[--from->used];
}

/* Another thread's, that has room too, is filled up first: else each would leave some unused. */
static void put_block(struct residents *r, struct resident_list *l, struct resident_block *b)
{
	lock(l);
	struct resident_block *first = l->first;
	if (first && first->used < RESIDENT_BLOCK)
		move(first, b);
	bool empty = !b->used; /* once it is in the list it is others' */
	if (!empty) {
		b->next = first;
		l->first = b;
	}
	unlock(l);
	if (empty)
		slab_give(&r->blocks, b);
}

static void put_back(struct residents *r, struct resident_pen *p, size_t i)
{
	if (p->at[i])
		put_block(r, &r->regions[p->of[i]], p->at[i]);
	p->at[i] = NULL;
}

/* The pen's block of the region; NULL: there is no more. */
static struct resident_block *block_of(struct residents *r, struct resident_pen *p, size_t region)
{
	size_t i = region & (RESIDENT_PEN_BLOCKS - 1);
	if (p->at[i] && p->of[i] == region && p->at[i]->used < RESIDENT_BLOCK)
		return p->at[i];
	put_back(r, p, i);
	p->of[i] = region;
	return p->at[i] = take_block(r, &r->regions[region]);
}

bool residents_add(
	struct residents *r, struct resident_pen *p, size_t region, const struct resident *o)
{
	uint64_t distance = o->address - r->base;
	if (region >= r->room || distance >> RESIDENT_SPAN_BITS)
		return false;
	struct resident_block *b = block_of(r, p, region);
	if (b)
		b->at[b->used++] = (distance >> 3) << 28 | (uint64_t)o->site << 8 | o->survived;
	return b != NULL;
}

void residents_rest(struct residents *r, struct resident_pen *p)
{
	for (size_t i = 0; i < RESIDENT_PEN_BLOCKS; i++)
		put_back(r, p, i);
}

struct resident_block *residents_detach(struct residents *r, size_t region)
{
	if (region >= r->room)
		return NULL;
	struct resident_block *b = r->regions[region].first;
	r->regions[region].first = NULL;
	return b;
}

void residents_give(struct residents *r, struct resident_block *b)
{
	slab_give(&r->blocks, b);
}

void residents_clear(struct residents *r)
{
	for (size_t i = 0; i < r->room; i++)
		for (struct resident_block *b = residents_detach(r, i), *next; b; b = next) {
			next = b->next;
			residents_give(r, b);
		}
}

uint64_t residents_count(const struct residents *r)
{
	uint64_t count = 0;
	for (size_t i = 0; i < r->room; i++)
		for (const struct resident_block *b = r->regions[i].first; b; b = b->next)
			count += b->used;
	return count;
}
