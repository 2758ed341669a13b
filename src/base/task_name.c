#include "base/task_name.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void task_name_read(int tasks, const char *id, char out[TASK_NAME_MAX])
{
	char path[64];
	out[0] = '\0';
	snprintf(path, sizeof(path), "%.20s/comm", id);
	int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t got = read(fd, out, TASK_NAME_MAX - 1);
	close(fd);
	out[got > 0 ? got : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}
