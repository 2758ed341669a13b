#include "base/full_path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static bool put(char *out, size_t room, const char *folder, const char *path)
{
	int len = snprintf(out, room, "%s%s%s", folder, strlen(folder) > 1 ? "/" : "", path);
	return len >= 0 && (size_t)len < room;
}

int full_path(const char *path, char *out, size_t room)
{
	char folder[PATH_MAX] = "";
	int err = ERR_NONE;
	if (*path != '/' && !getcwd(folder, sizeof(folder)))
		err = ERR_IO;
	else if (!put(out, room, folder, path))
		err = ERR_LIMIT;
	if (err)
		put(out, room, "", path);
	return err;
}
