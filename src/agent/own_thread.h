/*
 * A thread of the agent's own that does something now and then and sleeps in between, until it is
 * told to stop. It takes none of the program's signals.
 */
#ifndef AGENT_OWN_THREAD_H
#define AGENT_OWN_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct own_thread {
	pthread_mutex_t lock;   /* protects `stop`, and what the owner says */
	pthread_cond_t changed; /* stop; CLOCK_MONOTONIC */
	bool stop, runs;
	pthread_t thread;
};

/* Then the lock can be taken. */
void own_thread_open(struct own_thread *t);
/* name: at most 15 characters. 0 or ERR_NOMEM. */
int own_thread_start(struct own_thread *t, const char *name, void *(*run)(void *), void *arg);
/* In that thread: whether it is to stop; and sleeps until then, or until it is. Whether to go on.
 */
bool own_thread_stopped(struct own_thread *t);
bool own_thread_sleep(struct own_thread *t, struct ns until);
/* Tells it to stop, and waits for its end, so many ns at most (UINT64_MAX: as long as it takes).
 * Whether it is over; where it is not, it goes on, and t is its own for ever. Nothing happens where
 * it does not run. */
bool own_thread_stop(struct own_thread *t, uint64_t patience);
/* It does not run. */
void own_thread_close(struct own_thread *t);

#endif
