/*
 * Whether something has made marks anew since the last collection ended: before JDK 18 or so,
 * JVMTI's heap walks do (FollowReferences, which a debugger's counts of instances use), and what
 * was alive then has lost its site.
 *
 * Each such walk leaves the address of what it has freed in a variable of the VM, which nobody
 * reads before the next one sets it: so it is made 0 in each collection, when no walk is on.
 *
 * Where the variable has no name there is an object of our own, which nobody else knows, with a bit
 * in its mark that only mayfly uses. A walk that does not come by it, since it begins elsewhere or
 * was broken off, is not noticed.
 */
#ifndef EXACT_SENTRY_H
#define EXACT_SENTRY_H

#include <stdbool.h>
#include <stdint.h>

struct sentry {
	/* Where the VM keeps the object's address, and changes it as the object is moved; borrowed.
	 * NULL: there is none, and nothing is noticed. */
	const volatile uintptr_t *at;
	bool stands; /* the bit was there when it was set last */
	/* The VM's variable; borrowed. NULL: the object does. */
	volatile uintptr_t *walked;
	uintptr_t left; /* what it was when it was looked at last */
};

/* The variable, where there is one; a walk may be on. Before the first collection's end a walk that
 * leaves just what one has left before is not noticed. */
void sentry_watch(struct sentry *s, void *variable);

/* The object is in the cell, and does not move while this runs. */
void sentry_post(struct sentry *s, const void *cell);
/* At a collection's begin: whether the bit has gone, or the variable was set. */
bool sentry_gone(const struct sentry *s);
/* At its end: from now on. */
void sentry_renew(struct sentry *s);

#endif
