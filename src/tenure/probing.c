#include "tenure/probing.h"

enum {
	AFTER_MOST = 256,
	ENOUGH = 4, /* the part of the samples that is enough */
	LATE_MOST = 4,
	SOON = 4,
	DEAF_LEAST = 8,
	DEAF_MOST = 64
};

void probing_init(struct probing *p, uint32_t first)
{
	*p = (struct probing){.first = first, .after = first, .in = first};
}

void probing_soon(struct probing *p)
{
	p->in = p->in < SOON ? p->in : SOON;
}

void probing_early(struct probing *p)
{
	probing_soon(p);
	p->early = true;
}

void probing_trust(struct probing *p, uint32_t rounds)
{
	rounds = rounds > p->first ? rounds : p->first;
	p->after = p->in = rounds < AFTER_MOST ? rounds : AFTER_MOST;
}

void probing_decided(struct probing *p, uint64_t samples)
{
	p->samples = samples;
}

bool probing_ask(struct probing *p)
{
	p->wanted = true;
	return !p->deaf;
}

/* A program that allocates less than it did is looked at all the same. */
enum probing_step probing_round(struct probing *p, uint64_t samples, bool low)
{
	p->in -= p->in > 0;
	if (p->wanted && !p->deaf) {
		p->wanted = false;
		p->asked = true;
		p->in = 0;
	}
	p->deaf -= p->deaf > 0;
	if (p->in)
		return PROBING_NOT_YET;
	if (low)
		return PROBING_SAMPLE;
	bool few = samples < p->samples / ENOUGH;
	p->late = few ? p->late + 1 : 0;
	if (few && p->late <= LATE_MOST)
		return PROBING_NOT_YET;
	p->late = 0;
	return PROBING_NOW;
}

static uint32_t twice(uint32_t rounds, uint32_t least, uint32_t most)
{
	rounds = rounds * 2 < most ? rounds * 2 : most;
	return rounds > least ? rounds : least;
}

void probing_kept(struct probing *p)
{
	if (p->asked)
		p->deaf = p->deafness = twice(p->deafness, DEAF_LEAST, DEAF_MOST);
	else if (!p->early)
		p->after = twice(p->after, p->first, AFTER_MOST);
	p->wanted = p->asked = p->early = false;
	p->in = p->after;
}

void probing_changed(struct probing *p)
{
	p->after = p->in = p->first;
	p->wanted = p->asked = p->early = false;
	p->deaf = p->deafness = 0;
}
