#include "jvmstat/vm_thread.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "support/tap.h"

static void *named(void *arg)
{
	pthread_barrier_t *both = arg;
	prctl(PR_SET_NAME, "Regulator Thread of some kind");
	pthread_barrier_wait(both);
	pthread_barrier_wait(both);
	return NULL;
}

/* A thread of this process, while it runs. */
TEST(a_thread_by_the_beginning_of_its_name)
{
	pthread_barrier_t both;
	pthread_t thread;
	EXPECT(!vm_thread_exists("/proc", "Regulator Thre"));
	EXPECT_INT(0, pthread_barrier_init(&both, NULL, 2));
	EXPECT_INT(0, pthread_create(&thread, NULL, named, &both));
	pthread_barrier_wait(&both);
	EXPECT(vm_thread_exists("/proc", "Regulator Thre"));
	EXPECT(vm_thread_exists("/proc", "Regulator Threa"));
	EXPECT(!vm_thread_exists("/proc", "regulator"));
	EXPECT(!vm_thread_exists("/proc", "Regulator Thread")); /* the kernel keeps 15 bytes */
	pthread_barrier_wait(&both);
	EXPECT_INT(0, pthread_join(thread, NULL));
	pthread_barrier_destroy(&both);
}

TEST(where_there_is_no_procfs)
{
	char deep[2000];
	memset(deep, 'x', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	EXPECT(!vm_thread_exists("/nowhere", ""));
	EXPECT(!vm_thread_exists(deep, ""));
}
