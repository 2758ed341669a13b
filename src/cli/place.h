/* Where things are: the agent's library, the trace to be written, the traces that were. */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include <stddef.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/diag.h"
#include "base/vec.h"

/*
 * The absolute path of libmayfly.so: $MAYFLY_AGENT, else beside this program, else in
 * ../lib/mayfly beside it. 0, or ERR_NOT_FOUND, ERR_UNSUPPORTED (a path that the JVM can't
 * take), ERR_LIMIT, each with a sentence.
 */
int place_agent(char *out, size_t room, struct diag *d);

/* A path as the pattern that means just that: percent signs are doubled. 0 or ERR_LIMIT. */
int place_literal(const char *path, char *out, size_t room, struct diag *d);

/*
 * Makes the pattern of a trace's path absolute, so that it holds wherever the program goes: a
 * percent sign in the current folder's name is doubled. 0, ERR_LIMIT or ERR_IO.
 */
int place_absolute(const char *pattern, char *out, size_t room, struct diag *d);

/*
 * Puts ".%p" before the pattern's extension where no %p is in it yet, so that several JVMs don't
 * write over each other. Returns whether it did.
 */
int place_add_pid(char *pattern, size_t room);

/*
 * Whether a trace can be written there: the folder is there and takes files, and what may stand
 * there is a plain file, and a trace or empty. 0, or ERR_NOT_FOUND, ERR_DENIED, ERR_FORMAT,
 * ERR_LIMIT, with a sentence.
 */
int place_writable(const char *pattern, struct diag *d);

/* A file that had one of the trace's possible names before the trace was begun. */
struct place_file {
	struct stat stat;
	bool locked; /* another program's agent records to it, and so the run can't */
};

/* All of them: file times alone can't tell, of runs that follow each other within a second. */
struct place_before {
	time_t since; /* s since the epoch: nothing older has been written by the run */
	VEC(struct place_file) files;
};

/* Now. 0 or ERR_NOMEM; place_forget in both cases. */
int place_look(const char *pattern, struct place_before *before) MF_MUST_USE;
void place_forget(struct place_before *before);

/* Whether an agent still records to it: it keeps a lock on what it writes. */
bool place_locked(const char *path);

/*
 * The files that a pattern may have become since then: %p is the pid, or any number where pid is 0.
 * Calls found for each in the order of their names. Returns how many.
 */
size_t place_written(const char *pattern, pid_t pid, const struct place_before *before,
	void (*found)(void *arg, const char *path), void *arg);

#endif
