/*
 * Attaching to a program that sees another file system (a container, a service with a /tmp of
 * its own): the agent's library is carried into the program's /tmp, and the trace is carried back.
 * Everything goes through a descriptor of that folder, so it works to the end even when the program
 * is gone before us.
 */
#ifndef CLI_FERRY_H
#define CLI_FERRY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/diag.h"

struct ferry {
	int folder;       /* the program's /tmp; borrowed */
	int trace;        /* the trace in it, once it is there; owned; -1 before */
	int held;         /* the library's file, locked for as long as it is needed; owned; -1 */
	char library[64]; /* names in that folder; "" when not there */
	char file[64];
};

/* Whether the process sees another file system than this one. Where that can't be told: no. */
bool ferry_needed(pid_t pid);

/* Starts with the folder (an O_PATH descriptor will do) and the names for this process. */
void ferry_init(struct ferry *f, int folder, pid_t pid);

/*
 * Copies the library in: a new file, never an existing one. It is named after its content, so that
 * a VM that has loaded it before, under that name, takes the one it has: it keeps what it loads. A
 * copy that nobody needs any more, of an attach that was killed, is taken away before.
 * 0, ERR_IO, ERR_DENIED with a sentence.
 */
int ferry_library(struct ferry *f, const char *local, struct diag *d);

/*
 * A copy that the process has loaded and keeps open, for its loader knows libraries by their files
 * (musl): its path as the process has to call it, in out. False: there is none; and of another
 * content is none.
 */
bool ferry_loaded(pid_t pid, const char *local, char *out, size_t room);

/*
 * Makes the trace's file before the program does: empty, of mode 0600 and the program's user, so
 * that nobody else may read it. It is held. 0, ERR_IO or ERR_DENIED with a sentence.
 */
int ferry_create(struct ferry *f, uid_t user, gid_t group, struct diag *d);
/* Removes the trace from the program's /tmp; it can be read on through its descriptor. */
void ferry_discard(struct ferry *f);

/* Takes hold of the trace as soon as it is there. Whether it is held. */
bool ferry_hold(struct ferry *f);

/* Copies the trace to a file here, which appears when it is whole (draft.h). 0, ERR_NOT_FOUND
 * (there is none), ERR_IO, ERR_DENIED, ERR_NOMEM, with a sentence. */
int ferry_fetch(struct ferry *f, const char *local, struct diag *d);

/* Removes what was put there: the library, and the trace once it has been fetched. */
void ferry_remove_library(struct ferry *f);
void ferry_release(struct ferry *f);

#endif
