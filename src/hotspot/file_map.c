#include "hotspot/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* What is wrong with it, if anything. */
static int check(int fd, const char *path, struct stat *st, struct diag *d)
{
	if (fd < 0 || fstat(fd, st) != 0)
		return diag_set(d, errno == EACCES || errno == EPERM ? ERR_DENIED : ERR_NOT_FOUND,
			"%s can't be read: %s", path, strerror(errno));
	if (!S_ISREG(st->st_mode))
		return diag_set(d, ERR_NOT_FOUND, "%s is not a regular file", path);
	if (st->st_size <= 0)
		return diag_set(d, ERR_NOT_FOUND, "%s is empty", path);
	if ((uint64_t)st->st_size > FILE_MAP_MAX)
		return diag_set(d, ERR_LIMIT, "%s is larger than any VM", path);
	return ERR_NONE;
}

int file_map_open(struct slice *out, const char *path, struct diag *d)
{
	struct stat st;
	*out = slice(NULL, 0);
	/* Not blocking: what a hostile link names may be a pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int err = check(fd, path, &st, d);
	void *at = MAP_FAILED;
	if (!err &&
		(at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED)
		err = diag_set(d, ERR_NOMEM, "%s can't be mapped: %s", path, strerror(errno));
	if (!err)
		*out = slice(at, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	return err;
}

void file_map_close(struct slice *file)
{
	/* The slice is const because nobody may write into it. */
	if (file->at)
		munmap((void *)(uintptr_t)file->at, file->len);
	*file = slice(NULL, 0);
}
