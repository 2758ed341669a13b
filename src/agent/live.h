/*
 * The objects whose lives are followed: a bounded table. An object's JVMTI tag names its slot
 * and the turn, which counts objects over all recordings of the process, so that a death needs no
 * search, and a stale tag is recognised: the VM may tell deaths of an earlier recording late.
 *
 *      tag = turn << 24 | slot + 1          0 < tag < 2^62
 *
 * When it is full, a batch of objects chosen at random makes room. That ends what is known of
 * them at an age that has nothing to do with how long they would have lived: independent right
 * censoring, which survival curves take without bias (doc/metrics.md, "Eviction").
 * Protected by the recorder's lock.
 */
#ifndef AGENT_LIVE_H
#define AGENT_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/types.h"

enum {
	LIVE_SLOT_BITS = 24,
	LIVE_TURN_BITS = 38,
	LIVE_ROOM_MAX = (1 << LIVE_SLOT_BITS) - 1,
	LIVE_BATCH = 128
};

struct live_slot {
	uint64_t object; /* id in the trace */
	uint64_t turn : LIVE_TURN_BITS, state : 2;
};

struct live {
	struct live_slot *slots; /* owned */
	uint32_t *free;          /* stack of free slots; owned */
	uint32_t room, free_count, count;
	uint64_t next_object; /* ids count from 1 */
	struct rng rng;
};

/* room: at most LIVE_ROOM_MAX. 0 or ERR_NOMEM. */
int live_init(struct live *l, uint32_t room, uint64_t seed);
void live_release(struct live *l);

/* The slot of an object with that tag: 0 … room - 1. */
static inline uint32_t live_slot_of(int64_t tag)
{
	return ((uint32_t)tag & ((1u << LIVE_SLOT_BITS) - 1)) - 1;
}

bool live_is_full(const struct live *l);
/* Whether it is time to make room: few slots are left, so that an eviction ends before the last is
 * taken. */
bool live_is_tight(const struct live *l);
/* Takes a slot for a new object. The table must not be full. Returns its tag. */
int64_t live_add(struct live *l, struct object_id *object);
/* Whether that tag is one of an object in the table. */
bool live_follows(const struct live *l, int64_t tag);
/* The object died, or could not be tagged: its id, and the slot is free. False for tags that mean
 * nobody (any more). */
bool live_remove(struct live *l, int64_t tag, struct object_id *object);
/*
 * The tags of up to LIVE_BATCH objects that are in the table, however they leave, from slot *from
 * on, which moves on. 0: there are no more.
 */
uint32_t live_tags(const struct live *l, uint32_t *from, int64_t *tags);
/*
 * Chooses up to LIVE_BATCH (and at most an eighth of the table's) objects at random to be let
 * go. Their slots stay taken until live_evicted: their tags are still in the VM. Each must come
 * back by live_evicted, live_keep or live_remove.
 */
uint32_t live_choose(struct live *l, int64_t *tags, struct object_id *objects);
/*
 * One that was chosen was found alive and its tag is out of the VM: the slot is free again. False
 * for an object that died on its way out.
 */
bool live_evicted(struct live *l, int64_t tag, struct object_id *object);
/* One that was chosen was not found: it is dead or dying, and its death will be told. */
void live_keep(struct live *l, int64_t tag);

#endif
