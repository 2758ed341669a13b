/* Objects that jump over their ages: which sites make them, and what threads' slots know of it. */
#ifndef EXACT_BIRTH_JUMPS_H
#define EXACT_BIRTH_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact/births.h"

/*
 * From now on the objects of these places (exact_site.place) jump over their ages, and no others:
 * the next collection promotes what lives. A slot that a thread is just making may follow only at
 * the end of the next collection. Copied; 0, or ERR_NOMEM (then as before). Not with compact
 * headers. Between births_open and births_close.
 */
int births_jump(struct births *b, const uint64_t *places, size_t count);
/* The site's place has become known (exact_site). Any thread. */
void births_place(struct births *b, uint32_t site, uint64_t named, uint64_t place);
/* Whether a site of a place of that name is known. */
bool births_met(struct births *b, uint64_t named);
/* While the program stands: threads' slots become as the sites are. */
void births_turn(struct births *b);

#endif
