#include "exact/site_table.h"

#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"

enum { INDEX_ROOM = SITES_MAX * 2 };

int site_table_init(struct site_table *t, uint32_t first)
{
	*t = (struct site_table){.first = first, .count = first};
	t->at = pages_map(SITE_NUMBERS * sizeof(*t->at));
	t->index = pages_map(INDEX_ROOM * sizeof(*t->index));
	pthread_mutex_init(&t->homes_lock, NULL);
	if (!site_homes_init(&t->homes) && t->at && t->index)
		return ERR_NONE;
	site_table_release(t);
	return ERR_NOMEM;
}

void site_table_release(struct site_table *t)
{
	pages_unmap(t->at, SITE_NUMBERS * sizeof(*t->at));
	pages_unmap(t->index, INDEX_ROOM * sizeof(*t->index));
	site_homes_release(&t->homes);
	pthread_mutex_destroy(&t->homes_lock);
	*t = (struct site_table){0};
}

uint32_t site_table_next(const struct site_table *t)
{
	uint32_t next = atomic_load_explicit(&t->count, memory_order_relaxed);
	return next && SITE_NUMBERS - next >= SITES_MAX ? next : SITE_FIRST;
}

static uint32_t add(
	struct site_table *t, uint32_t slot, uint64_t key, uint32_t klass, uint32_t most)
{
	uint32_t id = atomic_load_explicit(&t->count, memory_order_relaxed);
	uint32_t used = id - t->first + SITE_FIRST;
	if (used >= most && most < SITES_MAX)
		return 0;
	if (used == SITES_MAX) {
		t->refused++;
		return SITE_OTHER;
	}
	t->at[id].key = key;
	t->at[id].klass = klass;
	t->index[slot] = id;
	atomic_store_explicit(&t->count, id + 1, memory_order_release);
	return id;
}

uint32_t site_table_find(
	struct site_table *t, uint64_t key, uint32_t klass, uint32_t most, int *fresh)
{
	uint32_t slot = (uint32_t)hash64_pair(key, klass) & (INDEX_ROOM - 1), id;
	for (; (id = t->index[slot]) != 0; slot = (slot + 1) & (INDEX_ROOM - 1))
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

void site_table_retire(struct site_table *t, uint32_t id)
{
	struct exact_site *s = &t->at[id];
	house(t, s, &(struct site_homes){.loader = 0});
	uint32_t slot = (uint32_t)hash64_pair(s->key, s->klass) & (INDEX_ROOM - 1);
	for (; t->index[slot] != id; slot = (slot + 1) & (INDEX_ROOM - 1))
		if (!t->index[slot])
			return;
	t->index[slot] = SITE_OTHER; /* no place and class are its own: nobody finds it */
	s->retired = true;
}
