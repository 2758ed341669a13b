/* Preloaded: while the file exists that NO_THREADS names, libmayfly.so gets no threads, as where a
 * container has as many as it may have. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *routine(void *);

static int is_agents(routine *run)
{
	Dl_info in;
	void *at;
	memcpy(&at, &run, sizeof(at));
	return dladdr(at, &in) && in.dli_fname && strstr(in.dli_fname, "libmayfly.so");
}

__attribute__((visibility("default"))) int pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, routine *run, void *arg)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, routine *, void *);
	const char *none = getenv("NO_THREADS");
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (none && is_agents(run) && access(none, F_OK) == 0)
		return EAGAIN;
	return real(thread, attr, run, arg);
}
