#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"

struct file {
	int fd; /* owned */
};

/* Short reads go on, so that only the end gives less; a file that grows gives more the next time.
 */
static int read_file(void *arg, uint64_t offset, void *out, size_t len, size_t *got)
{
	const struct file *f = arg;
	uint8_t *at = out;
	*got = 0;
	if (offset > INT64_MAX - len)
		return ERR_NONE;
	while (*got < len) {
		ssize_t n = pread(f->fd, at + *got, len - *got, (off_t)(offset + *got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ERR_IO;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return ERR_NONE;
}

static void close_file(void *arg)
{
	struct file *f = arg;
	close(f->fd);
	mem_free(f);
}

static int open_error(const char *path, struct diag *d)
{
	int err = errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND
		  : errno == EACCES || errno == EPERM ? ERR_DENIED
						      : ERR_IO;
	const char *why = strerror(errno);
	if (err == ERR_NOT_FOUND && units_is_digits(path))
		return diag_set(d, err,
			"%s: %s; a program that runs is watched with 'mayfly attach %s' or "
			"'mayfly top %s'",
			path, why, path, path);
	return diag_set(d, err, "%s: %s", path, why);
}

/* A pipe can't be read at an offset, and would block here without O_NONBLOCK. */
static int open_regular(const char *path, int *fd, struct diag *d)
{
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return open_error(path, d);
	struct stat st = {0};
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return ERR_NONE;
	close(*fd);
	return diag_set(d, ERR_UNSUPPORTED, "%s: not a regular file%s", path,
		S_ISFIFO(st.st_mode) ? "; what comes through a pipe is read with '-' as its name"
				     : "");
}

int source_open_file(struct source *s, const char *path, struct diag *d)
{
	int fd;
	*s = (struct source){0};
	int err = open_regular(path, &fd, d);
	if (err)
		return err;
	err = source_open_fd(s, fd);
	if (!err)
		return ERR_NONE;
	close(fd);
	return diag_set(d, err, "%s: %s", path, err_text(err));
}

int source_open_fd(struct source *s, int fd)
{
	*s = (struct source){0};
	struct file *f = mem_alloc(sizeof(*f));
	if (!f)
		return ERR_NOMEM;
	f->fd = fd;
	*s = (struct source){.read = read_file, .close = close_file, .arg = f};
	return ERR_NONE;
}

static int read_memory(void *arg, uint64_t offset, void *out, size_t len, size_t *got)
{
	const struct slice *bytes = arg;
	size_t left = offset < bytes->len ? bytes->len - (size_t)offset : 0;
	*got = len < left ? len : left;
	if (*got)
		memcpy(out, bytes->at + offset, *got);
	return ERR_NONE;
}

int source_open_memory(struct source *s, struct slice bytes)
{
	*s = (struct source){0};
	struct slice *copy = mem_alloc(sizeof(*copy));
	if (!copy)
		return ERR_NOMEM;
	*copy = bytes;
	*s = (struct source){.read = read_memory, .close = mem_free, .arg = copy};
	return ERR_NONE;
}

void source_close(struct source *s)
{
	if (s->close)
		s->close(s->arg);
	*s = (struct source){0};
}
