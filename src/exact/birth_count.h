/*
 * One birth is counted, stamped and logged, once its slot is known: what entry.S does for most, and
 * what it can't do for those of which the VM must be asked.
 */
#ifndef EXACT_BIRTH_COUNT_H
#define EXACT_BIRTH_COUNT_H

#include "exact/births.h"

/* In its slot, and its mark. */
void birth_count(struct birth_slot *s, uintptr_t object);
/* The same, where the object may be none of those that the slot can count: of a class that has no
 * one size, or of the VM's own, outside of the young generation. False: it is not to be counted. */
bool birth_count_asked(struct births *b, struct birth_thread *t, struct birth_slot *s,
	const struct birth *e, enum caller c);
/* Its event, where these are wanted. */
void birth_count_log(
	struct births *b, struct birth_thread *t, const struct birth_slot *s, uintptr_t object);

#endif
