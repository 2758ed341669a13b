/*
 * The objects that the exact engine followed, as they stand after a step: rebuilt from the chunks
 * of events (doc/trace-format.md, 8.2).
 *
 *	heap_image_chunk for each chunk in the file's order; a chunk of a later interval ends the
 *one before. heap_image_end ends the one that is open: to be called before anything is asked.
 *
 * Only pages that something is told of are looked at when an interval ends, and each of their
 * objects once: a birth that dies is appended, and left out when the page is gone through
 * (image_pages.h).
 */
#ifndef TRACE_HEAP_IMAGE_H
#define TRACE_HEAP_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "trace/events.h"
#include "trace/image_pages.h"

enum { IMAGE_SURVIVED_MAX = (1 << 15) - 1 };
#define IMAGE_YOUNG_UNKNOWN UINT32_MAX

enum image_odd {
#define IMAGE_ODD(name, one, more) IMAGE_ODD_##name,
#include "trace/image_odd.def"
#undef IMAGE_ODD
	IMAGE_ODDS
};
/* The phrase that follows the count. */
const char *image_odd_text(enum image_odd odd, uint64_t count);

struct image_arrival {
	uint64_t to; /* of who was met 0: it is followed no further */
	struct image_object object;
};

/* Objects. births + given = deaths + forgotten + doubles + those that stand. */
struct image_totals {
	uint64_t births, given; /* given: by a checkpoint */
	uint64_t deaths, forgotten, doubles;
	uint64_t moves, stays; /* survivals */
	uint64_t sizes;        /* told by blocks of sizes */
	uint64_t met;          /* of the births: when they had outlived a step */
	uint64_t open;         /* of the births: not closed by a collection */
	uint64_t intervals, chunks;
	uint64_t passed; /* chunks before the checkpoint that was waited for */
	uint64_t veiled; /* intervals after which all was let go, for they can't be read */
};

/* What births of one site told of sizes. */
struct image_site {
	uint64_t births, sized, eighths; /* sized: of the births, those whose size is in eighths */
};

struct heap_image {
	/* Ids that the trace has defined: 1 … of each. Set by the owner, who may raise them. */
	uint64_t site_ids, thread_ids;

	struct image_pages pages;
	VEC(struct image_site) sites; /* by id; owned */
	struct image_totals totals;
	uint64_t odds[IMAGE_ODDS];
	uint64_t interval, young; /* of the one that is open, or was last */
	bool any, open;           /* an interval was; it is still open */
	bool veil;                /* the interval that is open can't be followed */

	struct ranges swept, forgotten;
	VEC(struct image_arrival) arrivals, met;
	/* The events' begin was forgotten: what comes before the first whole checkpoint is passed
	 * over. */
	bool waits, begun;    /* it has not come; some of it has */
	uint64_t began_young; /* the clock of the checkpoint that it began with */

	/* Set by the owner: called for each object that an interval's end leaves out, as it stood,
	 * but where all are let go because the interval can't be read. NULL: nobody. */
	void (*gone)(void *arg, const struct image_object *o, bool died); /* else forgotten */
	void *gone_arg;
	/* The same for each birth that is told: 0 or ERR_NOMEM. NULL: nobody. */
	int (*born)(void *arg, const struct image_object *o);
	void *born_arg;
};

/* Zero is a valid, empty one. */
void heap_image_release(struct heap_image *h);

/* Takes the payload of a block of kind 2 or 6. 0 or ERR_NOMEM: what is wrong with it is counted. */
int heap_image_chunk(struct heap_image *h, struct slice payload);
/* Ends the interval that is open, if one is. 0 or ERR_NOMEM. */
int heap_image_end(struct heap_image *h);

/* The same where the step that ends the interval is not known as a whole, as at the end of a trace
 * that was cut: births are put in their places, and the step is left out. True in *left: there was
 * something of one. */
int heap_image_abandon(struct heap_image *h, bool *left);

/* Takes a chunk of the checkpoint to begin with, in an image that was empty before. */
int heap_image_begin(struct heap_image *h, struct slice payload);
/*
 * In an image that was empty before: heap_image_chunk takes nothing and heap_image_compare begins
 * with what it is given, until a checkpoint was given whole; afterwards all is as else.
 */
void heap_image_await(struct heap_image *h);
/* Compares a chunk of a checkpoint with what stands. */
int heap_image_compare(struct heap_image *h, struct slice payload);

/* Objects that stand; after heap_image_end. */
uint64_t heap_image_standing(const struct heap_image *h);
/* The object at an address, or NULL. Valid until anything else is called. */
const struct image_object *heap_image_at(struct heap_image *h, uint64_t address);

/* All that stand, by rising address. 0, ERR_NOMEM or what `visit` returned. */
int heap_image_each(struct heap_image *h, image_pages_visit *visit, void *arg);

#endif
