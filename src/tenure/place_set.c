#include "tenure/place_set.h"

void place_set_release(struct place_set *s)
{
	vec_release(&s->list);
}

int place_set_add(struct place_set *s, const struct place_context *at)
{
	return vec_push(&s->list, *at);
}

bool place_set_has(const struct place_set *s, const struct place_context *at)
{
	for (size_t i = 0; i < s->list.count; i++)
		if (place_context_same(&s->list.at[i], at))
			return true;
	return false;
}

bool place_set_covers(const struct place_set *s, const struct place_context *at)
{
	for (size_t i = 0; i < s->list.count; i++) {
		struct place_context cut = place_context_cut(at, s->list.at[i].depth);
		if (place_context_same(&s->list.at[i], &cut))
			return true;
	}
	return false;
}

void place_set_drop(struct place_set *s, size_t i)
{
	s->list.at[i] = s->list.at[--s->list.count];
}

void place_set_remove(struct place_set *s, const struct place_context *at)
{
	for (size_t i = s->list.count; i-- > 0;)
		if (place_context_same(&s->list.at[i], at))
			place_set_drop(s, i);
}
