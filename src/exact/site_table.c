#include "exact/site_table.h"

#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"

enum { INDEX_ROOM = SITES_MAX * 2 };

int site_table_init(struct site_table *t, uint32_t first)
{
	uint32_t span = SITES_SPAN - SITE_FIRST, left = SITE_NUMBERS - first;
	*t = (struct site_table){.first = first,
		.end = first + (span < left ? span : left),
		.count = first,
		.found = SITE_FIRST};
	t->at = pages_map(SITE_NUMBERS * sizeof(*t->at));
	t->index = pages_map(INDEX_ROOM * sizeof(*t->index));
	t->spare = pages_map(SITES_SPAN * sizeof(*t->spare));
	pthread_mutex_init(&t->homes_lock, NULL);
	if (!site_homes_init(&t->homes) && t->at && t->index && t->spare)
		return ERR_NONE;
	site_table_release(t);
	return ERR_NOMEM;
}

void site_table_release(struct site_table *t)
{
	pages_unmap(t->at, SITE_NUMBERS * sizeof(*t->at));
	pages_unmap(t->index, INDEX_ROOM * sizeof(*t->index));
	pages_unmap(t->spare, SITES_SPAN * sizeof(*t->spare));
	site_homes_release(&t->homes);
	pthread_mutex_destroy(&t->homes_lock);
	*t = (struct site_table){0};
}

uint32_t site_table_next(const struct site_table *t)
{
	uint32_t next = atomic_load_explicit(&t->count, memory_order_relaxed);
	return next && SITE_NUMBERS - next >= SITES_MAX ? next : SITE_FIRST;
}

/* Where the search for it begins. */
static uint32_t home_of(uint64_t key, uint32_t klass)
{
	return (uint32_t)hash64_pair(key, klass) & (INDEX_ROOM - 1);
}

static uint32_t behind(uint32_t slot)
{
	return (slot + 1) & (INDEX_ROOM - 1);
}

/* Further sites that have room: those that the index takes, or that there are numbers for. */
static uint32_t room(const struct site_table *t)
{
	uint32_t places = SITES_MAX - t->found,
		 numbers = t->end - atomic_load_explicit(&t->count, memory_order_relaxed) +
			   t->spare_count;
	return places < numbers ? places : numbers;
}

static uint32_t spare_number(struct site_table *t)
{
	uint32_t id = t->spare[t->spare_at];
	t->spare_at = (t->spare_at + 1) & (SITES_SPAN - 1);
	t->spare_count--;
	return id;
}

static void put(struct site_table *t, uint32_t slot, uint32_t id, uint64_t key, uint32_t klass)
{
	t->at[id] = (struct exact_site){.key = key, .klass = klass};
	t->index[slot] = id;
	t->found++;
	t->made++;
}

static uint32_t add(
	struct site_table *t, uint32_t slot, uint64_t key, uint32_t klass, uint32_t most)
{
	uint32_t id = atomic_load_explicit(&t->count, memory_order_relaxed), left = room(t);
	if (left <= SITES_MAX - most && most < SITES_MAX)
		return 0;
	if (!left) {
		t->refused++;
		return SITE_OTHER;
	}
	if (t->spare_count) {
		id = spare_number(t);
		put(t, slot, id, key, klass);
		return id;
	}
	put(t, slot, id, key, klass);
	atomic_store_explicit(&t->count, id + 1, memory_order_release);
	return id;
}

uint32_t site_table_find(
	struct site_table *t, uint64_t key, uint32_t klass, uint32_t most, int *fresh)
{
	uint32_t slot = home_of(key, klass), id;
	for (; (id = t->index[slot]) != 0; slot = behind(slot))
		if (t->at[id].key == key && t->at[id].klass == klass) {
			*fresh = 0;
			return id;
		}
	id = add(t, slot, key, klass, most);
	*fresh = id > SITE_OTHER;
	return id;
}

static void house(struct site_table *t, struct exact_site *s, const struct site_homes *homes)
{
	if (!s->retired)
		s->homes = site_homes_move(&t->homes, s->homes, homes);
}

void site_table_house(struct site_table *t, struct exact_site *s, const struct site_homes *homes)
{
	pthread_mutex_lock(&t->homes_lock);
	house(t, s, homes);
	pthread_mutex_unlock(&t->homes_lock);
}

void site_table_move(struct site_table *t, struct exact_site *s, uintptr_t home)
{
	pthread_mutex_lock(&t->homes_lock);
	struct site_homes homes = *site_homes_at(&t->homes, s->homes);
	homes.home = home;
	house(t, s, &homes);
	pthread_mutex_unlock(&t->homes_lock);
}

static uint32_t steps(uint32_t from, uint32_t to)
{
	return (to - from) & (INDEX_ROOM - 1);
}

/* Those behind it that a search would not come to over the hole fill it. */
static void clear_slot(struct site_table *t, uint32_t hole)
{
	uint32_t id;
	for (uint32_t at = behind(hole); (id = t->index[at]) != 0; at = behind(at)) {
		uint32_t home = home_of(t->at[id].key, t->at[id].klass);
		if (steps(home, at) < steps(hole, at))
			continue;
		t->index[hole] = id;
		hole = at;
	}
	t->index[hole] = 0;
}

void site_table_retire(struct site_table *t, uint32_t id)
{
	struct exact_site *s = &t->at[id];
	house(t, s, &(struct site_homes){.loader = 0});
	uint32_t slot = home_of(s->key, s->klass);
	for (; t->index[slot] != id; slot = behind(slot))
		if (!t->index[slot])
			return;
	clear_slot(t, slot);
	t->found--;
	s->retired = true;
}

void site_table_spare(struct site_table *t, uint32_t id)
{
	t->at[id] = (struct exact_site){.key = 0};
	t->spare[(t->spare_at + t->spare_count) & (SITES_SPAN - 1)] = id;
	t->spare_count++;
}

uint32_t site_table_retired(const struct site_table *t)
{
	uint32_t taken = atomic_load_explicit(&t->count, memory_order_relaxed) - t->first;
	return taken - (t->found - SITE_FIRST) - t->spare_count;
}
