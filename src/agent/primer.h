/*
 * What a segment of a cyclic trace begins with, so that it can be read without those before it:
 * all definitions and facts so far, as they were written, and how much was born of each site.
 * Definitions are protected by the recorder's lock; the sums are the writer thread's own.
 */
#ifndef AGENT_PRIMER_H
#define AGENT_PRIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/block.h"

struct primer_sum {
	uint64_t objects, bytes;
};

struct primer_block {
	struct block *block; /* owned */
};

struct primer {
	VEC(struct primer_block) blocks;  /* definitions; the last is not full; owned */
	VEC(struct primer_sum) sites;     /* by the trace's id; owned */
	struct record_config_again again; /* in force, where its place here does not say so; config
					     0: it does */
	bool failed; /* for want of memory something is not in it: no segment can begin any more */
};

/* Zero is a valid, empty one. */
void primer_release(struct primer *p);
/* Whether a record of this kind is one that segments begin with. */
bool primer_wants(uint8_t kind);
/* A config that is in force again takes the room of one record, however often. */
void primer_put(struct primer *p, struct ns now, const struct record *r);
/* Copies the i-th block; false: there is none. */
bool primer_copy(const struct primer *p, size_t i, struct block *out);

void primer_count(struct primer *p, uint64_t site, uint64_t objects, uint64_t bytes);
/* Fills `out` with the sums of sites from *site on, and moves that on; false: there are none. */
bool primer_sums(const struct primer *p, size_t *site, struct block *out);

#endif
