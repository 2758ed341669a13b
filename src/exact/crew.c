#include "exact/crew.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { STACK_BYTES = 128 * 1024 };
#define SHUT (1u << 31) /* of the gate; the rest of it counts who is inside */

static void wait_for(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR) {
	}
}

/* Who was woken too late finds it shut: nobody waits for one that has not begun. */
static bool enter(struct crew *c)
{
	uint32_t inside = atomic_load(&c->gate);
	while (inside < SHUT)
		if (atomic_compare_exchange_weak(&c->gate, &inside, inside + 1))
			return true;
	return false;
}

static void leave(struct crew *c)
{
	if (atomic_fetch_sub(&c->gate, 1) == SHUT + 1)
		sem_post(&c->done);
}

static void *serve(void *arg)
{
	struct crew_member *m = arg;
	struct crew *c = m->crew;
	for (;;) {
		wait_for(&m->go);
		if (atomic_load(&c->stopped))
			return NULL;
		if (!enter(c))
			continue;
		c->work(c->arg, m->worker);
		leave(c);
	}
}

static bool hire(struct crew *c, const pthread_attr_t *attr)
{
	struct crew_member *m = &c->members[c->count];
	*m = (struct crew_member){.crew = c, .worker = c->count + 1};
	sem_init(&m->go, 0, 0);
	if (pthread_create(&m->thread, attr, serve, m)) {
		sem_destroy(&m->go);
		return false;
	}
	pthread_setname_np(m->thread, "mayfly-scan");
	c->count++;
	return true;
}

void crew_start(struct crew *c, uint32_t count)
{
	sigset_t all, before;
	pthread_attr_t attr;
	memset(c, 0, sizeof(*c));
	sem_init(&c->done, 0, 0);
	atomic_store(&c->gate, SHUT);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	while (c->count < count && c->count < CREW_MAX && hire(c, &attr)) {
	}
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void crew_work(struct crew *c, crew_do *work, void *arg)
{
	c->work = work;
	c->arg = arg;
	atomic_store(&c->gate, 0);
	for (uint32_t i = 0; i < c->count; i++)
		sem_post(&c->members[i].go);
	work(arg, 0);
	if (atomic_fetch_or(&c->gate, SHUT) > 0)
		wait_for(&c->done);
}

void crew_stop(struct crew *c)
{
	atomic_store(&c->stopped, true);
	for (uint32_t i = 0; i < c->count; i++)
		sem_post(&c->members[i].go);
	for (uint32_t i = 0; i < c->count; i++) {
		pthread_join(c->members[i].thread, NULL);
		sem_destroy(&c->members[i].go);
	}
	if (c->count)
		sem_destroy(&c->done);
	c->count = 0;
}
