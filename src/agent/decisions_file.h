/* The file of `decisions=`: read whole, written beside and put in its place. */
#ifndef AGENT_DECISIONS_FILE_H
#define AGENT_DECISIONS_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "tenure/decisions.h"

/* Which file stands there, and as of when. */
struct decisions_stamp {
	bool there;
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec written;
};
struct decisions_stamp decisions_file_stamp(const char *path);
bool decisions_stamp_same(const struct decisions_stamp *a, const struct decisions_stamp *b);

/* No such file: nothing, 0. Else as decisions_read; ERR_IO with a sentence. d is to be released in
 * any case. */
int decisions_file_read(const char *path, struct decisions *d, struct diag *diag);
/* A link to a file stays, and so does who may read and write that. What stood there stays where it
 * fails: ERR_IO, ERR_NOMEM, with a sentence. */
int decisions_file_write(const char *path, const struct decisions *d, struct diag *diag);

#endif
