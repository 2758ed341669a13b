#include "hotspot/trap_mask.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "support/tap.h"

static pthread_barrier_t ready, done;

static void *stand(void *name)
{
	pthread_setname_np(pthread_self(), name);
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&done);
	return NULL;
}

/* A thread that was made while so many signals were blocked. */
static bool is_open_in(const sigset_t *blocked, char *name)
{
	pthread_t thread;
	sigset_t before;
	pthread_barrier_init(&ready, NULL, 2);
	pthread_barrier_init(&done, NULL, 2);
	pthread_sigmask(SIG_SETMASK, blocked, &before);
	EXPECT_INT(0, pthread_create(&thread, NULL, stand, name));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_barrier_wait(&ready);
	bool open = trap_mask_open(name);
	pthread_barrier_wait(&done);
	pthread_join(thread, NULL);
	return open;
}

TEST(a_mask_is_inherited)
{
	char name[] = "VM Thread";
	sigset_t mask;
	sigemptyset(&mask);
	EXPECT(is_open_in(&mask, name));
	sigaddset(&mask, SIGUSR1);
	EXPECT(is_open_in(&mask, name));
	sigaddset(&mask, SIGTRAP);
	EXPECT(!is_open_in(&mask, name));
}

TEST(nobody_takes_it)
{
	EXPECT(!trap_mask_open("no such thread"));
	EXPECT(!trap_mask_open(""));
}
