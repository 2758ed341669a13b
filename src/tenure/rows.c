#include "tenure/rows.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

int rows_init(struct rows *r, uint32_t room)
{
	*r = (struct rows){.at = mem_zalloc(room, sizeof(*r->at)),
		.spare = mem_zalloc(room, sizeof(*r->spare)),
		.room = room};
	if (r->at && r->spare)
		return ERR_NONE;
	rows_release(r);
	return ERR_NOMEM;
}

void rows_release(struct rows *r)
{
	mem_free(r->at);
	mem_free(r->spare);
	map_release(&r->index);
	memset(r, 0, sizeof(*r));
}

uint32_t rows_find(const struct rows *r, const struct place_context *at)
{
	const uint64_t *row = map_find(&r->index, place_context_hash(at));
	if (!row || !place_context_same(&r->at[*row].at, at))
		return ROW_NONE;
	return (uint32_t)*row;
}

static uint32_t take(struct rows *r)
{
	if (r->spare_count)
		return r->spare[--r->spare_count];
	return r->top < r->room ? r->top++ : ROW_NONE;
}

/* Two places of one hash can't both be in the index: the second finds no room. */
uint32_t rows_add(struct rows *r, const struct place_context *at, uint32_t parent)
{
	uint64_t hash = place_context_hash(at);
	if (map_find(&r->index, hash))
		return ROW_NONE;
	uint32_t row = take(r);
	if (row == ROW_NONE)
		return ROW_NONE;
	if (map_put(&r->index, hash, row)) {
		r->spare[r->spare_count++] = row;
		return ROW_NONE;
	}
	r->at[row] = (struct row){.at = *at, .parent = parent, .used = true};
	r->count++;
	return row;
}

void rows_remove(struct rows *r, uint32_t row)
{
	map_remove(&r->index, place_context_hash(&r->at[row].at));
	memset(&r->at[row], 0, sizeof(r->at[row]));
	r->spare[r->spare_count++] = row;
	r->count--;
}

/* The index is a power of two of slots, at most 3/4 full, and grows beside its old self. */
uint64_t rows_bytes(uint32_t room)
{
	uint64_t slots = 16;
	while (slots * 3 / 4 < room)
		slots *= 2;
	uint64_t index = (slots + slots / 2) * sizeof(struct map_slot);
	return room * (sizeof(struct row) + sizeof(uint32_t)) + index;
}
