#include "agent/live.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/mem.h"

enum state { SLOT_FREE, SLOT_LIVE, SLOT_EVICTING };

static _Atomic uint64_t turns;

int live_init(struct live *l, uint32_t room, uint64_t seed)
{
	*l = (struct live){.room = room, .next_object = 1, .rng = rng_init(seed)};
	l->slots = mem_zalloc(room, sizeof(*l->slots));
	l->free = mem_alloc(room * sizeof(*l->free));
	if (!l->slots || !l->free) {
		live_release(l);
		return ERR_NOMEM;
	}
	for (uint32_t i = 0; i < room; i++)
		l->free[i] = room - 1 - i;
	l->free_count = room;
	return ERR_NONE;
}

void live_release(struct live *l)
{
	mem_free(l->slots);
	mem_free(l->free);
	*l = (struct live){0};
}

bool live_is_full(const struct live *l)
{
	return l->free_count == 0;
}

bool live_is_tight(const struct live *l)
{
	uint32_t margin = l->room / 8 < LIVE_BATCH / 2 ? l->room / 8 : LIVE_BATCH / 2;
	return l->free_count <= margin;
}

static int64_t tag_of(const struct live *l, uint32_t slot)
{
	return (int64_t)((uint64_t)l->slots[slot].turn << LIVE_SLOT_BITS | (slot + 1));
}

uint32_t live_tags(const struct live *l, uint32_t *from, int64_t *tags)
{
	uint32_t count = 0;
	for (; *from < l->room && count < LIVE_BATCH; ++*from)
		if (l->slots[*from].state != SLOT_FREE)
			tags[count++] = tag_of(l, *from);
	return count;
}

/* The slot that the tag names, in whatever state, or NULL for a tag from an earlier turn. */
static struct live_slot *slot_of(const struct live *l, int64_t tag)
{
	uint64_t slot = ((uint64_t)tag & ((1u << LIVE_SLOT_BITS) - 1)) - 1;
	if (tag <= 0 || slot >= l->room)
		return NULL;
	return l->slots[slot].turn == (uint64_t)tag >> LIVE_SLOT_BITS ? &l->slots[slot] : NULL;
}

bool live_follows(const struct live *l, int64_t tag)
{
	const struct live_slot *s = slot_of(l, tag);
	return s && s->state != SLOT_FREE;
}

static void release_slot(struct live *l, struct live_slot *s)
{
	s->state = SLOT_FREE;
	l->free[l->free_count++] = (uint32_t)(s - l->slots);
}

int64_t live_add(struct live *l, struct object_id *object)
{
	uint32_t slot = l->free[--l->free_count];
	struct live_slot *s = &l->slots[slot];
	uint64_t turn = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed) + 1;
	s->turn = turn & ((1ull << LIVE_TURN_BITS) - 1);
	s->state = SLOT_LIVE;
	s->object = l->next_object++;
	l->count++;
	object->v = s->object;
	return tag_of(l, slot);
}

bool live_remove(struct live *l, int64_t tag, struct object_id *object)
{
	struct live_slot *s = slot_of(l, tag);
	if (!s || s->state == SLOT_FREE)
		return false;
	object->v = s->object;
	l->count -= s->state == SLOT_LIVE; /* one on its way out is counted no more */
	release_slot(l, s);
	return true;
}

uint32_t live_choose(struct live *l, int64_t *tags, struct object_id *objects)
{
	uint32_t want = l->count / 8 < LIVE_BATCH ? (l->count + 7) / 8 : LIVE_BATCH;
	uint32_t got = 0;
	/* Called when the table is nearly full, so that most tries hit; the bound is for when it is
	 * not. */
	for (uint32_t tries = 0; got < want && tries < 64 * LIVE_BATCH; tries++) {
		uint32_t slot = (uint32_t)rng_below(&l->rng, l->room);
		struct live_slot *s = &l->slots[slot];
		if (s->state != SLOT_LIVE)
			continue;
		s->state = SLOT_EVICTING;
		l->count--;
		tags[got] = tag_of(l, slot);
		objects[got++].v = s->object;
	}
	return got;
}

static struct live_slot *leaving(const struct live *l, int64_t tag)
{
	struct live_slot *s = slot_of(l, tag);
	return s && s->state == SLOT_EVICTING ? s : NULL;
}

bool live_evicted(struct live *l, int64_t tag, struct object_id *object)
{
	struct live_slot *s = leaving(l, tag);
	if (!s)
		return false;
	object->v = s->object;
	release_slot(l, s);
	return true;
}

void live_keep(struct live *l, int64_t tag)
{
	struct live_slot *s = leaving(l, tag);
	if (!s)
		return;
	s->state = SLOT_LIVE;
	l->count++;
}
