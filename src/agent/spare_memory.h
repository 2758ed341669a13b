/* How much memory this process may still take: what the kernel has to give, and what its group may
 * have. */
#ifndef AGENT_SPARE_MEMORY_H
#define AGENT_SPARE_MEMORY_H

#include <stdint.h>

/* Bytes; 0 where it is not known. Files are read below `root` ("/"). */
uint64_t spare_memory(const char *root);

#endif
