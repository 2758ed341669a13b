/*
 * Looks at what followed objects refer to, so that what chosen objects refer to can be chosen too
 * (tenure/references.h): once a round and only while places are being chosen, a bounded number of
 * objects that have survived a collection, for a bounded time, with no lock held and outside any
 * pause. Tenure's thread looks; the sampler offers (in_sight.h).
 */
#ifndef AGENT_LOOKOUT_H
#define AGENT_LOOKOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/children.h"
#include "agent/in_sight.h"
#include "agent/recorder.h"
#include "agent/vm.h"
#include "tenure/references.h"

enum { LOOKOUT_OBJECTS = 512, LOOKOUT_NS = 5000000 /* of this thread's CPU, in a round */ };

struct lookout_counts {
	uint64_t rounds, objects, children, followed; /* followed: children whose place is known */
	uint64_t ns;                                  /* of CPU */
};

struct lookout {
	const struct vm *vm;       /* borrowed */
	struct in_sight *in_sight; /* owned, as is what follows; NULL: nobody looks */
	struct children *children;
	struct references references;
	struct lookout_counts counts;
	/* Classes, by a bit for each, whose objects have nothing to refer to others with. */
	uint64_t barren[IN_SIGHT_CLASSES / 64];
	uint32_t from; /* slot of in_sight to go on at */
	bool wanted;
};

/* Looks from now on. 0 or ERR_NOMEM. */
int lookout_init(struct lookout *l, const struct vm *vm);
/* From now on objects are to be looked at, or not: what is known stays. */
void lookout_want(struct lookout *l, bool wanted);
bool lookout_wants(const struct lookout *l);
/* A round's looks; young: the young clock. Asks now and then whether to stop. In a thread that the
 * VM knows. */
void lookout_look(struct lookout *l, JNIEnv *jni, struct recorder *r, uint64_t young,
	bool (*stop)(void *arg), void *arg);
/* Marks the snapshot's rows by what is known (SNAPSHOT_LOOKED, SNAPSHOT_LEAF), and gives the edges
 * between them, until the next call; NULL and 0 where nobody is to look. */
const struct choose_edge *lookout_edges(struct lookout *l, struct snapshot *s, size_t *count);
/* Nobody offers or looks any more: references go back (jni NULL: the VM ends), and what was seen
 * goes into the trace, as a fact. */
void lookout_end(struct lookout *l, JNIEnv *jni, struct recorder *r);
/* All zeros may be released too. */
void lookout_release(struct lookout *l);

#endif
