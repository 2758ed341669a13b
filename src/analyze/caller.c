#include "analyze/caller.h"

#include <math.h>

#include "base/error.h"

void caller_release(struct caller *c)
{
	ages_release(&c->sampled);
	counted_release(&c->counted);
}

int caller_add(struct caller *c, const struct ledger *l, uint32_t account, enum clock clock)
{
	static const struct counted unknown = {.open = 1};
	const struct tally *t = &l->accounts.at[account].tally;
	int err = ages_merge(&c->sampled, lifespans_ages(&t->lives[MEASURE_BYTES], clock));
	if (err || leaves_stray(l, account))
		return err;
	return counted_merge(&c->counted, clock == CLOCK_YOUNG ? &t->counted : &unknown);
}

int caller_merge(struct caller *c, const struct caller *more)
{
	int err = ages_merge(&c->sampled, &more->sampled);
	return err ? err : counted_merge(&c->counted, &more->counted);
}

const struct ages *caller_lives(const struct caller *c, enum known known)
{
	if (known == KNOWN_SAMPLED)
		return &c->sampled;
	return counted_whole(&c->counted) ? &c->counted.lives[MEASURE_BYTES] : NULL;
}

double caller_effective(const struct caller *c)
{
	double most = 0;
	for (int k = 0; k < KNOWNS; k++) {
		const struct ages *lives = caller_lives(c, (enum known)k);
		most = lives ? fmax(most, mass_effective(lives->all)) : most;
	}
	return most;
}

bool callers_alike(const struct caller *a, const struct caller *b, int *err)
{
	for (int k = 0; k < KNOWNS; k++) {
		const struct ages *both[2] = {
			caller_lives(a, (enum known)k), caller_lives(b, (enum known)k)};
		struct conflict c = {.p = 1};
		if (!*err && both[0] && both[1])
			*err = conflict_test(both, 2, &c);
		if (conflict_decide(&c, c.p))
			return false;
	}
	return true;
}
