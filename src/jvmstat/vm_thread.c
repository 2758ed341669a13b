#include "jvmstat/vm_thread.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 1024, NAME_ROOM = 32 };

/* A thread that has ended meanwhile has no name. */
static bool is_named(const char *tasks, const char *task, const char *begins)
{
	char path[PATH_ROOM], name[NAME_ROOM] = "";
	int n = snprintf(path, sizeof(path), "%s/%s/comm", tasks, task);
	FILE *f = n > 0 && (size_t)n < sizeof(path) ? fopen(path, "re") : NULL;
	if (!f)
		return false;
	bool got = fgets(name, sizeof(name), f) != NULL;
	fclose(f);
	return got && strncmp(name, begins, strlen(begins)) == 0;
}

bool vm_thread_exists(const char *proc, const char *begins)
{
	char tasks[PATH_ROOM];
	int n = snprintf(tasks, sizeof(tasks), "%s/self/task", proc);
	DIR *dir = n > 0 && (size_t)n < sizeof(tasks) ? opendir(tasks) : NULL;
	if (!dir)
		return false;
	bool found = false;
	for (struct dirent *entry; !found && (entry = readdir(dir));)
		found = entry->d_name[0] != '.' && is_named(tasks, entry->d_name, begins);
	closedir(dir);
	return found;
}
