#include "base/intern.h"

#include <string.h>

#include "base/map.h"

enum { CHUNK = 64 * 1024, SLOTS_MIN = 64 };

void intern_release(struct intern *t)
{
	for (size_t i = 0; i < t->chunks.count; i++)
		mem_free(t->chunks.at[i]);
	vec_release(&t->chunks);
	vec_release(&t->strings);
	mem_free(t->slots);
	*t = (struct intern){0};
}

static uint32_t *slot_of(const struct intern *t, struct slice s)
{
	size_t i = (size_t)hash_bytes_from(t->seed, s.at, s.len) & (t->slot_room - 1);
	while (t->slots[i] && !slice_equal(t->strings.at[t->slots[i] - 1], s))
		i = (i + 1) & (t->slot_room - 1);
	return &t->slots[i];
}

uint32_t intern_find(const struct intern *t, struct slice s)
{
	return t->slot_room ? *slot_of(t, s) : 0;
}

static int slots_grow(struct intern *t)
{
	size_t room = t->slot_room ? t->slot_room * 2 : SLOTS_MIN;
	uint32_t *slots = mem_zalloc(room, sizeof(*slots));
	if (!slots)
		return ERR_NOMEM;
	mem_free(t->slots);
	t->slots = slots;
	t->slot_room = room;
	t->seed = hash64((uintptr_t)slots); /* as a map's (map.c) */
	for (size_t n = 0; n < t->strings.count; n++)
		*slot_of(t, t->strings.at[n]) = (uint32_t)(n + 1);
	return ERR_NONE;
}

static int chunk_reserve(struct intern *t, size_t len)
{
	if (t->chunks.count && t->chunk_room - t->chunk_used >= len)
		return ERR_NONE;
	size_t room = len > CHUNK ? len : CHUNK;
	if (vec_reserve(&t->chunks, 1))
		return ERR_NOMEM;
	uint8_t *chunk = mem_alloc(room);
	if (!chunk)
		return ERR_NOMEM;
	t->chunks.at[t->chunks.count++] = chunk;
	t->chunk_used = 0;
	t->chunk_room = room;
	return ERR_NONE;
}

int intern_reserve(struct intern *t, size_t len)
{
	if (t->strings.count >= UINT32_MAX - 1 || vec_reserve(&t->strings, 1))
		return ERR_NOMEM;
	if (t->strings.count + 1 > t->slot_room / 4 * 3 && slots_grow(t))
		return ERR_NOMEM;
	return chunk_reserve(t, len);
}

uint32_t intern_add(struct intern *t, struct slice s, int *added)
{
	if (added)
		*added = 0;
	uint32_t n = intern_find(t, s);
	if (n)
		return n;
	if (intern_reserve(t, s.len))
		return 0;
	uint8_t *at = t->chunks.at[t->chunks.count - 1] + t->chunk_used;
	if (s.len)
		memcpy(at, s.at, s.len);
	uint32_t *slot = slot_of(t, s);
	t->chunk_used += s.len;
	t->bytes += s.len;
	t->strings.at[t->strings.count++] = slice(at, s.len);
	*slot = (uint32_t)t->strings.count;
	if (added)
		*added = 1;
	return *slot;
}

struct slice intern_get(const struct intern *t, uint32_t n)
{
	return n && n <= t->strings.count ? t->strings.at[n - 1] : slice("", 0);
}
