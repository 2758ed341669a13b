/*
 * How much of the CPU time that a program wants it gets, by those of its threads that are sampled:
 * what they ran, over that and what they waited for a core to run on, as Linux tells it
 * (/proc/thread-self/schedstat; Documentation/scheduler/sched-stats.rst). What sleeps wants none.
 * What may be spent in a second is bounded by that, or where a program gets a tenth of a core we
 * would take as much from it as from one that gets a whole one.
 */
#ifndef AGENT_CPU_SHARE_H
#define AGENT_CPU_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

/* What a thread was told of itself when it last asked: only the thread touches it. All zeros at
 * first. */
struct thread_cpu {
	struct ns asked;       /* when */
	struct ns ran, waited; /* until then */
};

struct cpu_share {
	_Atomic uint64_t ran, waited; /* ns: told by threads, and not yet taken in */
	double share;                 /* 1: all that it wants, or not known */
};

void cpu_share_init(struct cpu_share *s);
/* The text of schedstat: ns run, ns waited for a core, and more. False: it is none. */
bool cpu_share_parse(const char *text, struct ns *ran, struct ns *waited);
/* A thread has run and waited so long since it began. Of one that has not asked for long, as much
 * as a second of it counts. Lock-free. */
void cpu_share_add(struct cpu_share *s, struct thread_cpu *own, struct ns ran, struct ns waited);
/* The thread that calls asks the system, if a second has passed since it last did: some ten
 * microseconds. What it is not told it passes over. Lock-free. */
void cpu_share_ask(struct cpu_share *s, struct thread_cpu *own, struct ns now);
/* The share by what was told since the last call, if anything was; by one thread at a time. */
double cpu_share_update(struct cpu_share *s);

#endif
