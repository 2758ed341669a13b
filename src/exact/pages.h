/*
 * Large zeroed tables whose memory comes only as it is touched. Their addresses stay valid until
 * pages_unmap; pages_clear gives the memory back and keeps the addresses.
 */
#ifndef EXACT_PAGES_H
#define EXACT_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* NULL: no memory. */
void *pages_map(size_t bytes) MF_MUST_USE;
void pages_clear(void *at, size_t bytes);
void pages_unmap(void *at, size_t bytes);
/* Bytes of all tables that have memory now, in whole pages. Asks the kernel, under 1 ms for four
 * gigabytes of addresses; others may map and unmap meanwhile. */
uint64_t pages_resident(void);

#endif
