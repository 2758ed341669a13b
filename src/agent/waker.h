/*
 * What wakes the writer thread: a pair of sockets, of which it polls one and others write to the
 * other. No eventfd, which could not be told from the program's own (base/own_fd.h), and no pipe,
 * which would raise SIGPIPE in whoever calls when the program has closed its other end.
 */
#ifndef AGENT_WAKER_H
#define AGENT_WAKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/own_fd.h"

struct waker {
	struct own_fd writer, caller; /* its ends; they stay what they are from open to close */
	bool alone;                   /* the writer's own: it knows that nobody wakes it */
};                                    /* all zeros: none */

/* 0; ERR_IO, with errno. */
int waker_open(struct waker *w);
/* The writer looks at once what there is to do. Lock-free, and nothing is waited for: in any
 * thread, inside a pause too. */
void waker_call(const struct waker *w);
/* The writer's: what is to be polled for reading; -1: the program closed it, and nobody calls. */
int waker_awaits(const struct waker *w);
/* The writer's, after that: so often it was called. */
size_t waker_heed(const struct waker *w);
/* The writer's: whether it has been closed by others, and this is the first time to say so. */
bool waker_lost(struct waker *w);
/* Nobody calls any more. */
void waker_close(struct waker *w);

#endif
