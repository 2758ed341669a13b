#include "exact/burden.h"

#define STRETCH_NS 30000000000ull
enum {
	LEAST_PAUSES = 4, /* in it: one that is long for once is no rule */
	MOST = 50         /* percent */
};

void burden_asked(struct burden *b, uint64_t ns)
{
	b->asked += ns;
}

uint32_t burden_add(struct burden *b, uint64_t own, uint64_t now)
{
	if (!b->since)
		b->since = now - own;
	b->own += own - b->asked;
	b->asked = 0;
	b->pauses++;
	uint64_t passed = now - b->since;
	if (passed < STRETCH_NS)
		return 0;
	uint64_t share = b->own / (passed / 100);
	uint32_t pauses = b->pauses;
	*b = (struct burden){.since = now};
	return pauses >= LEAST_PAUSES && share > MOST ? (uint32_t)share : 0;
}
