/*
 * What the engine gives up where it takes too much of the program's time (burden.h) or of the
 * memory that is left (doc/decisions/0028, 0029): first single objects, where marks have sites, by
 * which all are counted on; then itself, which its owner does. And full collections in which the VM
 * could not keep the marks of those that get numbers.
 *
 * All but relief_look run while the program stands; they allocate nothing.
 */
#ifndef EXACT_RELIEF_H
#define EXACT_RELIEF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/burden.h"
#include "exact/stamps.h"
#include "exact/tracing.h"

/* Bytes that a full collection may take, of which there were fewer. */
struct shortage {
	_Atomic uint64_t need, spare;
};

struct relief {
	struct tracing *tracing; /* borrowed; NULL: no single objects */
	struct stamps *stamps;   /* borrowed */
	struct burden burden;
	uint64_t lived;            /* objects that have outlived the last collection; */
	uint64_t kept;             /* that full ones have promoted, with a number of ours each */
	uint64_t looks_again;      /* ns: for memory, not before */
	_Atomic bool starved;      /* a full collection may need more memory for us than there is */
	struct shortage following; /* what that was found by, last */
	struct shortage marks;     /* and of those that the VM could not keep */
	/* Shares in percent, or BURDEN_MEMORY, or 0. Of the time when single objects were no
	 * longer followed, because of it; */
	_Atomic uint32_t abandoned;
	_Atomic uint64_t lost_before; /* intervals, up to then */
	_Atomic uint32_t too_heavy;   /* and since, or where only they are counted: it has to go */
	_Atomic uint64_t unstamped;   /* full ones that were not followed, for want of memory */
};

/* Whether a full collection may need more memory for us than there is: then, where the next pause
 * ends, single objects are given up. And how much more births may take. Any thread may look. */
void relief_look(struct relief *r);
/* A full collection begins; what the young one before it has done. Whether objects can have
 * numbers in it. */
bool relief_full_begins(struct relief *r, enum stamps_young young);
/* An account: objects that outlived the collection, and of those promoted; followed: by a full
 * one. */
void relief_lived(struct relief *r, uint64_t objects, uint64_t promoted, bool followed);
/* A pause ends, of which so many ns were ours. */
void relief_pause_ends(struct relief *r, uint64_t own, uint64_t now);

#endif
