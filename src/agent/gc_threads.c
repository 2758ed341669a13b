#include "agent/gc_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"

/* As HotSpot 11 to 25 call them. */
static const char *const prefixes[] = {"GC Thread#", "G1 Main Marker", "G1 Conc#", "G1 Refine#",
	"G1 Service", "ParGC Thread#", "VM Thread"};

int gc_threads_is(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return 1;
	return 0;
}

static int is_gc(int tasks, const char *tid)
{
	char path[64], name[32];
	snprintf(path, sizeof(path), "%.20s/comm", tid);
	int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t got = read(fd, name, sizeof(name) - 1);
	close(fd);
	name[got > 0 ? got : 0] = '\0';
	return gc_threads_is(name);
}

static void add(struct gc_threads *g, int tid)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->at[i].tid == tid)
			return;
	if (g->count < GC_THREADS_ROOM)
		g->at[g->count++] = (struct gc_thread){.tid = tid};
}

void gc_threads_find(struct gc_threads *g)
{
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		int tid = atoi(e->d_name);
		if (tid > 0 && is_gc(dirfd(tasks), e->d_name))
			add(g, tid);
	}
	if (tasks)
		closedir(tasks);
}

/* The kernel's id of another thread's CPU clock (clock_getcpuclockid has it for processes only). */
static clockid_t clock_of(int tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

struct ns gc_threads_cpu(struct gc_threads *g)
{
	struct ns sum = {0};
	struct timespec t;
	for (uint32_t i = 0; i < g->count; i++) {
		if (clock_gettime(clock_of(g->at[i].tid), &t) == 0)
			g->at[i].ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
		sum.v += g->at[i].ns;
	}
	return sum;
}
