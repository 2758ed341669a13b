/* Preloaded: a second after the agent has first asked how much memory there is, one megabyte is
 * left. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int little(void)
{
	static const char text[] = "MemTotal: 100000 kB\nMemAvailable: 1000 kB\n";
	int fd = memfd_create("meminfo", MFD_CLOEXEC);
	if (fd >= 0 && (write(fd, text, sizeof(text) - 1) < 0 || lseek(fd, 0, SEEK_SET) < 0))
		return -1;
	return fd;
}

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	static time_t first;
	struct timespec now;
	va_list more;
	va_start(more, flags);
	mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "open");
	if (strcmp(path, "/proc/meminfo") != 0)
		return real(path, flags, mode);
	clock_gettime(CLOCK_MONOTONIC, &now);
	first = first ? first : now.tv_sec;
	return now.tv_sec > first + 1 ? little() : real(path, flags, mode);
}
