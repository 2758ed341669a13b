/*
 * What becomes of the objects of each place in young collections, learnt from samples, in memory
 * that is taken once: a slot for each followed object and a row for each place and class. Where a
 * place's objects have more than one lifetime its callers get rows of their own, as deep as is
 * needed, for a bounded number of places at a time (tenure/watch.h).
 *
 * Time is the young clock: collections finished. A collection is told of first (learner_gc), then
 * the deaths that it found; a round ends with learner_snapshot and learner_decay. The caller locks.
 */
#ifndef TENURE_LEARNER_H
#define TENURE_LEARNER_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/place.h"
#include "tenure/snapshot.h"
#include "tenure/thresholds.h"

enum { LEARNER_BYTES = 16 << 20 /* most that a learner and its snapshot hold */ };
#define LEARNER_DECAY 0.5
/* Of a run's first round: it counts as one of five rounds ago does. */
#define LEARNER_START 0.03125

struct learner_rule {
	uint32_t slots;  /* of the live table: numbers 0 … slots - 1; what is born in those that
			  * LEARNER_BYTES does not allow (some 800 000) is not learnt from */
	uint32_t places; /* rows; 0: as many as LEARNER_BYTES allows, at most 8192 */
	uint64_t humongous; /* bytes: objects from here on are never copied, and not learnt */
	double decay;       /* of evidence from round to round; 0: LEARNER_DECAY, and of the first
			       round LEARNER_START */
};

struct learner_lost {
	uint64_t full;   /* births that had no row: the table was full */
	uint64_t others; /* births whose callers had no row, counted among the others */
	uint64_t large;  /* births of humongous size */
};

struct learner;

enum learner_gc_flags {
	LEARNER_GC_FULL = 1 << 0,  /* leaves nothing young behind */
	LEARNER_GC_OLD = 1 << 1,   /* collected (some of) the old generation too: mixed, full */
	LEARNER_GC_STILL = 1 << 2, /* did not move the young clock */
	LEARNER_GC_SAME = 1 << 3,  /* a full one in the pause of the last that moved it: what that
				      left is old, and deaths are told of both at once */
	LEARNER_GC_SPILT = 1 << 4, /* survivor spaces overflowed: what it copied is taken to be old,
				      whatever its age, for who is can't be told */
	/* When it began, what the one before it has found had not been told yet, and some will be;
	 * or there was nothing to tell. */
	LEARNER_GC_WAITED = 1 << 5,
	LEARNER_GC_NOTHING = 1 << 6,
	/* It leaves nothing young behind, and what it copied is not known: evacuation failed, or a
	 * full one follows in its pause. */
	LEARNER_GC_BLIND = 1 << 7,
};

/* 0, ERR_NOMEM, or ERR_LIMIT (no slots, or places that do not fit into LEARNER_BYTES). */
int learner_init(struct learner **out, const struct learner_rule *rule);
void learner_free(struct learner *l);
/* Bytes held. */
uint64_t learner_bytes(const struct learner *l);
struct learner_lost learner_lost(const struct learner *l);

/*
 * An object came under observation in that slot. at: its place and up to PLACE_CALLERS callers
 * (depth of them). weight: the bytes that this sample stands for; size of the object. young: the
 * young clock at its birth. flags: SNAPSHOT_LEAF and SNAPSHOT_REFUSE as the caller knows them,
 * kept from the place's first birth. A slot that is taken is let go first.
 */
void learner_birth(struct learner *l, uint32_t slot, const struct place_context *at, uint32_t flags,
	uint64_t size, double weight, uint64_t young);
/* The object in that slot was found dead. young: the young clock now, that the collection which
 * found it has moved already, if it moves it; it may have been an earlier one (stat/late.h). Slots
 * that are free are passed over. */
void learner_death(struct learner *l, uint32_t slot, uint64_t young);
/* It is not followed any more, and was alive at that clock. */
void learner_let_go(struct learner *l, uint32_t slot, uint64_t young);
/* The marking began at that clock that ends with the next LEARNER_GC_STILL: who was promoted, or
 * died, since is not found dead. Where it is not told it takes no time. */
void learner_marking(struct learner *l, uint64_t young);
/* A collection has finished. young: the clock after it; threshold: the one in force in it; time: ns
 * of any clock. */
void learner_gc(
	struct learner *l, uint64_t young, uint32_t threshold, uint32_t flags, uint64_t time);

/* Of the young collection that was told of last, by the VM's age table: what stood in survivor
 * spaces before it and behind it; and what it promoted (bytes). Where the VM has none, or one of
 * the two is not known, nothing is learnt from it. */
void learner_ages(struct learner *l, const struct age_table *before, const struct age_table *after,
	uint64_t promoted);

/* Objects of that place born from now on are promoted at their first copy, or not any more.
 * Flags of the place: kept even where it has no row yet, unless the table is full. */
void learner_jump(struct learner *l, const struct place_context *at, bool on);
/* All jumps are without effect on what is born from now on, or have effect again. */
void learner_rest(struct learner *l, bool rest);
/* The class or the code that a place names is gone: the row is dropped. */
void learner_forget(struct learner *l, uint64_t vm_method);

/* The place of the object in that slot. False: there is none. */
bool learner_place(const struct learner *l, uint32_t slot, struct place *out);
/* Sweeps what stands, and copies what is known: of collections whose deaths have been told of. out:
 * by snapshot_init with learner_rows. */
void learner_snapshot(struct learner *l, struct snapshot *out);
/* The same soon after a collection, whose deaths may not all have been told of yet: as things were
 * before it. */
void learner_glance(struct learner *l, struct snapshot *out);
size_t learner_rows(const struct learner *l);
/* A round is over: evidence decays, rows without any go, callers are looked at where a place seems
 * to have more than one lifetime. */
void learner_decay(struct learner *l);

#endif
