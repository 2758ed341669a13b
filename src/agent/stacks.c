#include "agent/stacks.h"

#include <stddef.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

void stacks_release(struct stacks *s)
{
	mem_free(s->slots);
	*s = (struct stacks){0};
}

uint64_t stacks_key(uint32_t class_id, const struct stack_frame *stack, uint32_t depth, bool cut)
{
	uint64_t h = (uint64_t)class_id << 1 | cut;
	/* Each step is a bijection of h, so that stacks that differ in one frame never meet. */
	for (uint32_t i = 0; i < depth; i++) {
		uint64_t bci = (uint64_t)(int64_t)stack[i].bci;
		h = (h ^ (stack[i].vm_method + bci * 0x9e3779b97f4a7c15ull)) *
		    0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return hash64(h ^ depth);
}

static struct stacks_slot *row_of(const struct stacks *s, uint64_t key)
{
	return &s->slots[key % (STACKS_ROOM / STACKS_WAYS) * STACKS_WAYS];
}

uint32_t stacks_find(const struct stacks *s, uint64_t key)
{
	if (!s->slots)
		return 0;
	const struct stacks_slot *row = row_of(s, key);
	for (int i = 0; i < STACKS_WAYS; i++)
		if (row[i].key == key)
			return row[i].site;
	return 0;
}

void stacks_keep(struct stacks *s, uint64_t key, uint32_t site)
{
	if (!s->slots)
		s->slots = mem_zalloc(STACKS_ROOM, sizeof(*s->slots));
	if (!s->slots)
		return;
	struct stacks_slot *row = row_of(s, key);
	memmove(row + 1, row, (STACKS_WAYS - 1) * sizeof(*row));
	row[0] = (struct stacks_slot){key, site};
}
