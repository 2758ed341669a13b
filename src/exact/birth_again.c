#include "exact/birth_again.h"

#include "exact/birth_mark.h"

void birth_again_stamp(struct birth_again *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		birth_stamp_again(a->objects[i], a->words[i]);
	a->count = 0;
}

void birth_again_put(
	struct birth_again *a, const struct birth_clock *c, uintptr_t object, uint32_t word)
{
	if (!c->now)
		return;
	if (a->count == BIRTH_AGAIN_ROOM && *c->now == c->seen)
		birth_again_stamp(a);
	if (a->count == BIRTH_AGAIN_ROOM)
		a->count = 0;
	a->objects[a->count] = object;
	a->words[a->count++] = word;
}
