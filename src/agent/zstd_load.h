/* zstd taken from the system at run time, so that the agent depends on libc alone. */
#ifndef AGENT_ZSTD_LOAD_H
#define AGENT_ZSTD_LOAD_H

#include "trace/codec.h"

/* A codec that compresses; one thread at a time. ERR_NOT_FOUND where libzstd.so.1 is not there or
 * too old. */
int zstd_load(struct codec *c);
void zstd_unload(struct codec *c);

#endif
