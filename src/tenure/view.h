/* What is known of the program in a round. */
#ifndef TENURE_VIEW_H
#define TENURE_VIEW_H

#include "tenure/choose.h"
#include "tenure/round.h"
#include "tenure/snapshot.h"

struct view {
	const struct snapshot *s;
	const struct round *r;
	const struct choose_edge *edges;
	size_t edge_count;
};

/* Amounts of the snapshot's window, for each second of this round. */
static inline double view_per_second(const struct view *v, double amount)
{
	double collections = v->s->collections, seconds = (double)v->r->wall / 1e9;
	return collections > 0 && seconds > 0 ? amount / collections * v->r->count / seconds : 0;
}

/* For each byte allocated. */
static inline double view_for_each_byte(const struct view *v, double amount)
{
	double allocated = round_total(v->r, ROUND_ALLOCATED) / v->r->count * v->s->collections;
	return allocated > 0 ? amount / allocated : 0;
}

#endif
