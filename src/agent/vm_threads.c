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

static enum vm_work work_of(int tasks, const char *tid)
{
	char name[TASK_NAME_MAX];
	task_name_read(tasks, tid, name);
	return vm_threads_work(name);
}

static void add(struct vm_threads *g, int tid, enum vm_work work)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->at[i].tid == tid)
			return;
	bool compiles = work == VM_COMPILES;
	if (g->count == VM_THREADS_ROOM || (compiles && g->compilers == VM_THREADS_COMPILERS))
		return;
	g->compilers += compiles;
	g->at[g->count++] = (struct vm_thread){.tid = tid, .work = work};
}

void vm_threads_find(struct vm_threads *g)
{
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		int tid = (int)strtol(e->d_name, NULL, 10);
		enum vm_work work = tid > 0 ? work_of(dirfd(tasks), e->d_name) : VM_WORKS;
		if (work != VM_WORKS)
			add(g, tid, work);
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

struct ns vm_threads_cpu(struct vm_threads *g, enum vm_work work)
{
	struct ns sum = {0};
	for (uint32_t i = 0; i < g->count; i++) {
		if (g->at[i].work != work)
			continue;
		vm_thread_cpu(g->at[i].tid, &g->at[i].ns);
		sum.v += g->at[i].ns;
	}
	return sum;
}
