#include "base/own_fd.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static struct file_id id_of(const struct stat *st)
{
	return (struct file_id){st->st_dev, st->st_ino, st->st_mode & S_IFMT};
}

struct file_id file_id_at(const char *path)
{
	struct stat st;
	return lstat(path, &st) ? (struct file_id){0} : id_of(&st);
}

bool file_id_same(struct file_id a, struct file_id b)
{
	return a.type && a.type == b.type && a.inode == b.inode && a.device == b.device;
}

struct own_fd own_fd_take(int fd)
{
	struct stat st;
	if (fd < 0 || fstat(fd, &st))
		return (struct own_fd){0};
	return (struct own_fd){fd, id_of(&st)};
}

int own_fd_get(const struct own_fd *o)
{
	struct stat st;
	if (own_fd_has(o) && !fstat(o->fd, &st) && file_id_same(o->id, id_of(&st)))
		return o->fd;
	errno = EBADF;
	return -1;
}

void own_fd_close(struct own_fd *o)
{
	int fd = own_fd_get(o);
	if (fd >= 0)
		close(fd);
	*o = (struct own_fd){0};
}
