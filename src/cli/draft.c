#include "cli/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

enum { MODE = 0666, SUFFIX = 8 };

static const char pattern[] = ".XXXXXX";

static int refuse(const struct draft *d, struct diag *diag)
{
	int err = errno == EACCES || errno == EPERM || errno == EROFS ? ERR_DENIED : ERR_IO;
	return diag_set(diag, err, "%s can't be written: %s", d->path, strerror(errno));
}

/* Where the path leads; NULL: out of memory. What is not there yet leads to itself. */
static char *resolve(const char *path)
{
	char real[PATH_MAX];
	const char *target = realpath(path, real) ? real : path;
	return mem_strndup(target, strlen(target));
}

/* "TARGET.XXXXXX"; NULL: out of memory. */
static char *beside(const char *target)
{
	size_t len = strlen(target);
	char *name = mem_alloc(len + SUFFIX);
	if (name)
		snprintf(name, len + SUFFIX, "%s%s", target, pattern);
	return name;
}

/* A file in the target's folder that has no name; -1 where that can't be. */
static int open_nameless(const char *target)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(target, '/');
	size_t len = slash ? (size_t)(slash - target) + 1 : 0;
	if (len >= sizeof(folder))
		return -1;
	memcpy(folder, target, len);
	folder[len] = '\0';
	return open(len ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE);
}

/* A file of its own beside the target, with the mode that a new file has. */
static int open_named(char *name)
{
	int fd = mkostemp(name, O_CLOEXEC);
	mode_t mask = umask(0);
	umask(mask);
	if (fd >= 0 && fchmod(fd, MODE & ~mask)) {
		close(fd);
		unlink(name);
		return -1;
	}
	return fd;
}

static bool is_in_place(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static int open_beside(struct draft *d, bool named, struct diag *diag)
{
	d->target = resolve(d->path);
	d->temporary = d->target ? beside(d->target) : NULL;
	if (!d->temporary)
		return ERR_NOMEM;
	d->fd = named ? -1 : open_nameless(d->target);
	d->nameless = d->fd >= 0;
	if (d->fd < 0)
		d->fd = open_named(d->temporary);
	return d->fd < 0 ? refuse(d, diag) : ERR_NONE;
}

static void release(struct draft *d)
{
	mem_free(d->target);
	mem_free(d->temporary);
	d->target = d->temporary = NULL;
}

int draft_open(struct draft *d, const char *path, bool named, struct diag *diag)
{
	int err = ERR_NONE;
	*d = (struct draft){.path = path, .fd = -1};
	if (is_in_place(path)) {
		d->fd = open(path, O_WRONLY | O_CLOEXEC);
		err = d->fd < 0 ? refuse(d, diag) : ERR_NONE;
	} else {
		err = open_beside(d, named, diag);
	}
	if (err)
		release(d);
	return err;
}

static int put(void *arg, const void *bytes, size_t len)
{
	struct draft *d = arg;
	struct sink sink = sink_fd(&d->fd);
	int err = sink.write(sink.arg, bytes, len);
	if (err && !d->error)
		d->error = errno;
	d->written += err ? 0 : len;
	return err;
}

struct sink draft_sink(struct draft *d)
{
	return (struct sink){.write = put, .arg = d};
}

/* Gives a nameless file its own name: link can't replace what is there, as rename can. */
static int name(struct draft *d)
{
	char self[64];
	if (!d->nameless)
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", d->fd);
	for (int tries = 0; tries < 100; tries++) {
		/* Only to have a name that nobody has. */
		memcpy(d->temporary + strlen(d->temporary) + 1 - SUFFIX, pattern, SUFFIX);
		int other = mkostemp(d->temporary, O_CLOEXEC);
		if (other < 0)
			return -1;
		close(other);
		unlink(d->temporary);
		if (linkat(AT_FDCWD, self, AT_FDCWD, d->temporary, AT_SYMLINK_FOLLOW) == 0) {
			d->nameless = false;
			return 0;
		}
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

int draft_keep(struct draft *d, struct diag *diag)
{
	bool moves = d->target != NULL;
	bool named = !moves || name(d) == 0;
	int error = named ? 0 : errno;
	if (close(d->fd) && !error)
		error = errno;
	if (moves && !error && rename(d->temporary, d->target))
		error = errno;
	if (moves && error && !d->nameless)
		unlink(d->temporary);
	release(d);
	if (!error)
		return ERR_NONE;
	return diag_set(diag, ERR_IO, "%s could not be written: %s", d->path, strerror(error));
}

void draft_drop(struct draft *d, struct diag *diag)
{
	close(d->fd);
	if (d->target && !d->nameless)
		unlink(d->temporary);
	release(d);
	if (d->error)
		diag_set(diag, ERR_IO, "%s could not be written: %s", d->path, strerror(d->error));
}
