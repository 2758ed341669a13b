/*
 * Runs a program and waits for it. Meanwhile Ctrl-C and Ctrl-\ are the program's alone (the
 * terminal sends them to both), and SIGTERM and SIGHUP are passed on to it. One at a time.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <sys/types.h>

#include "base/diag.h"

struct child {
	pid_t pid;
	int status; /* what the shell would call $?: the exit status, or 128 + the signal's number
		     */
};

/*
 * Starts the file with argv, and environment variable NAME=value added where name is not NULL;
 * returns when it has ended. A script without a first line that says by what is run by /bin/sh. 0,
 * or ERR_IO where it could not be started, with a sentence.
 */
int child_run(struct child *c, const char *file, char *const *argv, const char *name,
	const char *value, struct diag *d);

#endif
