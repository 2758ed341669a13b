#include "exact/birth_slots.h"

#include <assert.h>

static_assert(sizeof(birth_set) == 64 && 1 << (32 - 26) == 64, "the product's bits from 32 on");

void birth_slots_use(struct birth_slots *s, birth_set *sets, uint16_t *used, uint32_t count)
{
	s->sets = sets;
	s->mask = (count - 1) * (uint32_t)sizeof(birth_set);
	s->used = used;
	s->used_count = 0;
	s->crowded = 0;
}

void birth_slots_began(struct birth_slots *s, uint32_t set)
{
	s->used[s->used_count] = (uint16_t)set;
	s->used_count += 1;
}

bool birth_slots_wide(const struct birth_slots *s)
{
	return s->mask > (BIRTH_SETS - 1) * sizeof(birth_set);
}

/* Behind those that are there: two of one set before can't be more in one of now. */
static void move(struct birth_slots *to, const struct birth_slot *slot)
{
	uint32_t at = birth_slots_at(to, slot->tag);
	struct birth_slot *set = to->sets[at];
	if (!set[0].site)
		birth_slots_began(to, at);
	set[set[0].site != 0] = *slot;
}

void birth_slots_widen(struct birth_slots *s, struct birth_wide *to)
{
	struct birth_slots old = *s;
	birth_slots_use(s, to->sets, to->used, BIRTH_WIDE_SETS);
	for (uint32_t i = 0; i < old.used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++) {
			const struct birth_slot *slot = &old.sets[old.used[i]][way];
			if (slot->site && slot->tag)
				move(s, slot);
		}
}
