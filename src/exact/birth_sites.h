/*
 * A birth's site, made where the place is new, and the slot of it among a thread's: the way that is
 * gone once for each place and thread, and again where the slot had to go.
 */
#ifndef EXACT_BIRTH_SITES_H
#define EXACT_BIRTH_SITES_H

#include "exact/births.h"

/* The site, made where it is new; its class's, where there is no room for the place; 0: of a path,
 * for which there is no room. Its definition may ask
 * the trace's tables, so it is made without our lock; another thread that meets the site meanwhile
 * finds no size, and asks for it. */
uint32_t birth_site_of(
	struct births *b, const struct birth *e, const struct birth_place *p, uint32_t klass);
/*
 * The newcomer goes first in its set, and the last one out. A slot without a tag is never met on
 * the fast path. Returns its slot. Whether its site is sized is asked before its shape is
 * read: it may be defined meanwhile, and an array's slot is to have both or no tag.
 */
struct birth_slot *birth_slot_put(
	struct births *b, struct birth_slots *s, uint64_t key, uint32_t klass, uint32_t id);
/* A slot of the thread's for the place, which has none; the table is widened where that is due. */
struct birth_slot *birth_slot_make(struct births *b, struct birth_thread *t, const struct birth *e,
	const struct birth_place *p, uint32_t klass);
uint64_t birth_slot_bytes(const struct births *b, const struct birth_slot *s);
/* What the slot holds goes to its site. Under the lock. */
void birth_slot_flush(struct births *b, struct birth_slot *s);

#endif
