/*
 * The sampling in force, and how it follows the program: which samples are walked and followed
 * (thinning.h), how far apart they are (spacing.h), and the config records by which readers weigh
 * them (doc/trace-format.md, 0x12). Protected by the owner's lock, but for what is said to be
 * lock-free.
 */
#ifndef AGENT_CONFIGS_H
#define AGENT_CONFIGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/cpu_share.h"
#include "agent/journal.h"
#include "agent/spacing.h"
#include "agent/thinning.h"
#include "options/options.h"

/* The sieves in force, in one word, so that a sample reads them at once. */
struct sieve {
	uint32_t config; /* id of the config record */
	uint8_t walk_shift, track_shift;
	uint8_t spread; /* distances that are drawn now: configs_interval */
};

/* More than a program comes by. One that is forgotten gets another id when it comes again. */
enum { CONFIGS_KNOWN = 128 };
struct known_config {
	uint64_t interval;
	uint32_t id; /* 0: none */
	uint8_t walk_shift, track_shift;
};

struct configs {
	struct journal *journal; /* borrowed */
	struct ns start;         /* immutable: the origin of all times in the trace */
	uint64_t interval;       /* immutable: what was asked for, at most INT32_MAX */
	uint32_t coarse_shift;   /* immutable: halvings that brought the interval asked for into
				    that range */
	uint32_t capacity;       /* immutable: objects followed at once */
	uint8_t first;           /* immutable: the spread that the VM is told of at first */
	uint64_t bound_alone;    /* immutable: samples a second without exact counts; 0: none */
	struct thinning thinning;
	struct cpu_share cpu; /* told of without the lock */
	struct spacing spacing;
	/* Put down so far, for samples whose distance was drawn by an interval that is in force no
	 * more, and for what comes to be in force again: then it keeps its id. */
	struct known_config known[CONFIGS_KNOWN];
	uint32_t known_next, count;
	uint8_t spread, spread_next; /* that the VM was told, and is being told of */
	bool spacing_now;            /* by one thread */
	_Atomic uint64_t sieve;      /* struct sieve, packed */
	_Atomic bool spaces;         /* the VM is to be told of another interval */
};

/* start: when the recording began, or the end of time where it waits. The first config is put down.
 */
void configs_init(struct configs *c, const struct options *o, struct journal *j, uint32_t capacity,
	struct ns start);

/* Where the recording waited: it begins now. */
void configs_begin(struct configs *c, struct ns start);

/* Lock-free, as the next. */
struct sieve configs_sieve(const struct configs *c);
/* Bytes, by which distances to the next sample are drawn. */
uint64_t configs_interval(const struct configs *c, uint8_t spread);
/* The config of a sample whose distance was drawn by another interval than the sieve's; 0: no room.
 */
uint32_t configs_of(struct configs *c, uint64_t interval, const struct sieve *sieve);

/* A walk more. samples: that the VM gave us; walked: of those, both so far. */
void configs_walk(struct configs *c, uint64_t samples, uint64_t walked);
/* Exact counts go: the interval is what it is without them. */
void configs_alone(struct configs *c);
/* From now on so many stacks may be walked in a second. */
void configs_bound(struct configs *c, uint64_t walks_per_second);
/* About once a second. */
void configs_tick(struct configs *c, uint64_t samples, uint64_t walked);

/* Whether the VM is to be told of another interval: lock-free. */
bool configs_want(const struct configs *c);
/* Whether it is for the caller to tell it, and then that it did (configs_told) or could not
 * (configs_untold). */
bool configs_tell(struct configs *c, uint64_t *interval);
/* False: there is no room to say so in the trace: the VM is to be told of the old one, then
 * configs_untold. */
bool configs_told(struct configs *c);
void configs_untold(struct configs *c);

#endif
