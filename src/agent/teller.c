#include "agent/teller.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/vm_threads.h"
#include "trace/format.h"

void teller_init(struct teller *t, const char *tasks)
{
	memset(t, 0, sizeof(*t));
	t->tasks = tasks;
}

void teller_again(struct teller *t)
{
	t->known = false;
}

void teller_tells(struct teller *t)
{
	uintptr_t self = (uintptr_t)pthread_self();
	atomic_store_explicit(&t->told, true, memory_order_relaxed);
	if (atomic_load_explicit(&t->thread, memory_order_relaxed) == self)
		return;
	atomic_store_explicit(&t->tid, (int)syscall(SYS_gettid), memory_order_relaxed);
	atomic_store_explicit(&t->thread, self, memory_order_relaxed);
}

/* False: there is no such thread, or one that does much else: it tells where a tool walks the heap,
 * and collects. */
static bool cpu_of(const struct teller *t, uint64_t *ns)
{
	uintptr_t thread = atomic_load_explicit(&t->thread, memory_order_relaxed);
	int tid = atomic_load_explicit(&t->tid, memory_order_relaxed);
	return thread && thread != (uintptr_t)pthread_self() && vm_thread_cpu(tid, ns);
}

void teller_collected(struct teller *t)
{
	atomic_store_explicit(&t->told, false, memory_order_relaxed);
	t->known = cpu_of(t, &t->cpu);
}

/* As the system has it: R S D T t Z X …; 0: it doesn't say. What stands before it is the thread's
 * name, in parentheses, and may have some of its own. */
static char state_of(const struct teller *t)
{
	char path[64], text[128];
	int tid = atomic_load_explicit(&t->tid, memory_order_relaxed);
	snprintf(path, sizeof(path), "%s/%d/stat", t->tasks, tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[size < 0 ? 0 : size] = 0;
	const char *name = strrchr(text, ')');
	if (!name || name[1] != ' ')
		return 0;
	return name[2];
}

uint64_t teller_seen(const struct teller *t)
{
	uint64_t now;
	if (!t->known || atomic_load_explicit(&t->told, memory_order_relaxed) || !cpu_of(t, &now) ||
		now != t->cpu)
		return 0;
	char state = state_of(t);
	return state == 'R' ? GC_WAITED : state == 'S' ? GC_NOTHING : 0;
}
