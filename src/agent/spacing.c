#include "agent/spacing.h"

#define INTERVAL_MOST (16ull << 20) /* bytes: beyond it, too little would be seen */

enum { WINDOW_NS = 1000000000, SLOW = 4 /* times less than the bound: room for twice as many */ };

static uint32_t doublings(uint64_t interval)
{
	uint32_t shift = 0;
	while (interval && interval << (shift + 1) <= INTERVAL_MOST)
		shift++;
	return shift;
}

void spacing_init(struct spacing *s, uint64_t interval, uint32_t first, uint64_t samples_per_second,
	struct ns now)
{
	*s = (struct spacing){.samples_per_second = samples_per_second,
		.shift = first,
		.most = doublings(interval < INTERVAL_MOST ? interval : 0),
		.window_start = now};
}

void spacing_loosen(struct spacing *s, uint64_t samples_per_second)
{
	if (s->samples_per_second << s->shift <= samples_per_second)
		s->shift = 0;
	s->samples_per_second = samples_per_second;
}

void spacing_update(struct spacing *s, struct ns now, uint64_t samples)
{
	uint64_t passed = now.v - s->window_start.v;
	if (passed < WINDOW_NS)
		return;
	double rate = (double)(samples - s->samples_then) * 1e9 / (double)passed;
	double bound = (double)s->samples_per_second;
	s->window_start = now;
	s->samples_then = samples;
	if (!s->samples_per_second)
		return;
	if (s->shift && rate * SLOW < bound)
		s->shift--;
	while (s->shift < s->most && rate > bound) {
		rate /= 2;
		s->shift++;
	}
}
