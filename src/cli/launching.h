/*
 * A program that is started with the agent in it: what `mayfly record` and `mayfly tenure` have in
 * common. Refuses early, runs it, says what became of the trace.
 */
#ifndef CLI_LAUNCHING_H
#define CLI_LAUNCHING_H

#include "cli/child.h"
#include "cli/launch.h"
#include "cli/summary.h"

struct launching {
	/* Set by whoever owns it: */
	struct ending ending; /* first: ENDING_ROWS */
	bool verbose;
	const char *command; /* "record", for sentences */
	/* Then: */
	char file[OPTION_PATH];              /* the trace's absolute path, as a pattern */
	char agent[PATH_MAX];                /* libmayfly.so */
	char options[OPTION_STRING_MAX + 1]; /* for the agent */
	struct launch launch;
	struct child child;
	size_t traces, bad; /* written, and of them bad */
	bool single;        /* one trace is to be expected, so it may be shown */
};

#define LAUNCHING_ROWS                                                                             \
	{                                                                                          \
		"verbose", 'v', NULL, "say what is being done", launching_set_verbose              \
	}
int launching_set_verbose(void *arg, const char *value, struct diag *d);

/* Runs the command, argv NULL-terminated, to its end, and shows the ending. The command's exit
 * status; what went wrong has been said on stderr. */
int launching_run(struct launching *l, char **argv);

#endif
