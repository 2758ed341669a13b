/*
 * Threads of our own that share a piece of work in a pause with the thread that has it. They wait
 * in the kernel else, take none of the program's signals, and the VM does not know them.
 *
 * Nobody waits for a thread that has not begun: where the CPUs are busy, who has the work does it
 * alone, and those who are woken too late go back to sleep. So `work` takes pieces until there are
 * none left, and one of the crew may come to it twice.
 *
 * crew_work may be called in a signal handler (it posts and waits on semaphores, no more).
 */
#ifndef EXACT_CREW_H
#define EXACT_CREW_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

enum { CREW_MAX = 15 };

/* worker: 0 for the caller of crew_work, from 1 for the crew. */
typedef void crew_do(void *arg, uint32_t worker);

struct crew {
	struct crew_member {
		struct crew *crew;
		uint32_t worker;
		pthread_t thread;
		sem_t go;
	} members[CREW_MAX];
	uint32_t count;
	_Atomic uint32_t gate; /* open: how many are at work, of the crew */
	_Atomic bool stopped;
	sem_t done;    /* the last one has left, and the gate was shut before */
	crew_do *work; /* this and the next: of who comes in through the gate */
	void *arg;
};

/* As many of `count` threads as can be had, perhaps none. */
void crew_start(struct crew *c, uint32_t count);
/* Returns when nobody is at it any more: at once where work() leaves nothing to do. */
void crew_work(struct crew *c, crew_do *work, void *arg);
void crew_stop(struct crew *c);

#endif
