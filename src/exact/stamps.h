/*
 * The marks of the young generation where a full collection begins. It makes new marks, but keeps
 * those that have an identity hash; so each object with a site gets one, and its age is counted on
 * where this pause has not done so yet. At the end the marks tell who has lived through it
 * (survivors.h).
 *
 * Serial and Parallel up to 21 may have several collections in one pause: young, young, full,
 * young, full where memory runs out. For us a pause is one collection. So where a young one begins
 * behind another, those that the VM has counted on in this pause are counted back, and what follows
 * counts them anew.
 *
 * All but init and release run while the program stands, some in a signal handler; they allocate
 * nothing. In a pause: stamps_start; for each young collection stamps_young_look, stamps_young; for
 * each full one stamps_full_look, stamps_full. Between the two `part` is how the heap stood as the
 * collection before began, or the pause, and `now` how it stands.
 */
#ifndef EXACT_STAMPS_H
#define EXACT_STAMPS_H

#include "base/diag.h"
#include "exact/follow.h"
#include "hotspot/heap.h"
#include "hotspot/heap_regions.h"
#include "hotspot/heap_walk.h"
#include "hotspot/objects.h"
#include "hotspot/tlab_gaps.h"

/* What the young collection behind which one begins has done. */
enum stamps_young { STAMPS_YOUNG_NONE, STAMPS_YOUNG_DONE, STAMPS_YOUNG_FAILED };

struct stamps {
	const struct heap_layout *layout;  /* borrowed */
	const struct vm_objects *objects;  /* borrowed */
	const struct heap_regions *before; /* as the pause began; borrowed */
	const struct heap_regions *part;   /* before, or between */
	struct heap_regions now, between;
	struct tlab_gaps gaps;
	uint64_t hash; /* the last one given out; a row of xorshift */
	/* Of those that follow objects, and are told of newborns behind the collection: hashes are
	 * numbers of theirs, which no object that is followed has; borrowed. NULL: of that row. */
	struct follow *meets;
	bool parts;  /* each young collection will be told; without it several are torn */
	bool done;   /* the full collection that is on was caught, and all are stamped */
	bool moved;  /* a collection has begun in this pause */
	bool parted; /* and a young one behind it, and no full one behind that */
	bool failed; /* a young one could not move all */
	bool torn;   /* there were several, and it is not known what each of them did */
};

/* 0, ERR_NOMEM, ERR_CORRUPT, or what tlab_gaps_open says; released by the caller in any case. */
int stamps_init(struct stamps *s, const struct heap_layout *layout,
	const struct vm_objects *objects, const struct heap_regions *before, const void *inside,
	struct diag *d);
void stamps_release(struct stamps *s);

/* A pause begins, as `before` stands. */
void stamps_start(struct stamps *s);

/* A young collection begins; whether one was before it, and how that has done. */
bool stamps_young_look(struct stamps *s, enum stamps_young *young);
void stamps_young(struct stamps *s);
/* A full one begins to mark; whether there is something to stamp. */
bool stamps_full_look(struct stamps *s, enum stamps_young *young);
void stamps_full(struct stamps *s);

/* Whether the young generation was collected since `part`. */
bool stamps_collected(const struct stamps *s);
/* Those that stood in the young generation when the pause began, or since the full collection in
 * it, wherever they are now; old: and all of the old generation. As heap_walk_around. */
int stamps_visit(const struct stamps *s, size_t region, bool old, heap_visit *visit, void *arg);

#endif
