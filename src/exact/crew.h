/*
 * Threads of our own that share a piece of work in a pause with the thread that has it. They wait
 * in the kernel else, take none of the program's signals, and the VM does not know them.
 *
 * crew_work may be called in a signal handler (it posts and waits on semaphores, no more).
 */
#ifndef EXACT_CREW_H
#define EXACT_CREW_H

#include <pthread.h>
#include <semaphore.h>
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
	sem_t done;
	crew_do *work; /* NULL: they end */
	void *arg;
};

/* As many of `count` threads as can be had, perhaps none. */
void crew_start(struct crew *c, uint32_t count);
/* Returns when all have come back from it. */
void crew_work(struct crew *c, crew_do *work, void *arg);
void crew_stop(struct crew *c);

#endif
