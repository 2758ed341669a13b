#include "model/live.h"

#include "base/error.h"

void live_release(struct live *l)
{
	map_release(&l->index);
	vec_release(&l->slots);
	vec_release(&l->free);
}

/* A slot nobody uses, with room in `free` to give it back later. */
static int find_slot(struct live *l, uint32_t *slot)
{
	if (l->free.count) {
		*slot = l->free.at[l->free.count - 1];
		return ERR_NONE;
	}
	if (l->slots.count >= LIVE_MAX)
		return ERR_LIMIT;
	if (vec_reserve(&l->slots, 1) || vec_reserve(&l->free, l->slots.count + 1))
		return ERR_NOMEM;
	*slot = (uint32_t)l->slots.count;
	return ERR_NONE;
}

int live_add(struct live *l, const struct object *object)
{
	uint32_t slot;
	if (map_find(&l->index, object->id))
		return ERR_USAGE;
	int err = find_slot(l, &slot);
	if (!err)
		err = map_put(&l->index, object->id, slot);
	if (err)
		return err;
	if (l->free.count)
		l->free.count--;
	else
		l->slots.count++;
	l->slots.at[slot] = *object;
	l->slots.at[slot].used = true;
	if (l->index.count > l->peak)
		l->peak = l->index.count;
	return ERR_NONE;
}

bool live_take(struct live *l, uint64_t id, struct object *out)
{
	uint64_t slot;
	if (!map_take(&l->index, id, &slot))
		return false;
	struct object *o = &l->slots.at[slot];
	*out = *o;
	o->used = false;
	l->free.at[l->free.count++] = (uint32_t)slot;
	return true;
}
