#include "exact/births.h"

#include <string.h>

#include "exact/birth_sites.h"

static bool retire_all(struct births *b, uint32_t from, uint32_t to, birth_gone *gone, void *arg)
{
	bool any = false;
	for (uint32_t i = from; i < to; i++) {
		if (b->sites.at[i].retired || !gone(arg, &b->sites.at[i]))
			continue;
		site_table_retire(&b->sites, i);
		if (b->sites.at[i].door)
			birth_door_shut((uint16_t)(b->sites.at[i].door - 1));
		any = true;
	}
	return any;
}

/* A slot without a tag is never met. */
static void drop_retired(struct births *b, struct birth_slot *s)
{
	if (!s->site || !b->sites.at[s->site & SITE_MASK].retired)
		return;
	birth_slot_flush(b, s);
	s->tag = 0;
}

static void drop_from(struct births *b, struct birth_slots *s)
{
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++)
			drop_retired(b, &s->sets[s->used[i]][way]);
}

/* There may be room for what had none. */
static void drop_walks(struct births *b, struct birth_walks *w)
{
	drop_from(b, &w->slots);
	memset(w->refused, 0, sizeof(w->refused));
}

void births_spare(struct births *b, uint32_t id)
{
	uint16_t door = b->sites.at[id].door;
	if (door && b->doors.at[door - 1].site == id)
		b->doors.at[door - 1].site = 0;
	site_table_spare(&b->sites, id);
}

bool births_forget(struct births *b, birth_gone *gone, void *arg)
{
	uint32_t count = atomic_load_explicit(&b->sites.count, memory_order_acquire);
	return births_forget_some(b, b->sites.first, count, gone, arg);
}

bool births_forget_some(struct births *b, uint32_t from, uint32_t to, birth_gone *gone, void *arg)
{
	pthread_mutex_lock(&b->sites.homes_lock);
	bool any = retire_all(b, from, to, gone, arg);
	pthread_mutex_unlock(&b->sites.homes_lock);
	if (!any)
		return false;
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		struct birth_walks *w = t->walks;
		drop_from(b, &t->slots);
		if (w)
			drop_walks(b, w);
	}
	return true;
}
