#include "agent/own_thread.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "support/tap.h"

enum { FOREVER_S = 3600, SECOND = 1000000000 };

static struct own_thread own;
static _Atomic int woken;
static _Atomic bool blocked, let_go;

static struct ns in(uint64_t seconds)
{
	return (struct ns){clock_now().v + seconds * SECOND};
}

/* Sleeps for an hour at a time. */
static void *sleeper(void *arg)
{
	sigset_t mask;
	EXPECT(arg == &own);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	atomic_store(&blocked, sigismember(&mask, SIGUSR1) == 1);
	while (own_thread_sleep(&own, in(FOREVER_S)))
		atomic_fetch_add(&woken, 1);
	EXPECT(own_thread_stopped(&own));
	return NULL;
}

/* Without a word of its owner it would not end within the test's time. Told before it sleeps, or as
 * it does. */
TEST(who_sleeps_is_woken_to_stop)
{
	for (int turns = 0; turns < 100; turns++) {
		own_thread_open(&own);
		atomic_store(&blocked, false);
		EXPECT(!own_thread_stopped(&own));
		EXPECT_INT(0, own_thread_start(&own, "sleeper", sleeper, &own));
		for (int i = 0; i < turns; i++)
			sched_yield();
		EXPECT(own_thread_stop(&own, UINT64_MAX));
		EXPECT(atomic_load(&blocked));
		EXPECT(own_thread_stop(&own, 0)); /* it does not run any more */
		own_thread_close(&own);
	}
	EXPECT_INT(0, atomic_load(&woken));
}

TEST(its_owner_takes_signals_as_before)
{
	sigset_t mask;
	own_thread_open(&own);
	EXPECT_INT(0, own_thread_start(&own, "sleeper", sleeper, &own));
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	EXPECT(!sigismember(&mask, SIGUSR1));
	EXPECT(own_thread_stop(&own, UINT64_MAX));
	own_thread_close(&own);
}

static void *napper(void *arg)
{
	struct ns until = {clock_now().v + 2000000};
	(void)arg;
	EXPECT(own_thread_sleep(&own, until));
	EXPECT(clock_now().v >= until.v);
	atomic_store(&woken, 7);
	while (!own_thread_stopped(&own))
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	return NULL;
}

TEST(it_goes_on_when_its_time_has_come)
{
	atomic_store(&woken, 0);
	own_thread_open(&own);
	EXPECT_INT(0, own_thread_start(&own, "napper", napper, NULL));
	while (atomic_load(&woken) != 7)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	EXPECT(own_thread_stop(&own, (uint64_t)FOREVER_S * SECOND));
	own_thread_close(&own);
}

static void *deaf(void *arg)
{
	(void)arg;
	while (!atomic_load(&let_go))
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	atomic_store(&let_go, false);
	return NULL;
}

TEST(patience_has_an_end)
{
	own_thread_open(&own);
	EXPECT_INT(0, own_thread_start(&own, "deaf", deaf, NULL));
	uint64_t from = clock_now().v;
	EXPECT(!own_thread_stop(&own, 3000000));
	EXPECT(clock_now().v - from >= 2900000); /* by another clock */
	atomic_store(&let_go, true);
	while (atomic_load(&let_go))
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	own_thread_close(&own);
}

TEST(what_was_never_started_is_over)
{
	own_thread_open(&own);
	EXPECT(own_thread_stop(&own, UINT64_MAX));
	EXPECT(own_thread_stopped(&own));
	own_thread_close(&own);
}
