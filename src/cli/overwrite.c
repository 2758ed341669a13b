#include "cli/overwrite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

enum { CHUNK = 65536 };

bool overwrite_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether the marker, shorter than CHUNK / 2, is in the file. */
static bool holds(FILE *f, const char *marker)
{
	char chunk[CHUNK];
	size_t len = strlen(marker), kept = 0, got;
	while ((got = fread(chunk + kept, 1, sizeof(chunk) - kept, f)) > 0) {
		size_t used = kept + got;
		if (memmem(chunk, used, marker, len))
			return true;
		/* It may begin at the end of this chunk. */
		kept = used < len - 1 ? used : len - 1;
		memmove(chunk, chunk + used - kept, kept);
	}
	return false;
}

int overwrite_check(const char *path, const char *marker, const char *what, struct diag *d)
{
	struct stat st;
	if (stat(path, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return ERR_NONE;
	if (S_ISDIR(st.st_mode))
		return diag_set(d, ERR_DENIED, "%s is a folder", path);
	if (st.st_size == 0)
		return ERR_NONE;
	FILE *f = fopen(path, "rb");
	if (!f)
		return diag_set(d, ERR_IO,
			"%s is there and can't be read (%s): --force writes over it", path,
			strerror(errno));
	bool ours = holds(f, marker);
	fclose(f);
	if (ours)
		return ERR_NONE;
	return diag_set(
		d, ERR_DENIED, "%s is there and is not %s: --force writes over it", path, what);
}
