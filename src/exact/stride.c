#include "exact/stride.h"

#define WHOLE 18446744073709551616.0 /* 2^64 */

void stride_init(struct stride *g, uint64_t every)
{
	double q = 1 - 1 / (double)every;
	for (g->digits = 0; g->digits < GAP_DIGITS; g->digits++) {
		g->chance[g->digits] = (uint64_t)(WHOLE * (q / (1 + q)));
		if (!g->chance[g->digits])
			break;
		q *= q;
	}
}

/* xorshift64*. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

uint64_t stride_next(const struct stride *g, uint64_t *state)
{
	uint64_t gap = 1;
	for (int i = 0; i < g->digits; i++)
		gap += (uint64_t)(next(state) < g->chance[i]) << i;
	return gap;
}
