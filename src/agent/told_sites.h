/*
 * The numbers by which the trace knows the exact engine's sites. A site keeps its number, since
 * what was born of it is held against what outlives a collection. So one that has to be told of
 * before its place is known gets a number of its own; what place that is, is told when it is known.
 * For the writer thread.
 */
#ifndef AGENT_TOLD_SITES_H
#define AGENT_TOLD_SITES_H

#include "agent/places.h"

enum { TOLD_SITES = WAITING_SITES };

struct told_sites {
	struct places *places;   /* borrowed */
	uint32_t at[TOLD_SITES]; /* those that were told of without their places */
	uint32_t count;
};

void told_sites_init(struct told_sites *t, struct places *p);
/* The site's number. 0: no room; ask again. */
uint32_t told_sites_number(struct told_sites *t, uint32_t site, enum place_state *state);
/* Tells the places of those that are known by now, as far as there is room. */
void told_sites_again(struct told_sites *t);

#endif
