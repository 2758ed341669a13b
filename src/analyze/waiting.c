#include "analyze/waiting.h"

void waiting_release(struct waiting *w)
{
	vec_release(&w->lives);
}

/* Where the places of each account begin in the order. NULL: out of memory. */
static uint32_t *starts_of(const struct waiting *w, size_t accounts)
{
	uint32_t *starts = mem_zalloc(accounts + 1, sizeof(*starts));
	if (!starts)
		return NULL;
	for (size_t i = 0; i < w->lives.count; i++)
		starts[w->lives.at[i].account + 1]++;
	for (size_t i = 1; i <= accounts; i++)
		starts[i] += starts[i - 1];
	return starts;
}

uint32_t *waiting_order(const struct waiting *w, size_t accounts)
{
	uint32_t *starts = starts_of(w, accounts);
	uint32_t *order = mem_zalloc(w->lives.count + 1, sizeof(*order));
	if (!starts || !order) {
		mem_free(starts);
		mem_free(order);
		return NULL;
	}
	for (uint32_t i = 0; i < w->lives.count; i++)
		order[starts[w->lives.at[i].account]++] = i;
	mem_free(starts);
	return order;
}
