/*
 * The file of a cyclic recording: it keeps its last stretch, by time or by bytes of the disk, and
 * forgets what is older (doc/trace-format.md, 1.4; doc/decisions/0014).
 *
 *   file header | gap | segment | segment | … | the segment that is being written
 *
 * Each segment can be read without those before it. The oldest is forgotten as a whole: one small
 * write makes the gap reach over it, then the file system takes its pages back. A process that is
 * killed in between leaves a file that reads the same and is larger.
 *
 * The output's own; one thread at a time.
 */
#ifndef AGENT_STRETCH_H
#define AGENT_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/types.h"
#include "options/options.h"

enum {
	STRETCH_SEGMENTS = 64,
	STRETCH_PARTS = 8,   /* a segment is about one part in so many of the stretch … */
	STRETCH_HALF = 2,    /* … at most one in so many of its bytes … */
	STRETCH_WAIT = 4,    /* … and at most so many times its time */
	STRETCH_PAGE = 4096, /* the least that a file system gives back */
};

struct segment {
	uint64_t offset;    /* of its first block */
	uint64_t time;      /* when it began, ns since recording began */
	uint64_t last_time; /* the greatest in all blocks before it */
	uint32_t blocks;    /* before it */
};

struct stretch {
	int fd;                              /* borrowed */
	uint64_t bytes, ns;                  /* the bounds; both 0: nothing is forgotten */
	uint64_t begin;                      /* offset of the first block, or of the gap */
	struct segment at[STRETCH_SEGMENTS]; /* oldest first; the last is being written */
	uint32_t count;
	uint64_t end;         /* of the whole blocks in the file */
	uint64_t fixed;       /* end of what the last segment begins with */
	uint64_t checkpoints; /* bytes of checkpoints behind that */
	uint64_t last_time;   /* the greatest so far */
	uint32_t blocks;      /* so far */
};

/* A file with so many bytes, before its first block. ERR_UNSUPPORTED, with a sentence: its file
 * system can't give space back. */
int stretch_init(
	struct stretch *s, int fd, const struct option_stretch *o, uint64_t begin, struct diag *d);

static inline bool stretch_cyclic(const struct stretch *s)
{
	return s->bytes || s->ns;
}

/* Whether the segment that is being written has no checkpoint, but for the file's first. */
static inline bool stretch_bare(const struct stretch *s)
{
	return s->at[s->count - 1].offset != s->begin && !s->checkpoints;
}
/* Another number for each segment, and once a checkpoint is in it; never 0. */
static inline uint64_t stretch_state(const struct stretch *s)
{
	return s->at[s->count - 1].offset * 2 + (s->checkpoints > 0);
}

/* Whether a new segment would be welcome now; whether it must begin now. */
bool stretch_wants(const struct stretch *s, struct ns now);
bool stretch_must(const struct stretch *s, struct ns now);
/* The next block begins a segment. False: there are too many, or the last has no block yet. */
bool stretch_begin(struct stretch *s, struct ns now);
/* What it begins with (definitions) is written. */
void stretch_begun(struct stretch *s);

/* Forgets what is too old, and so much that `more` bytes find room. 0; ERR_FULL: they don't, though
 * but one segment is left; ERR_IO. */
int stretch_make_room(struct stretch *s, uint64_t more, struct ns now);
/* Forgets the oldest segment but the last. 0; ERR_FULL: there is one; ERR_IO. */
int stretch_forget(struct stretch *s);
/* A whole block was written at the end. */
void stretch_wrote(struct stretch *s, uint64_t bytes, uint64_t last_time, bool checkpoint);
/* Bytes that the file takes of the disk: whole pages. */
uint64_t stretch_held(const struct stretch *s);

#endif
