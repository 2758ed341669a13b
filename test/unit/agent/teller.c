#include "agent/teller.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "support/asleep.h"
#include "support/tap.h"
#include "trace/format.h"

enum { REST, TELL, WORK, END };

/* A thread that tells deaths whenever it is asked to, and sleeps. */
static struct {
	struct teller teller;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t asked;
	int ask;
	char folder[64], path[128];
} f;

static void work(void)
{
	volatile uint64_t x = 1;
	for (int i = 0; i < 100000; i++)
		x = x * 3;
}

static void *telling(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&f.lock);
	while (f.ask != END) {
		if (f.ask == TELL)
			teller_tells(&f.teller);
		if (f.ask == WORK)
			work();
		f.ask = REST;
		pthread_cond_broadcast(&f.asked);
		while (f.ask == REST)
			pthread_cond_wait(&f.asked, &f.lock);
	}
	pthread_mutex_unlock(&f.lock);
	return NULL;
}

static void ask(int what)
{
	pthread_mutex_lock(&f.lock);
	f.ask = what;
	pthread_cond_broadcast(&f.asked);
	while (f.ask != REST)
		pthread_cond_wait(&f.asked, &f.lock);
	pthread_mutex_unlock(&f.lock);
	if (atomic_load(&f.teller.tid))
		asleep_wait(atomic_load(&f.teller.tid));
}

static void begin(const char *tasks)
{
	memset(&f, 0, sizeof(f));
	pthread_mutex_init(&f.lock, NULL);
	pthread_cond_init(&f.asked, NULL);
	teller_init(&f.teller, tasks);
	EXPECT_INT(0, pthread_create(&f.thread, NULL, telling, NULL));
}

static void end(void)
{
	pthread_mutex_lock(&f.lock);
	f.ask = END;
	pthread_cond_broadcast(&f.asked);
	pthread_mutex_unlock(&f.lock);
	pthread_join(f.thread, NULL);
}

TEST(nobody_has_told_yet)
{
	struct teller t;
	teller_init(&t, "/proc/self/task");
	EXPECT_INT(0, teller_seen(&t));
	teller_collected(&t);
	EXPECT_INT(0, teller_seen(&t));
}

TEST(a_thread_that_sleeps_was_not_woken)
{
	begin("/proc/self/task");
	ask(TELL);
	EXPECT_INT(0, teller_seen(&f.teller)); /* not since a collection */
	teller_collected(&f.teller);
	EXPECT_INT(GC_NOTHING, teller_seen(&f.teller));
	EXPECT_INT(GC_NOTHING, teller_seen(&f.teller));
	ask(TELL);
	EXPECT_INT(0, teller_seen(&f.teller));
	teller_collected(&f.teller);
	ask(WORK); /* it had a processor, and told nothing */
	EXPECT_INT(0, teller_seen(&f.teller));
	teller_collected(&f.teller);
	EXPECT_INT(GC_NOTHING, teller_seen(&f.teller));
	teller_again(&f.teller);
	EXPECT_INT(0, teller_seen(&f.teller));
	end();
}

/* Says so of the thread, which has a name as may be. */
static void say(const char *rest)
{
	FILE *to = fopen(f.path, "we");
	EXPECT(to != NULL);
	fprintf(to, "%d (a) S (b)%s", atomic_load(&f.teller.tid), rest);
	fclose(to);
}

static void make_folder(void)
{
	char task[96];
	snprintf(f.folder, sizeof(f.folder), "/tmp/mayfly-teller-%ld", (long)getpid());
	snprintf(task, sizeof(task), "%s/%d", f.folder, atomic_load(&f.teller.tid));
	EXPECT_INT(0, mkdir(f.folder, 0700));
	EXPECT_INT(0, mkdir(task, 0700));
	snprintf(f.path, sizeof(f.path), "%s/stat", task);
	f.teller.tasks = f.folder;
}

static void remove_folder(void)
{
	unlink(f.path);
	*strrchr(f.path, '/') = 0;
	EXPECT_INT(0, rmdir(f.path));
	EXPECT_INT(0, rmdir(f.folder));
}

TEST(what_the_system_says_of_it)
{
	static const struct {
		const char *text;
		uint64_t seen;
	} cases[] = {{" R 1 2 3", GC_WAITED}, {" S 1 2 3", GC_NOTHING}, {" D 1", 0},
		{" R", GC_WAITED}, {" ", 0}, {"", 0}, {"S", 0}};
	begin("/proc/self/task");
	ask(TELL);
	make_folder();
	teller_collected(&f.teller);
	EXPECT_INT(0, teller_seen(&f.teller)); /* no file */
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		say(cases[i].text);
		EXPECT_INT(cases[i].seen, teller_seen(&f.teller));
	}
	remove_folder();
	f.teller.tasks = "/proc/self/task";
	end();
}

/* The thread that collects: it runs, whatever it has told. */
TEST(who_walked_the_heap_tells_nothing_by_running)
{
	struct teller t;
	teller_init(&t, "/proc/self/task");
	teller_tells(&t);
	teller_collected(&t);
	EXPECT_INT(0, teller_seen(&t));
}

/* A thread that has ended has no CPU time. */
TEST(it_is_gone)
{
	begin("/proc/self/task");
	ask(TELL);
	teller_collected(&f.teller);
	end();
	EXPECT_INT(0, teller_seen(&f.teller));
}
