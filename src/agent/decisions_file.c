#include "agent/decisions_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/real_path.h"

enum { MODE = 0644, MODE_BITS = 07777 };

struct decisions_stamp decisions_file_stamp(const char *path)
{
	struct stat is;
	if (stat(path, &is))
		return (struct decisions_stamp){.there = false};
	return (struct decisions_stamp){.there = true,
		.device = is.st_dev,
		.inode = is.st_ino,
		.size = is.st_size,
		.written = is.st_mtim};
}

bool decisions_stamp_same(const struct decisions_stamp *a, const struct decisions_stamp *b)
{
	return a->there == b->there && a->device == b->device && a->inode == b->inode &&
	       a->size == b->size && a->written.tv_sec == b->written.tv_sec &&
	       a->written.tv_nsec == b->written.tv_nsec;
}

static int read_all(int fd, struct buf *b)
{
	char part[4096];
	ssize_t got;
	while (b->len <= DECISIONS_BYTES && (got = read(fd, part, sizeof(part))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return ERR_IO;
		buf_put(b, part, (size_t)got);
	}
	return b->failed ? ERR_NOMEM : ERR_NONE;
}

/* A pipe would keep the program waiting for whoever writes to it. */
static int open_file(const char *path)
{
	struct stat is;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || (fstat(fd, &is) == 0 && S_ISREG(is.st_mode)))
		return fd;
	int why = S_ISDIR(is.st_mode) ? EISDIR : EINVAL;
	close(fd);
	errno = why;
	return -1;
}

static const char *why_not(int err)
{
	if (err != ERR_IO)
		return err_text(err);
	return errno == EINVAL ? "it is no regular file" : strerror(errno);
}

int decisions_file_read(const char *path, struct decisions *d, struct diag *diag)
{
	struct buf b = {0};
	*d = (struct decisions){.list = {0}};
	int fd = open_file(path);
	if (fd < 0 && errno == ENOENT)
		return ERR_NONE;
	int err = fd < 0 ? ERR_IO : read_all(fd, &b);
	if (err)
		diag_set(diag, err, "the decisions file %.256s can't be read: %s", path,
			why_not(err));
	else
		err = decisions_read(d, slice(b.at, b.len), path, diag);
	if (fd >= 0)
		close(fd);
	buf_release(&b);
	return err;
}

static bool write_all(int fd, const struct buf *b)
{
	for (size_t done = 0; done < b->len;) {
		ssize_t put = write(fd, b->at + done, b->len - done);
		if (put < 0 && errno != EINTR)
			return false;
		done += put > 0 ? (size_t)put : 0;
	}
	return true;
}

/* Who may read and write it is its owner's to say; whose it is only root can. */
static bool keep_mode(int fd, const char *target)
{
	struct stat was;
	if (stat(target, &was))
		return errno == ENOENT;
	if (fchown(fd, was.st_uid, was.st_gid))
		errno = 0; /* it is whoever runs this that has it then */
	return fchmod(fd, was.st_mode & MODE_BITS) == 0;
}

/* The process's number alone may be another's too, in a container that has the same folder. */
static bool name_beside(const char *target, char out[PATH_MAX])
{
	int len = snprintf(out, PATH_MAX, "%s.%ld.%llx", target, (long)getpid(),
		(unsigned long long)clock_now().v);
	return len < PATH_MAX;
}

/* Where the path is a link, what that leads to: the link stays. */
static bool replace(const char *path, const struct buf *b)
{
	char target[PATH_MAX], beside[PATH_MAX];
	if (real_path(path, target) || !name_beside(target, beside))
		return errno = ENAMETOOLONG, false;
	int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE);
	if (fd < 0)
		return false;
	bool good = keep_mode(fd, target) && write_all(fd, b);
	good = close(fd) == 0 && good;
	if (good && rename(beside, target) == 0)
		return true;
	int why = errno;
	unlink(beside);
	errno = why;
	return false;
}

int decisions_file_write(const char *path, const struct decisions *d, struct diag *diag)
{
	struct buf b = {0};
	decisions_write(d, &b);
	int err = b.failed ? diag_set(diag, ERR_NOMEM, "out of memory while saving the decisions")
			   : ERR_NONE;
	if (!err && !replace(path, &b))
		err = diag_set(diag, ERR_IO, "the decisions could not be saved to %.256s: %s", path,
			strerror(errno));
	buf_release(&b);
	return err;
}
