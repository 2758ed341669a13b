#include "exact/step_clock.h"

void step_clock_tick(struct step_clock *c)
{
	bool part = c->part && *c->part;
	for (uint32_t n = RESIDENT_SURVIVED_MAX; n > 0; n--)
		c->parts[n] = (uint8_t)(c->parts[n - 1] + part);
}
