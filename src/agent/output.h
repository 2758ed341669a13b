/*
 * The trace file as the writer thread sees it: takes full blocks from the recorder, seals and
 * writes them. After a failure (full disk) the file is cut back to its last whole block, so that
 * what was recorded stays readable, and nothing more is written.
 * The same where the program closes its descriptor, which may then be the number of another file.
 * Used by one thread at a time: the writer, or whoever ends the recording after it.
 */
#ifndef AGENT_OUTPUT_H
#define AGENT_OUTPUT_H

#include <limits.h>

#include "agent/recorder.h"
#include "agent/stretch.h"
#include "base/diag.h"
#include "base/own_fd.h"
#include "options/options.h"

struct output {
	struct own_fd file;
	char path[PATH_MAX]; /* from the root on */
	struct codec codec;
	bool compress;
	struct buf sealed;
	uint32_t sequence;
	_Atomic uint64_t written; /* bytes of whole blocks in the file */
	struct stretch stretch;   /* of a cyclic trace */
	struct block primed;      /* what a segment begins with, one by one */
	_Atomic uint64_t held;    /* bytes that the file takes of the disk */
	bool turning;             /* a segment begins */
	int err;                  /* the first failure, kept */
	struct diag trouble;      /* its sentence */
};

/* Creates the file and writes its header. ERR_IO, ERR_DENIED, ERR_NOT_FOUND, ERR_FORMAT (name),
 * with a sentence; no file is left then, but for one that another process records to (ERR_IO), or
 * an earlier run's that can't be emptied: both as they are. */
int output_open(struct output *o, const struct options *options, struct diag *d);
/* Writes all blocks that are full; with `push`, what is pending too. Returns the first failure
 * ever, with its sentence. */
int output_drain(struct output *o, struct recorder *r, bool push, struct diag *d);
/* Writes a block of the caller's, behind those that were drained. After a failure it does nothing.
 */
void output_block(struct output *o, struct recorder *r, const struct block *b);
/*
 * Of a cyclic trace. Whether a new segment would be welcome, which with a checkpoint is worth more;
 * begins one, if it would; looks whether there is one to begin, without a checkpoint: `waits`: one
 * is to come, and may be waited for.
 */
bool output_wants_segment(const struct output *o, const struct recorder *r);
void output_segment(struct output *o, struct recorder *r);
void output_turn(struct output *o, struct recorder *r, bool waits);
/* Bytes that it takes of the disk. */
static inline uint64_t output_bytes(const struct output *o)
{
	return atomic_load(stretch_cyclic(&o->stretch) ? &o->held : &o->written);
}
/* The recording does not begin: a file that has nothing but its header goes. */
void output_discard(const struct output *o);
/* Closes the file and frees. */
void output_close(struct output *o);

#endif
