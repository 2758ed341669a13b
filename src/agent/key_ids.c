#include "agent/key_ids.h"

#include "base/map.h"

#define NO_KEY UINT64_MAX

void key_ids_release(struct key_ids *s)
{
	vec_release(&s->keys);
	slots_release(&s->slots);
}

uint32_t key_ids_find(const struct key_ids *s, uint64_t key)
{
	const struct slots *t = &s->slots;
	if (!t->room)
		return 0;
	size_t i = slots_home(t, hash64(key));
	while (t->at[i] && s->keys.at[t->at[i] - 1] != key)
		i = slots_next(t, i);
	return t->at[i];
}

static void put(struct key_ids *s, size_t index)
{
	if (s->keys.at[index] != NO_KEY)
		slots_put(&s->slots, hash64(s->keys.at[index]), (uint32_t)(index + 1));
}

static int grow(struct key_ids *s)
{
	if (slots_grow(&s->slots))
		return ERR_NOMEM;
	for (size_t i = 0; i < s->keys.count; i++)
		put(s, i);
	return ERR_NONE;
}

int key_ids_reserve(struct key_ids *s)
{
	if (slots_tight(&s->slots, s->keys.count) && grow(s))
		return ERR_NOMEM;
	return vec_reserve(&s->keys, 1);
}

uint32_t key_ids_add(struct key_ids *s, uint64_t key)
{
	s->keys.at[s->keys.count++] = key;
	put(s, s->keys.count - 1);
	return (uint32_t)s->keys.count;
}

uint32_t key_ids_skip(struct key_ids *s)
{
	return key_ids_add(s, NO_KEY);
}
