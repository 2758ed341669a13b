/*
 * The heap at a moment, by the exact engine's events: a second reading of a trace whose model is
 * known, up to the moment's collection, from a checkpoint where that will do. Definitions:
 * doc/metrics.md, "Heap by events" and "Size of a followed object".
 */
#ifndef MODEL_FOLLOWED_H
#define MODEL_FOLLOWED_H

#include "model/model.h"
#include "trace/heap_image.h"

struct followed_moment {
	/* All steps that began before the young clock stood there: UINT64_MAX: all there are. */
	uint64_t young;
	bool whole; /* from the first interval on: with each object's thread, birth and size */
};

/* Where an object's size is from. */
enum size_basis {
	SIZE_CLASS,    /* of a class whose instances are all alike: exact */
	SIZE_TOLD,     /* the trace tells it: exact */
	SIZE_DISTANCE, /* of an array: to the next birth in its chunk */
	SIZE_MEAN,     /* of an array: of its site's that have no distance */
	SIZE_UNKNOWN,
	SIZE_BASES
};

typedef VEC(uint64_t) site_numbers; /* by id of a site */

/* What was born of a site in the last interval that its births are told of. */
struct latest_births {
	uint64_t young; /* the clock behind it */
	struct quantity born;
	struct quantity sized; /* of them, those that stand and have a distance */
};

struct followed {
	struct heap_image image;
	VEC(struct quantity) counted; /* by id of a site: births, as counted, up to the moment */
	uint64_t births;              /* of all sites */
	VEC(struct latest_births) latest; /* as `counted` */
	/* The clock of the last account; of a moment before the end UINT64_MAX. */
	uint64_t accounted;
	/* Births are told of singly only where they outlived a collection. The rest died at once,
	 * but of intervals that were lost: of these it is not known. By id of a site, and of all;
	 * where the reading began with a checkpoint, at most. */
	bool survivors;
	site_numbers veiled; /* owned */
	uint64_t veiled_births;
	uint64_t checkpoint; /* its interval plus 1; 0: from the beginning */
	bool untold;         /* the trace's begin was forgotten, and the moment with it */
	uint64_t first;      /* then: the young clock of the first that can be told; 0: none can */
	bool cut;            /* the file ends within a step, which is left out then */
	struct diag damage;  /* why reading stopped; empty where it did not */
};

/* Whether the trace has events, and the agent stands by them. */
static inline bool followed_any(const struct model *m)
{
	return m->events.blocks > 0 && !model_disowned(m);
}

/* Whether they tell of those alone that outlived a collection (trace-format.md, 8.6). */
bool followed_survivors(const struct model *m);

/* Reads on from where the reader is, which was just opened. 0 also where the trace is cut or
 * damaged, as replay_run; f is to be released in any case. ERR_NOMEM or ERR_IO, with a sentence. */
int followed_read(struct followed *f, struct reader *r, const struct model *m,
	const struct followed_moment *at, struct diag *d);
/*
 * The same of many moments in one reading, from the first interval on: `young` of each as in
 * followed_moment, rising. `visit` is called for each in turn, with the image as it stood then and
 * `untold` set for it; a result other than 0 ends the reading with it. Sizes are by the births of
 * the whole trace. `gone`, if not NULL, is called for each object that stands no longer, as
 * heap_image's.
 */
struct followed_walk {
	const uint64_t *young;
	size_t count;
	int (*visit)(void *arg, struct followed *f, size_t i);
	void (*gone)(void *arg, const struct image_object *o, bool died);
	void *arg;
	bool sizeless; /* nobody asks for sizes: births are counted up to the last moment alone */
};
int followed_walk(struct followed *f, struct reader *r, const struct model *m,
	const struct followed_walk *w, struct diag *d);
void followed_release(struct followed *f);

/* The moment of the state after the index-th collection of the list, or none (GCS_NONE). */
struct followed_moment followed_at(const struct model *m, ptrdiff_t gc);
/* Bytes. `class`: index. */
uint64_t followed_size(const struct followed *f, const struct model *m,
	const struct image_object *o, enum size_basis *basis);
/* Births that were counted and are in no event, and not known to have died: lost. Of a whole
 * reading, or where survivors alone are told of; else 0. */
uint64_t followed_lost(const struct followed *f);

#endif
