#include "base/real_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { LINKS_MOST = 40 }; /* as Linux has it */

/* What a link in a folder says, as seen from where its own path is. */
static int follow(char path[PATH_MAX], const char *link)
{
	char next[PATH_MAX];
	const char *slash = *link == '/' ? NULL : strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	int len = snprintf(next, sizeof(next), "%.*s%s", folder, path, link);
	if (len < 0 || len >= PATH_MAX)
		return ERR_LIMIT;
	memcpy(path, next, (size_t)len + 1);
	return ERR_NONE;
}

int real_path(const char *path, char out[PATH_MAX])
{
	char link[PATH_MAX];
	if (realpath(path, out))
		return ERR_NONE;
	if (snprintf(out, PATH_MAX, "%s", path) >= PATH_MAX)
		return ERR_LIMIT;
	for (int i = 0; i < LINKS_MOST; i++) {
		ssize_t len = readlink(out, link, sizeof(link) - 1);
		if (len < 0)
			return ERR_NONE;
		link[len] = '\0';
		int err = follow(out, link);
		if (err)
			return err;
	}
	return ERR_LIMIT;
}
