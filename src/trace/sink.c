#include "trace/sink.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"

static int write_fd(void *arg, const void *bytes, size_t len)
{
	const int *fd = arg;
	const uint8_t *at = bytes;
	while (len) {
		ssize_t n = write(*fd, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return ERR_IO;
		at += n;
		len -= (size_t)n;
	}
	return ERR_NONE;
}

struct sink sink_fd(int *fd)
{
	return (struct sink){.write = write_fd, .arg = fd};
}

int sink_copy(struct sink to, int from)
{
	char bytes[65536];
	for (;;) {
		ssize_t got = read(from, bytes, sizeof(bytes));
		if (got == 0)
			return ERR_NONE;
		if (got < 0 && errno == EINTR)
			continue;
		int err = got < 0 ? ERR_IO : to.write(to.arg, bytes, (size_t)got);
		if (err)
			return err;
	}
}

static int write_buf(void *arg, const void *bytes, size_t len)
{
	struct buf *b = arg;
	buf_put(b, bytes, len);
	return b->failed;
}

struct sink sink_buf(struct buf *b)
{
	return (struct sink){.write = write_buf, .arg = b};
}
