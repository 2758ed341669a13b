/* zstd taken from the system at run time, so that the agent depends on libc alone. */
#ifndef AGENT_ZSTD_LOAD_H
#define AGENT_ZSTD_LOAD_H

#include <stdbool.h>

#include "trace/codec.h"

/* A codec that compresses; one thread at a time. ERR_NOT_FOUND where libzstd.so.1 is not there or
 * too old. */
int zstd_load(struct codec *c);
void zstd_unload(struct codec *c);
/* Whether what comes next is so much that a sixth of the time is worth a fifth of the bytes. */
void zstd_hurry(struct codec *c, bool hurry);

#endif
