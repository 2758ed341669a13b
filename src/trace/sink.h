/* Where bytes of a trace go: a file, memory, a socket. */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include <stddef.h>

struct buf;

struct sink {
	/* Writes all len bytes or fails: 0, ERR_IO (full disk included) or ERR_NOMEM. */
	int (*write)(void *arg, const void *bytes, size_t len);
	void *arg;
};

/* A file descriptor, written with restart after EINTR and short writes. The caller keeps the
 * descriptor. */
struct sink sink_fd(int *fd);
/* Copies what is left of a file that is open for reading, or of a pipe to its end. 0, or an error
 * of the sink's; where it is ERR_IO errno tells why. */
int sink_copy(struct sink to, int from);
/* Appends to the buffer. */
struct sink sink_buf(struct buf *b);

#endif
