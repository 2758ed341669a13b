/* Preloaded: the agent is slow at giving back what it needed in a full collection, which the
 * program waits for, and its clock goes 50 times as fast. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { NS = 50000000, FASTER = 50, SECOND = 1000000000 };

static bool is_agent(const void *caller)
{
	Dl_info info;
	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libmayfly");
}

__attribute__((visibility("default"))) int madvise(void *at, size_t bytes, int advice)
{
	static int (*real)(void *, size_t, int);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "madvise");
	if (advice == MADV_DONTNEED && is_agent(__builtin_return_address(0)))
		nanosleep(&(struct timespec){0, NS}, NULL);
	return real(at, bytes, advice);
}

/* From where it stood first: a time that is set by it must not lie in the past. */
static void hurry(struct timespec *t)
{
	static time_t first;
	if (!first)
		first = t->tv_sec;
	long long ns = (long long)(t->tv_sec - first) * SECOND + t->tv_nsec;
	ns *= FASTER;
	t->tv_sec = first + (time_t)(ns / SECOND);
	t->tv_nsec = (long)(ns % SECOND);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t id, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	int err = real(id, t);
	if (!err && id == CLOCK_MONOTONIC && is_agent(__builtin_return_address(0)))
		hurry(t);
	return err;
}
