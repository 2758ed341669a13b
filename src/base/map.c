#include "base/map.h"

#include "base/error.h"
#include "base/mem.h"

enum { ROOM_MIN = 16 };

void map_release(struct map *m)
{
	mem_free(m->slots);
	*m = (struct map){0};
}

static size_t home_of(const struct map *m, uint64_t key)
{
	return (size_t)hash64(key ^ m->seed) & (m->room - 1);
}

/* The slot that holds key, or the empty one where it would go. Room must not be 0. */
static struct map_slot *slot_of(const struct map *m, uint64_t key)
{
	size_t i = home_of(m, key);
	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->room - 1);
	return &m->slots[i];
}

uint64_t *map_find(const struct map *m, uint64_t key)
{
	if (!m->room)
		return NULL;
	struct map_slot *s = slot_of(m, key);
	return s->used ? &s->value : NULL;
}

static int map_grow(struct map *m)
{
	struct map bigger = {.room = m->room ? m->room * 2 : ROOM_MIN, .count = m->count};
	bigger.slots = mem_zalloc(bigger.room, sizeof(*bigger.slots));
	if (!bigger.slots)
		return ERR_NOMEM;
	/* Where memory is differs from run to run: what is known of it beforehand is little. */
	bigger.seed = hash64((uintptr_t)bigger.slots);
	for (size_t i = 0; i < m->room; i++)
		if (m->slots[i].used)
			*slot_of(&bigger, m->slots[i].key) = m->slots[i];
	mem_free(m->slots);
	*m = bigger;
	return ERR_NONE;
}

int map_put(struct map *m, uint64_t key, uint64_t value)
{
	struct map_slot *s = m->room ? slot_of(m, key) : NULL;
	if (s && s->used) {
		s->value = value;
		return ERR_NONE;
	}
	if (!s || m->count + 1 > m->room / 4 * 3) {
		if (map_grow(m))
			return ERR_NOMEM;
		s = slot_of(m, key);
	}
	*s = (struct map_slot){.key = key, .value = value, .used = true};
	m->count++;
	return ERR_NONE;
}

/* Empties the slot. Whoever was pushed past the hole moves back into it. */
static void vacate(struct map *m, size_t hole)
{
	size_t mask = m->room - 1;
	m->slots[hole].used = false;
	m->count--;
	for (size_t i = (hole + 1) & mask; m->slots[i].used; i = (i + 1) & mask) {
		size_t home = home_of(m, m->slots[i].key);
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->slots[hole] = m->slots[i];
		m->slots[i].used = false;
		hole = i;
	}
}

bool map_take(struct map *m, uint64_t key, uint64_t *value)
{
	struct map_slot *s = m->room ? slot_of(m, key) : NULL;
	if (!s || !s->used)
		return false;
	*value = s->value;
	vacate(m, (size_t)(s - m->slots));
	return true;
}

bool map_remove(struct map *m, uint64_t key)
{
	uint64_t value;
	return map_take(m, key, &value);
}

uint64_t hash_bytes(const void *bytes, size_t len)
{
	return hash_bytes_from(0xcbf29ce484222325ull, bytes, len);
}

uint64_t hash_bytes_from(uint64_t seed, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t h = seed;
	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return hash64(h);
}
