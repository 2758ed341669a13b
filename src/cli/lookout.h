/* The live view at work: reads the trace while it grows, draws, and does what keys say, until it is
 * told to quit or the terminal is gone. */
#ifndef CLI_LOOKOUT_H
#define CLI_LOOKOUT_H

#include <sys/types.h>

#include "cli/follow.h"
#include "tui/scene.h"
#include "tui/state.h"
#include "tui/terminal.h"

struct lookout {
	/* Set by whoever runs it: */
	const char *path; /* of the trace; borrowed */
	const char *name; /* what is watched, as the first line has it; borrowed */
	pid_t pid;        /* of the program; 0: not known */
	struct state state;
	bool utf8, color;
	/* Its own: */
	struct terminal terminal;
	struct grid grid;
	struct scene scene;
	struct follow follow;
	struct reading *reading; /* the last; owned; NULL before the first */
	struct diag trouble;     /* why the last one failed; "" */
	uint64_t taken;          /* when it was taken, clock_now */
	int pidfd;
	char status[DIAG_MAX];
};

/* Signals are noted from now on (watch.h). 0, or an error with a sentence; the terminal is given
 * back in any case. */
int lookout_run(struct lookout *l, struct diag *d);

#endif
