/*
 * How much memory this process may still take: what the kernel has to give, and what the groups it
 * is in (a container, a service with bounds) may have. Pages of files that the kernel would let go
 * for it are counted in; those that are mapped are not: some are the program's own code.
 */
#ifndef BASE_SPARE_MEMORY_H
#define BASE_SPARE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* false: it is not known. Files are read below `root` ("/"), in some 50 us. Allocates nothing. */
bool spare_memory(const char *root, uint64_t *bytes);

#endif
