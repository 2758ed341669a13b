#include "agent/own_thread.h"

#include <signal.h>
#include <time.h>

#include "base/error.h"

void own_thread_open(struct own_thread *t)
{
	pthread_condattr_t attr;
	*t = (struct own_thread){.stop = false};
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&t->lock, NULL);
}

int own_thread_start(struct own_thread *t, const char *name, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	t->runs = pthread_create(&t->thread, NULL, run, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (t->runs)
		pthread_setname_np(t->thread, name);
	return t->runs ? ERR_NONE : ERR_NOMEM;
}

bool own_thread_stopped(struct own_thread *t)
{
	pthread_mutex_lock(&t->lock);
	bool stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	return stop;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
}

bool own_thread_sleep(struct own_thread *t, struct ns until)
{
	struct timespec at = timespec_of(until.v);
	pthread_mutex_lock(&t->lock);
	while (!t->stop && pthread_cond_timedwait(&t->changed, &t->lock, &at) == 0) {
	}
	bool on = !t->stop;
	pthread_mutex_unlock(&t->lock);
	return on;
}

static bool await(struct own_thread *t, uint64_t patience)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	struct timespec until =
		timespec_of((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + patience);
	if (pthread_timedjoin_np(t->thread, NULL, &until) == 0)
		return true;
	pthread_detach(t->thread);
	return false;
}

bool own_thread_stop(struct own_thread *t, uint64_t patience)
{
	bool over = true;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	if (!t->runs)
		return true;
	if (patience == UINT64_MAX)
		pthread_join(t->thread, NULL);
	else
		over = await(t, patience);
	t->runs = false;
	return over;
}

void own_thread_close(struct own_thread *t)
{
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
}
