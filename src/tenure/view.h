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
	double pace; /* bytes allocated for each collection of the window; 0: as in the round */
};

/* Bytes, in the snapshot's window. */
static inline double view_allocated(const struct view *v)
{
	double each = round_total(v->r, ROUND_ALLOCATED) / v->r->count;
	return (v->pace > 0 ? v->pace : each) * v->s->collections;
}

/* What the round had, for as much as was allocated in the snapshot's window. */
static inline double view_in_window(const struct view *v, double amount)
{
	double allocated = round_total(v->r, ROUND_ALLOCATED);
	return allocated > 0 ? amount / allocated * view_allocated(v) : 0;
}

/* Amounts of the snapshot's window, for each byte allocated. */
static inline double view_for_each_byte(const struct view *v, double amount)
{
	double allocated = view_allocated(v);
	return allocated > 0 ? amount / allocated : 0;
}

/* For each second of this round: as much as is allocated in it. */
static inline double view_per_second(const struct view *v, double amount)
{
	double collections = v->s->collections, seconds = (double)v->r->wall / 1e9;
	double each = round_total(v->r, ROUND_ALLOCATED) / v->r->count;
	double times = v->pace > 0 && each > 0 ? each / v->pace : 1;
	return collections > 0 && seconds > 0 ? amount / collections * times * v->r->count / seconds
					      : 0;
}

#endif
