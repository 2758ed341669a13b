#include "model/tenure.h"

#include <string.h>

#include "base/error.h"

void tenure_release(struct tenure *t)
{
	vec_release(&t->rounds);
	vec_release(&t->decisions);
	vec_release(&t->outcomes);
}

/* Forgets the second quarter of a full list: what was at first, and what is now, is the story.
 * Returns how many are left. */
static size_t thin(void *at, size_t count, size_t size, struct odds *odds)
{
	size_t from = count / 4, to = count / 2;
	if (count < TENURE_MAX)
		return count;
	memmove((char *)at + from * size, (char *)at + to * size, (count - to) * size);
	odds->count[ODD_TENURE_FORGOTTEN] += to - from;
	return count - (to - from);
}

#define MAKE_ROOM(list, odds)                                                                      \
	((list)->count = thin((list)->at, (list)->count, sizeof(*(list)->at), odds))

/* Never below what it was. */
static uint64_t hold(uint64_t now, uint64_t before, struct odds *odds)
{
	return odd_if(odds, ODD_CLOCK_BACK, now < before) ? before : now;
}

static uint8_t at_most(uint64_t value, uint8_t most)
{
	return value < most ? (uint8_t)value : most;
}

int tenure_add_round(struct tenure *t, const struct record_round *r, struct odds *odds)
{
	const struct tenure_round none = {0};
	const struct tenure_round *last =
		t->rounds.count ? &t->rounds.at[t->rounds.count - 1] : &none;
	if (odd_if(odds, ODD_TENURE_ORDER, r->round <= last->round))
		return ERR_NONE;
	struct tenure_round round = {.time = hold(r->time, last->time, odds),
		.round = r->round,
		.young = hold(r->young, last->young, odds),
		.collections = r->collections,
		.samples = r->samples,
		.copied = r->copied,
		.promoted = r->promoted,
		.allocated = r->allocated,
		.pause = r->pause,
		.longest = r->longest,
		.cpu = r->cpu,
		.jumps = r->jumps,
		.state = at_most(r->state, UINT8_MAX),
		.threshold = at_most(r->threshold, TENURE_UNBOUND)};
	MAKE_ROOM(&t->rounds, odds);
	return vec_push(&t->rounds, round);
}

int tenure_add_decision(struct tenure *t, const struct record_decision *r, uint32_t site,
	uint32_t reason, struct odds *odds)
{
	if (odd_if(odds, ODD_TENURE_UNKNOWN,
		    r->lever >= TENURE_LEVERS || r->action >= TENURE_ACTIONS))
		return ERR_NONE;
	struct tenure_decision decision = {.time = r->time,
		.round = r->round,
		.value = r->value,
		.gain = r->gain,
		.harm = r->harm,
		.site = site,
		.reason = reason,
		.lever = (uint8_t)r->lever,
		.action = (uint8_t)r->action};
	MAKE_ROOM(&t->decisions, odds);
	return vec_push(&t->decisions, decision);
}

int tenure_add_outcome(struct tenure *t, const struct record_outcome *r, struct odds *odds)
{
	if (odd_if(odds, ODD_TENURE_UNKNOWN, r->lever >= TENURE_LEVERS))
		return ERR_NONE;
	struct tenure_outcome outcome = {
		r->time, r->round, r->predicted, r->observed, r->margin, (uint8_t)r->lever};
	MAKE_ROOM(&t->outcomes, odds);
	return vec_push(&t->outcomes, outcome);
}
