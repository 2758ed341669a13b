#include "exact/birth_jumps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "exact/shape.h"

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Whether that changed anything. Under the lock. */
static bool choose(struct births *b, struct exact_site *s)
{
	bool jumps = s->place && b->jumping_count &&
		     bsearch(&s->place, b->jumping, b->jumping_count, sizeof(s->place), by_number);
	if (jumps == s->jumps)
		return false;
	s->jumps = jumps;
	uint16_t door = s->door;
	if (door && jumps)
		birth_door_shut((uint16_t)(door - 1));
	atomic_store(&b->turns, true);
	return true;
}

/* Sites of now; none before births_open. */
static uint32_t sites_end(const struct births *b)
{
	return b->sites.at ? atomic_load_explicit(&b->sites.count, memory_order_acquire) : 0;
}

static void turn_slots(const struct births *b, struct birth_slots *s)
{
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++) {
			struct birth_slot *slot = &s->sets[s->used[i]][way];
			uint32_t word = slot->site, id = word & SITE_MASK;
			bool jumps = id && b->sites.at[id].jumps;
			if (jumps != ((word & SHAPE_JUMPS) != 0))
				slot->site = word ^ SHAPE_JUMPS;
		}
}

/* Under the lock: a thread moves its slots with it. */
static void turn(struct births *b)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		turn_slots(b, &t->slots);
		if (t->walks)
			turn_slots(b, &t->walks->slots);
	}
}

int births_jump(struct births *b, const uint64_t *places, size_t count)
{
	uint64_t *copy = count ? mem_alloc(count * sizeof(*copy)) : NULL;
	if (count && !copy)
		return ERR_NOMEM;
	if (count) {
		memcpy(copy, places, count * sizeof(*copy));
		qsort(copy, count, sizeof(*copy), by_number);
	}
	pthread_mutex_lock(&b->lock);
	uint64_t *old = b->jumping;
	b->jumping = copy;
	b->jumping_count = count;
	bool turns = false;
	for (uint32_t i = b->sites.first; i < sites_end(b); i++)
		turns = choose(b, &b->sites.at[i]) || turns;
	if (turns)
		turn(b);
	pthread_mutex_unlock(&b->lock);
	mem_free(old);
	return ERR_NONE;
}

void births_place(struct births *b, uint32_t site, uint64_t named, uint64_t place)
{
	if (site <= SITE_OTHER)
		return;
	pthread_mutex_lock(&b->lock);
	b->sites.at[site].named = named;
	b->sites.at[site].place = place;
	if (choose(b, &b->sites.at[site]))
		turn(b);
	pthread_mutex_unlock(&b->lock);
}

bool births_met(struct births *b, uint64_t named)
{
	bool met = false;
	pthread_mutex_lock(&b->lock);
	for (uint32_t i = b->sites.first; i < sites_end(b) && !met; i++)
		met = b->sites.at[i].named == named;
	pthread_mutex_unlock(&b->lock);
	return met;
}

/* A thread may have been stopped with the lock: then it is done the next time. */
void births_turn(struct births *b)
{
	if (!atomic_load(&b->turns) || pthread_mutex_trylock(&b->lock))
		return;
	atomic_store(&b->turns, false);
	turn(b);
	pthread_mutex_unlock(&b->lock);
}
