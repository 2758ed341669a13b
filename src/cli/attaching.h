/*
 * A program that runs already is recorded, from loading the agent to the report: what `mayfly
 * attach` and `mayfly tenure --attach` have in common.
 */
#ifndef CLI_ATTACHING_H
#define CLI_ATTACHING_H

#include "cli/attachment.h"
#include "cli/summary.h"

struct attaching {
	struct ending *ending; /* borrowed; its recording is the attachment's */
	struct attachment attachment;
};

void attaching_init(struct attaching *a, struct ending *e);
/* The process, as the command line names it. EXIT_OK, or EXIT_USAGE: what is wrong was said. */
int attaching_set_pid(struct attaching *a, const char *command, const char *pid);
/* Records to the end and shows it. The command's exit status. */
int attaching_run(struct attaching *a);

#endif
