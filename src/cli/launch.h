/*
 * How the agent gets into a program that is about to start: as the first argument of `java`,
 * or, where the command is something that starts Java in the end (a script, mvn, gradle), over
 * JAVA_TOOL_OPTIONS, which every JVM below it reads.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"

struct launch {
	char program[PATH_MAX]; /* the file to run */
	char real[PATH_MAX];    /* the same without symbolic links */
	bool java;              /* it is `java` itself: one JVM, in the process that is started */
	VEC(char *) args;       /* NULL-terminated once launch_arm has succeeded; all owned */
	char *tool_options;     /* the value for JAVA_TOOL_OPTIONS, or NULL; owned */
};

/*
 * Finds the command as the shell would, by $PATH unless it has a slash. ERR_NOT_FOUND,
 * ERR_DENIED (there, but not a program), ERR_LIMIT, with a sentence.
 */
int launch_find(struct launch *l, const char *command, struct diag *d);

/*
 * Puts the agent in: argv with -agentpath as first argument, or JAVA_TOOL_OPTIONS with what it
 * held before (existing; may be NULL) in front. argv is NULL-terminated. 0 or ERR_NOMEM.
 */
int launch_arm(struct launch *l, char *const *argv, const char *agent, const char *options,
	const char *existing, struct diag *d);

void launch_release(struct launch *l);

/* Appends text so that the JVM reads it from JAVA_TOOL_OPTIONS as one option, whatever is in it: it
 * splits at blanks and takes '…' and "…" as they stand. */
void launch_quote(struct buf *out, const char *text);

#endif
