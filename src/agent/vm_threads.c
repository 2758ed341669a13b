#include "agent/vm_threads.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/task_name.h"

/* As HotSpot 11 to 25 call them. */
static const struct {
	const char *prefix;
	enum vm_work work;
} names[] = {{"GC Thread#", VM_COLLECTS}, {"G1 Main Marker", VM_COLLECTS},
	{"G1 Conc#", VM_COLLECTS}, {"G1 Refine#", VM_COLLECTS}, {"G1 Service", VM_COLLECTS},
	{"ParGC Thread#", VM_COLLECTS}, {"VM Thread", VM_COLLECTS},
	{"C1 CompilerThre", VM_COMPILES}, {"C2 CompilerThre", VM_COMPILES}};

enum vm_work vm_threads_work(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) == 0)
			return names[i].work;
	return VM_WORKS;
}

static bool marks(const char *name)
{
	return strncmp(name, "G1 Main Marker", 14) == 0 || strncmp(name, "G1 Conc#", 8) == 0;
}

static struct vm_thread thread_of(int tasks, const char *number)
{
	char name[TASK_NAME_MAX];
	task_name_read(tasks, number, name);
	return (struct vm_thread){.tid = (int)strtol(number, NULL, 10),
		.work = vm_threads_work(name),
		.marks = marks(name)};
}

static void add(struct vm_threads *g, const struct vm_thread *t)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->at[i].tid == t->tid)
			return;
	bool compiles = t->work == VM_COMPILES;
	if (g->count == VM_THREADS_ROOM || (compiles && g->compilers == VM_THREADS_COMPILERS))
		return;
	g->compilers += compiles;
	g->at[g->count++] = *t;
}

void vm_threads_find(struct vm_threads *g)
{
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		struct vm_thread t = thread_of(dirfd(tasks), e->d_name);
		if (t.tid > 0 && t.work != VM_WORKS)
			add(g, &t);
	}
	if (tasks)
		closedir(tasks);
}

/* The kernel's id of another thread's CPU clock (clock_getcpuclockid has it for processes only). */
static clockid_t clock_of(int tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

bool vm_thread_cpu(int tid, uint64_t *ns)
{
	struct timespec t;
	if (clock_gettime(clock_of(tid), &t) != 0)
		return false;
	*ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	return true;
}

static uint64_t look(struct vm_thread *t)
{
	vm_thread_cpu(t->tid, &t->ns);
	return t->ns;
}

struct ns vm_threads_cpu(struct vm_threads *g, enum vm_work work)
{
	struct ns sum = {0};
	for (uint32_t i = 0; i < g->count; i++)
		sum.v += g->at[i].work == work ? look(&g->at[i]) : 0;
	return sum;
}

struct ns vm_threads_marked(struct vm_threads *g)
{
	struct ns sum = {0};
	for (uint32_t i = 0; i < g->count; i++)
		sum.v += g->at[i].marks ? look(&g->at[i]) : 0;
	return sum;
}
