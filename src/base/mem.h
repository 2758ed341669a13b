/*
 * The choke point of all allocation: counts what is held, and fails on demand in tests.
 * Nothing here exits or aborts; NULL means out of memory.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

void *mem_alloc(size_t size) MF_MUST_USE;
/* Zeroed; NULL too when count * size overflows. */
void *mem_zalloc(size_t count, size_t size) MF_MUST_USE;
/* As realloc: on NULL the old block stays valid and owned by the caller. */
void *mem_realloc(void *at, size_t size) MF_MUST_USE;
/* A NUL-terminated copy of len bytes. */
char *mem_strndup(const char *text, size_t len) MF_MUST_USE;
void mem_free(void *at);

/* Bytes held now and the most ever held through this module, as malloc rounds them. Any thread. */
uint64_t mem_held(void);
uint64_t mem_peak(void);

/* Tests: the n-th allocation from now on fails (1 = the next), and all after it until reset with 0.
 */
void mem_fail_at(uint64_t n);

#endif
