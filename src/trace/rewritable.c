#include "trace/rewritable.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/format.h"

static bool begins_as_a_trace(int fd)
{
	char magic[sizeof(FORMAT_FILE_MAGIC) - 1];
	ssize_t n = pread(fd, magic, sizeof(magic), 0);
	return n < 0 ||
	       (n == sizeof(magic) && memcmp(magic, FORMAT_FILE_MAGIC, sizeof(magic)) == 0);
}

bool rewritable(const char *path)
{
	struct stat st;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return true;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return true;
	bool ours = begins_as_a_trace(fd);
	close(fd);
	return ours;
}
