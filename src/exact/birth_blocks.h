/*
 * Threads' blocks: what one thread counts, in memory that stays for the process. A thread that ends
 * leaves its block, with what it has counted, to the next one that begins.
 */
#ifndef EXACT_BIRTH_BLOCKS_H
#define EXACT_BIRTH_BLOCKS_H

#include "exact/births.h"

/* Whether blocks can be had at all: false where the process has no key left for what a thread keeps
 * (PTHREAD_KEYS_MAX). Takes one at the first call. */
bool birth_blocks_able(void);
/* False: the loader has put births_here at another distance for each thread, and entries have to
 * ask for it; so with musl. */
bool birth_blocks_fixed(void);
/* For entries that don't ask: sets births_here_at and births_doors_here_at. */
void birth_blocks_locate(void);
/* The calling thread's from now on; NULL: no memory. Takes the lock. */
struct birth_thread *birth_block_begin(struct births *b);
/* What it needs for call paths, made where it has none; NULL: no memory. By its thread alone. */
struct birth_walks *birth_block_walks(struct birth_thread *t);
/* The first of a thread's births that is walked is as far off as any next one. */
void birth_block_seed(const struct births *b, struct birth_thread *t);
/* Nothing is counted in any. Births are off. */
void birth_blocks_clear(struct births *b);

#endif
