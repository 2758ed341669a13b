/* Where the bytes of a trace come from: the same reader runs over a file, memory or a fuzzer's
 * input. */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"

struct source {
	/* Reads up to len bytes at the offset; *got < len only at the end. 0 or ERR_IO. */
	int (*read)(void *arg, uint64_t offset, void *out, size_t len, size_t *got);
	/* Frees what open took; may be NULL. */
	void (*close)(void *arg);
	void *arg;
};

/* Opens a regular file, which may grow while it is read. 0, ERR_NOT_FOUND, ERR_DENIED,
 * ERR_UNSUPPORTED (a folder, a pipe), ERR_IO, ERR_NOMEM, with a sentence. */
int source_open_file(struct source *s, const char *path, struct diag *d);
/* The same of a regular file that is open for reading, whatever its offset: the source's own from
 * then on. 0, or ERR_NOMEM and the file stays open. */
int source_open_fd(struct source *s, int fd);
/* Reads from memory, which must outlive the source. 0 or ERR_NOMEM. */
int source_open_memory(struct source *s, struct slice bytes);
void source_close(struct source *s);

#endif
