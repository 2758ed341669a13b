#include "agent/vm_threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "support/tap.h"

TEST(names)
{
	static const char *const yes[] = {"GC Thread#0", "GC Thread#11", "G1 Main Marker",
		"G1 Conc#1", "G1 Refine#0", "G1 Service", "VM Thread"};
	static const char *const no[] = {
		"java", "C2 Compiler", "G1", "Finalizer", "VM Periodic Tas", "mayfly", ""};
	static const char *const compile[] = {"C2 CompilerThre", "C1 CompilerThre"};
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		EXPECT_INT(VM_COLLECTS, vm_threads_work(yes[i]));
	for (size_t i = 0; i < sizeof(compile) / sizeof(compile[0]); i++)
		EXPECT_INT(VM_COMPILES, vm_threads_work(compile[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		EXPECT_INT(VM_WORKS, vm_threads_work(no[i]));
}

struct burner {
	_Atomic int stage; /* 1: burnt, 2: may end */
	uint64_t ns;       /* by its own clock */
	const char *name;
};

static uint64_t own_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *burn(void *arg)
{
	struct burner *b = arg;
	pthread_setname_np(pthread_self(), b->name);
	while (own_cpu() < 20000000) {
	}
	b->ns = own_cpu();
	atomic_store(&b->stage, 1);
	while (atomic_load(&b->stage) != 2) {
	}
	return NULL;
}

static void await(struct burner *b)
{
	while (atomic_load(&b->stage) != 1) {
	}
}

/* The kernel lets go of a thread some time after it was joined. */
static void await_gone(int tid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%d", tid);
	while (access(path, F_OK) == 0) {
	}
}

TEST(time_of_those_that_collect_and_of_those_that_compile)
{
	struct vm_threads g = {.count = 0};
	struct burner collects = {.name = "GC Thread#0"}, works = {.name = "worker"},
		      compiles = {.name = "C2 CompilerThre"};
	pthread_t a, b, c;
	vm_threads_find(&g);
	EXPECT(vm_threads_cpu(&g, VM_COLLECTS).v == 0);
	pthread_create(&a, NULL, burn, &collects);
	pthread_create(&b, NULL, burn, &works);
	pthread_create(&c, NULL, burn, &compiles);
	await(&collects);
	await(&compiles);
	await(&works);
	vm_threads_find(&g);
	vm_threads_find(&g);
	uint64_t got = vm_threads_cpu(&g, VM_COLLECTS).v;
	EXPECT_INT(2, g.count);
	EXPECT(vm_threads_cpu(&g, VM_COMPILES).v >= compiles.ns);
	EXPECT(got >= collects.ns); /* it waits, which takes time as well */
	atomic_store(&collects.stage, 2);
	pthread_join(a, NULL);
	await_gone(g.at[g.at[0].work == VM_COMPILES].tid);
	uint64_t after = vm_threads_cpu(&g, VM_COLLECTS).v;
	EXPECT(after >= got); /* what has ended counts on */
	EXPECT(vm_threads_cpu(&g, VM_COLLECTS).v == after);
	atomic_store(&works.stage, 2);
	atomic_store(&compiles.stage, 2);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
}

static void *rest(void *arg)
{
	_Atomic int *stage = arg;
	pthread_setname_np(pthread_self(), "C2 CompilerThre");
	atomic_fetch_add(stage, 1);
	while (atomic_load(stage) < 1000)
		usleep(1000);
	return NULL;
}

/* They are among those that collect. */
TEST(those_that_mark)
{
	static struct vm_threads g;
	struct burner marks = {.name = "G1 Conc#0"}, collects = {.name = "GC Thread#0"};
	pthread_t a, b;
	g = (struct vm_threads){.count = 0};
	pthread_create(&a, NULL, burn, &marks);
	pthread_create(&b, NULL, burn, &collects);
	await(&marks);
	await(&collects);
	vm_threads_find(&g);
	EXPECT_INT(2, g.count);
	EXPECT(vm_threads_marked(&g).v >= marks.ns);
	atomic_store(&marks.stage, 2);
	pthread_join(a, NULL);
	await_gone(g.at[!g.at[0].marks].tid);
	uint64_t marked = vm_threads_marked(&g).v;
	EXPECT(marked >= marks.ns);
	EXPECT(vm_threads_cpu(&g, VM_COLLECTS).v >= marked + collects.ns);
	EXPECT(vm_threads_marked(&g).v == marked);
	atomic_store(&collects.stage, 2);
	pthread_join(b, NULL);
}

/* Compilers come and go for as long as a program runs. */
TEST(compilers_leave_room_for_those_that_collect)
{
	enum { MANY = VM_THREADS_COMPILERS + 4, NOBODY = 1 << 24 /* no tid is as large */ };
	static struct vm_threads g;
	struct burner collects = {.name = "GC Thread#0"};
	pthread_t all[MANY], a;
	_Atomic int stage = 0;
	g = (struct vm_threads){.count = VM_THREADS_ROOM - VM_THREADS_COMPILERS - 1};
	for (uint32_t i = 0; i < g.count; i++)
		g.at[i] = (struct vm_thread){.tid = NOBODY + (int)i, .work = VM_COLLECTS};
	for (int i = 0; i < MANY; i++)
		pthread_create(&all[i], NULL, rest, &stage);
	while (atomic_load(&stage) < MANY)
		usleep(1000);
	vm_threads_find(&g);
	EXPECT_INT(0, vm_threads_cpu(&g, VM_COLLECTS).v);
	EXPECT_INT(VM_THREADS_COMPILERS, g.compilers);
	EXPECT_INT(VM_THREADS_ROOM - 1, g.count);
	pthread_create(&a, NULL, burn, &collects);
	await(&collects);
	vm_threads_find(&g);
	EXPECT_INT(VM_THREADS_ROOM, g.count);
	EXPECT_INT(VM_COLLECTS, g.at[VM_THREADS_ROOM - 1].work);
	EXPECT(vm_threads_cpu(&g, VM_COLLECTS).v >= collects.ns);
	atomic_store(&collects.stage, 2);
	atomic_store(&stage, 1000);
	pthread_join(a, NULL);
	for (int i = 0; i < MANY; i++)
		pthread_join(all[i], NULL);
}
