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
static const struct kind {
	const char *prefix;
	enum vm_work work;
	bool marks;
} kinds[] = {{"GC Thread#", VM_COLLECTS, false}, {"G1 Main Marker", VM_COLLECTS, true},
	{"G1 Conc#", VM_COLLECTS, true}, {"G1 Refine#", VM_COLLECTS, false},
	{"G1 Service", VM_COLLECTS, false}, {"ParGC Thread#", VM_COLLECTS, false},
	{"VM Thread", VM_COLLECTS, false}, {"C1 CompilerThre", VM_COMPILES, false},
	{"C2 CompilerThre", VM_COMPILES, false}};

static const struct kind *kind_of(const char *name)
{
	static const struct kind other = {"", VM_WORKS, false};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return &kinds[i];
	return &other;
}

enum vm_work vm_threads_work(const char *name)
{
	return kind_of(name)->work;
}

static struct vm_thread thread_of(int tasks, const char *number)
{
	char name[TASK_NAME_MAX];
	task_name_read(tasks, number, name);
	const struct kind *k = kind_of(name);
	return (struct vm_thread){
		.tid = (int)strtol(number, NULL, 10), .work = k->work, .marks = k->marks};
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
