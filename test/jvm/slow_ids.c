/* Preloaded: who waits for the VM's lock on new jmethodIDs waits longer, one time in four, so that
 * others change meanwhile what it has looked at before. The lock is known by its name, which is
 * near the pthread mutex in the VM's own (17 to 21). When it has been found the file SLOW_IDS is
 * made. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 16, NS = 300000, ONE_IN = 4, LOOKS = 256 };

static const char name[] = "JmethodIdCreation_lock";
static _Atomic(pthread_mutex_t *) the_lock;

static bool peek(uintptr_t at, void *out, size_t size)
{
	struct iovec from = {(void *)at, size}, to = {out, size};
	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

static bool names_it(uintptr_t at)
{
	uintptr_t to = 0;
	char text[sizeof(name)] = "";
	return peek(at, &to, sizeof(to)) && to > 4096 && peek(to, text, sizeof(text)) &&
	       memcmp(text, name, sizeof(name)) == 0;
}

/* Looks at the words around a mutex that was not looked at lately. */
static bool is_it(pthread_mutex_t *m)
{
	static _Atomic(pthread_mutex_t *) seen[LOOKS];
	_Atomic(pthread_mutex_t *) *slot = &seen[(uintptr_t)m / 16 % LOOKS];
	if (atomic_exchange(slot, m) == m)
		return false;
	for (uintptr_t i = 1; i <= WORDS; i++)
		if (names_it((uintptr_t)m - 8 * i) ||
			names_it((uintptr_t)m + sizeof(*m) + 8 * (i - 1)))
			return true;
	return false;
}

static void keep(pthread_mutex_t *m)
{
	const char *path = getenv("SLOW_IDS");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
	atomic_store(&the_lock, m);
	if (fd >= 0)
		close(fd);
}

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t *m)
{
	static int (*real)(pthread_mutex_t *);
	static atomic_uint count;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	if (!atomic_load(&the_lock) && is_it(m))
		keep(m);
	if (m == atomic_load(&the_lock) && atomic_fetch_add(&count, 1) % ONE_IN == 0)
		nanosleep(&(struct timespec){0, NS}, NULL);
	return real(m);
}
