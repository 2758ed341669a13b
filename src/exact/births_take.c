#include "exact/birth_sites.h"
#include "exact/births.h"

static void take_slot(struct births *b, struct birth_slot *s, birth_visit *visit, void *arg)
{
	if (!s->objects)
		return;
	visit(arg,
		&(struct birth_sum){s->site & SITE_MASK, s->objects, birth_slot_bytes(b, s), 0, 0});
	birth_doors_saw(
		&b->doors, s->site & SITE_MASK, &b->sites.at[s->site & SITE_MASK], s->objects);
	s->objects = s->bytes = 0;
}

static void take_slots(struct births *b, struct birth_slots *s, birth_visit *visit, void *arg)
{
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++)
			take_slot(b, &s->sets[s->used[i]][way], visit, arg);
}

struct taker {
	struct births *births;
	birth_visit *visit;
	void *arg;
};

static void take_door(void *arg, uint32_t site, bool array, uint64_t objects, uint64_t bytes)
{
	const struct taker *t = arg;
	if (!array)
		bytes = objects * t->births->sites.at[site].bytes1;
	t->visit(t->arg, &(struct birth_sum){site, objects, bytes, 0, 0});
}

static void take_thread(struct births *b, struct birth_thread *t, birth_visit *visit, void *arg)
{
	struct birth_walks *w = t->walks;
	birth_doors_take(&b->doors, &t->doors, take_door, &(struct taker){b, visit, arg});
	take_slots(b, &t->slots, visit, arg);
	if (w)
		take_slots(b, &w->slots, visit, arg);
}

/* What came of slots that had to go, or was counted here at once. */
static void take_sums(struct births *b, birth_visit *visit, void *arg)
{
	for (uint32_t i = 0; i < b->sums.count; i++) {
		const struct birth_sum *s = &b->sums.rows[i];
		visit(arg, s);
		birth_doors_saw(
			&b->doors, s->site, &b->sites.at[s->site], s->objects - s->outside_objects);
	}
	birth_sums_clear(&b->sums);
}

void births_take(struct births *b, birth_visit *visit, void *arg)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		take_thread(b, t, visit, arg);
	take_sums(b, visit, arg);
}
