#include "exact/sentry.h"

#include <stddef.h>

#include "exact/aged_mark.h"

/* Not while a lock or a walk has the mark, which may be on right now. Its age begins anew: with the
 * greatest, the bit would say that it had jumped. */
static bool mark(uintptr_t address)
{
	uint64_t is = object_mark(address);
	return (is & 7) == MARK_UNLOCKED && __atomic_compare_exchange_n((uint64_t *)address, &is,
						    (is & ~(uint64_t)BIRTH_AGES) | BIRTH_SEEN_OLD,
						    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void sentry_watch(struct sentry *s, void *variable)
{
	s->walked = variable;
	s->left = variable ? *s->walked : 0;
}

void sentry_post(struct sentry *s, const void *cell)
{
	s->at = cell;
	s->stands = mark(*s->at);
}

bool sentry_gone(const struct sentry *s)
{
	if (s->walked)
		return *s->walked != s->left;
	if (!s->at || !s->stands)
		return false;
	uint64_t is = object_mark(*s->at);
	return (is & 7) == MARK_UNLOCKED && !(is & BIRTH_SEEN_OLD);
}

void sentry_renew(struct sentry *s)
{
	if (s->walked)
		*s->walked = s->left = 0;
	s->stands = s->at && mark(*s->at);
}
