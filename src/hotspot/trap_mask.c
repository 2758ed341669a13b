#include "hotspot/trap_mask.h"

#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 64, LINE_SIZE = 256 };

/* The rest of the line of /proc/self/task/TASK/status that begins with `key`. */
static bool read_line(const char *task, const char *key, char line[LINE_SIZE], const char **rest)
{
	char path[PATH_SIZE];
	bool found = false;
	snprintf(path, sizeof(path), "/proc/self/task/%.16s/status", task);
	FILE *file = fopen(path, "re");
	while (file && !found && fgets(line, LINE_SIZE, file))
		found = !strncmp(line, key, strlen(key));
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	*rest = line + (found ? strlen(key) : 0);
	return found;
}

static bool is_named(const char *task, const char *name)
{
	enum { NAME_MAX_KERNEL = 15 };
	char line[LINE_SIZE];
	const char *is;
	return read_line(task, "Name:\t", line, &is) && strlen(is) <= NAME_MAX_KERNEL &&
	       !strncmp(is, name, NAME_MAX_KERNEL);
}

static bool is_open(const char *task)
{
	char line[LINE_SIZE];
	const char *blocked;
	if (!read_line(task, "SigBlk:\t", line, &blocked))
		return false;
	return !(strtoull(blocked, NULL, 16) >> (SIGTRAP - 1) & 1);
}

bool trap_mask_open(const char *thread)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned named = 0, open = 0;
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		if (*e->d_name == '.' || !is_named(e->d_name, thread))
			continue;
		named++;
		open += is_open(e->d_name);
	}
	if (tasks)
		closedir(tasks);
	return named && open == named;
}
