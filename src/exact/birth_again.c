#include "exact/birth_again.h"

#include "exact/birth_mark.h"

/* The oldest stay where they are as long as they are locked, and would be asked each time. */
enum { LOCKED_MOST = BIRTH_AGAIN_ROOM / 2 };

static void stamp(struct birth_again *a)
{
	uint32_t locked = 0;
	for (uint32_t i = 0; i < a->count; i++)
		if (!birth_stamp_again(a->objects[i], a->words[i])) {
			a->objects[locked] = a->objects[i];
			a->words[locked++] = a->words[i];
		}
	a->count = locked <= LOCKED_MOST ? locked : 0;
}

void birth_again_stamp(struct birth_again *a)
{
	stamp(a);
	a->count = 0;
}

void birth_again_put(
	struct birth_again *a, const struct birth_clock *c, uintptr_t object, uint32_t word)
{
	if (!c->now)
		return;
	if (a->count == BIRTH_AGAIN_ROOM && *c->now == c->seen)
		stamp(a);
	if (a->count == BIRTH_AGAIN_ROOM)
		a->count = 0;
	a->objects[a->count] = object;
	a->words[a->count++] = word;
}
