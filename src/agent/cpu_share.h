/*
 * How much of a core the program gets: the CPU time of its process over the time that passes,
 * window by window of a second. What may be spent in a second is bounded by that, or where a
 * program has a tenth of a core we would take as much from it as from one that has a whole one.
 */
#ifndef AGENT_CPU_SHARE_H
#define AGENT_CPU_SHARE_H

#include "base/types.h"

struct cpu_share {
	struct ns time, cpu; /* where the window began */
	double share;        /* in the last window; 1: a whole core or more, or not known */
};

/* Both clocks as they are now; cpu 0: the system does not tell. */
void cpu_share_init(struct cpu_share *s, struct ns time, struct ns cpu);
/* The share from here on. Nothing happens before a second has passed. */
double cpu_share_update(struct cpu_share *s, struct ns time, struct ns cpu);

#endif
