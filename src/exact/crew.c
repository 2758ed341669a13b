#include "exact/crew.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { STACK_BYTES = 128 * 1024 };

static void wait_for(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR) {
	}
}

static void *serve(void *arg)
{
	struct crew_member *m = arg;
	for (;;) {
		wait_for(&m->go);
		if (!m->crew->work)
			return NULL;
		m->crew->work(m->crew->arg, m->worker);
		sem_post(&m->crew->done);
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
	for (uint32_t i = 0; i < c->count; i++)
		sem_post(&c->members[i].go);
	work(arg, 0);
	for (uint32_t i = 0; i < c->count; i++)
		wait_for(&c->done);
}

void crew_stop(struct crew *c)
{
	c->work = NULL;
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
