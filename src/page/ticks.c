#include "page/ticks.h"

void ticks_release(struct ticks *t)
{
	vec_release(&t->list);
}

static void halve(struct ticks *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->list.count; i += 2)
		t->list.at[kept++] = t->list.at[i];
	t->list.count = kept;
	t->step *= 2;
}

int ticks_add(struct ticks *t, const struct record_tick *r)
{
	t->step = t->step ? t->step : 1;
	if (t->list.count >= t->max)
		halve(t);
	if (t->seen++ % t->step)
		return ERR_NONE;
	struct tick tick = {r->time, r->alloc, r->heap_used, r->heap_committed};
	return vec_push(&t->list, tick);
}
