#include "hotspot/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

int file_map_open(struct slice *out, const char *path, struct diag *d)
{
	struct stat st;
	*out = slice(NULL, 0);
	/* Not blocking: what a hostile link names may be a pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) {
		int err = errno == EACCES ? ERR_DENIED : ERR_NOT_FOUND;
		if (fd >= 0)
			close(fd);
		return diag_set(d, err, "%s can't be read", path);
	}
	if ((uint64_t)st.st_size > FILE_MAP_MAX) {
		close(fd);
		return diag_set(d, ERR_LIMIT, "%s is larger than any VM", path);
	}
	void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return diag_set(d, ERR_NOMEM, "%s can't be mapped", path);
	*out = slice(at, (size_t)st.st_size);
	return ERR_NONE;
}

void file_map_close(struct slice *file)
{
	/* The slice is const because nobody may write into it. */
	if (file->at)
		munmap((void *)(uintptr_t)file->at, file->len);
	*file = slice(NULL, 0);
}
