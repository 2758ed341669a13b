/*
 * A file that appears under its name only when it is whole. Until then it has no name, or, where
 * the file system knows no nameless files, one of its own beside it. What is no regular file (a
 * device, a pipe) is written in place.
 */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "trace/sink.h"

struct draft {
	const char *path; /* as the user named it; borrowed */
	char *target;     /* where it will be: links followed. NULL: it is written in place */
	char *temporary;  /* its name until then */
	int fd;
	bool nameless;    /* `temporary` is not there yet */
	int error;        /* errno of the first write that failed */
	uint64_t written; /* bytes */
};

/* named: even where it could be nameless. 0, or an error with a sentence (then nothing is held). */
int draft_open(struct draft *d, const char *path, bool named, struct diag *diag);
/* Where its bytes go. */
struct sink draft_sink(struct draft *d);
/* Puts it in its place, in place of what is there. 0, or ERR_IO with a sentence: then it is gone.
 */
int draft_keep(struct draft *d, struct diag *diag);
/* Forgets it, with a sentence where a write failed. */
void draft_drop(struct draft *d, struct diag *diag);

#endif
