/*
 * An agent that is brought into a running program to record: what `mayfly attach` and `mayfly top`
 * have in common. Where the program sees another file system, library and trace are carried
 * (ferry.h).
 */
#ifndef CLI_ATTACHMENT_H
#define CLI_ATTACHMENT_H

#include <limits.h>

#include "attach/attach.h"
#include "cli/control.h"
#include "cli/ferry.h"
#include "cli/outcome.h"
#include "cli/recording.h"

struct attachment {
	/* Set by whoever owns it: */
	const struct recording *recording; /* borrowed; its file is where the trace goes, unless: */
	bool hidden; /* it is a file of mode 0600 in the program's /tmp, that is thrown away */
	pid_t pid;
	/* Then: */
	char socket[CONTROL_PATH_MAX]; /* the agent's; attachment_find */
	struct attach attach;
	struct ferry ferry;
	bool elsewhere;       /* the program sees another file system */
	char file[PATH_MAX];  /* the trace's path here, where it is not hidden */
	char agent[PATH_MAX]; /* libmayfly.so, as the program sees it */
	char options[OPTION_STRING_MAX + 1];
};

/* Finds where the agent of the process listens, be the process a VM or not. 0, or an error with a
 * sentence. */
int attachment_find(struct attachment *a, struct diag *d);
/* Makes the VM listen. 0, or an error with a sentence; to be released only after 0. */
int attachment_open(struct attachment *a, struct diag *d);
void attachment_release(struct attachment *a);

/*
 * Loads the agent, which begins to record. EXIT_OK, or the command's exit status: what went wrong
 * has been said on stderr. From before the loading on signals are noted (watch.h).
 */
int attachment_load(struct attachment *a);

/* Takes hold of a trace in the program's /tmp as soon as it is there; arg: struct attachment *. */
void attachment_hold(void *arg);
/* The path by which the trace can be read while it is written, in out; false: it is not there yet.
 */
bool attachment_trace(struct attachment *a, char *out, size_t room);
/* Says that the agent could not be reached to end the recording. EXIT_FAILED. */
int attachment_unended(const struct attachment *a, const struct diag *d);
/* Brings the trace of a program elsewhere to its file, and reads how it ended; a program that is
 * just ending gets the time to. 0, or an error with a sentence. */
int attachment_outcome(struct attachment *a, struct outcome *o, struct diag *d);

#endif
