/*
 * An object of our own, which nobody else knows, with a bit in its mark that only mayfly uses. When
 * it is gone at a collection's begin, something has made marks anew since the last one ended:
 * before JDK 18 or so, JVMTI's heap walks do (FollowReferences, which a debugger's counts of
 * instances use), and what was alive then has lost its site. A walk that does not come by the
 * object, since it begins elsewhere or was broken off, is not noticed.
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
};

/* The object is in the cell, and does not move while this runs. */
void sentry_post(struct sentry *s, const void *cell);
/* At a collection's begin: whether the bit has gone. */
bool sentry_gone(const struct sentry *s);
/* At its end: it is to be there from now on. */
void sentry_renew(struct sentry *s);

#endif
