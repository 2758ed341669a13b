#include "agent/pause_gate.h"

enum { OPEN = 1, ONE = 2 };

bool pause_gate_pass(struct pause_gate *g)
{
	unsigned word = atomic_load(&g->word);
	while (!(word & OPEN))
		if (atomic_compare_exchange_weak(&g->word, &word, word + ONE))
			return false;
	return true;
}

unsigned pause_gate_look(const struct pause_gate *g)
{
	return atomic_load(&g->word);
}

bool pause_gate_open(struct pause_gate *g, unsigned seen)
{
	return atomic_compare_exchange_strong(&g->word, &seen, OPEN);
}
