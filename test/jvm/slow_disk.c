/* Preloaded: a disk that takes 4 MB a second, for files whose name ends in ".mfly". Each write
 * waits for what it wrote. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { NS_A_BYTE = 250, MOST_NS = 300000000 };

static int is_trace(int fd)
{
	char link[64], path[4096];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof(path));
	return len > 5 && memcmp(path + len - 5, ".mfly", 5) == 0;
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t len)
{
	static ssize_t (*real)(int, const void *, size_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	long ns = len * NS_A_BYTE < MOST_NS ? (long)len * NS_A_BYTE : MOST_NS;
	if (is_trace(fd))
		nanosleep(&(struct timespec){0, ns}, NULL);
	return real(fd, bytes, len);
}
