/*
 * What follow.h asks of the VM, answered from the heap itself while the program stands: where an
 * object has gone, by the forwarding mark that is left in memory that was evacuated; whether one
 * stays where evacuation failed, by a walk of that region; and who is who after a full collection,
 * by identity hashes.
 */
#ifndef EXACT_WITNESS_H
#define EXACT_WITNESS_H

#include "exact/births.h"
#include "exact/follow.h"
#include "hotspot/heap.h"
#include "hotspot/objects.h"

struct witness {
	const struct vm_objects *objects; /* borrowed */
	const struct births *births;      /* borrowed: the sites' classes */
	uint8_t *starts; /* a bit for 8 bytes of heap: an object begins there; owned, virtual */
	bool sparing;    /* where evacuation fails, what was moved keeps its forwarding mark (G1) */
	uintptr_t base;  /* of the heap */
	size_t bytes;    /* of starts */
	/* Classes that gaps are filled with, as far as they were met; 0: none. Any thread. */
	_Atomic uintptr_t fillers[2];
	bool marked; /* some are set */
	/* A copy of what stood from kept_from on, where it may be gone by now; owned; or NULL. */
	uint8_t *kept;
	uintptr_t kept_from;
	size_t kept_bytes;
	bool failed; /* promotion has failed in this pause, and a full collection begins; its
			owner's */
};

/* 0 or ERR_NOMEM. */
int witness_init(struct witness *w, const struct vm_objects *objects, const struct births *b,
	const struct heap_layout *layout);
void witness_release(struct witness *w);

/* The oracle's arg is w. */
struct follow_oracle witness_oracle(struct witness *w);
/* Of a region in which evacuation failed, after the collection: what stands between the addresses.
 * 0 or ERR_CORRUPT. */
int witness_look(struct witness *w, uintptr_t from, uintptr_t to);
/* An object is known to begin there. */
void witness_mark(struct witness *w, uintptr_t address);
bool witness_marked(const struct witness *w, uintptr_t address);
/* From now on it is not. Whether it was. */
bool witness_unmark(struct witness *w, uintptr_t address);
/* What stands between the addresses may be gone when the step is made, and is read from a copy
 * then. Where there is no room for one nothing is kept. */
void witness_keep(struct witness *w, uintptr_t from, uintptr_t to);
void witness_drop(struct witness *w);
/* The step is over, with what was kept for it. */
void witness_forget(struct witness *w);

#endif
