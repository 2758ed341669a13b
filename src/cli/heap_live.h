/* `mayfly heap PID`: what is alive in a program that is being recorded, now. */
#ifndef CLI_HEAP_LIVE_H
#define CLI_HEAP_LIVE_H

#include <sys/types.h>

#include "cli/show.h"

/* Asks the agent of the process, reads the trace, shows it. `forced`: by a full collection. The
 * command's exit status; what went wrong has been said. */
int heap_live(struct showing *s, pid_t pid, bool forced);

#endif
