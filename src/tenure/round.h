/* What the collector did in a round, as the agent measured it, by collection. */
#ifndef TENURE_ROUND_H
#define TENURE_ROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/young_room.h"

enum { ROUND_ROOM = 64, ROUND_GROUPS = 4 };

/* A collection that moved the young clock. UINT64_MAX where a figure is not known. */
struct round_collection {
	uint64_t allocated; /* bytes, since the one before */
	uint64_t survivors; /* bytes put into survivor spaces */
	uint64_t promoted;  /* bytes put into the old generation */
	uint64_t pause;     /* ns */
	uint64_t cpu;       /* ns, of all the collector's threads */
	uint64_t cards;     /* scanned */
	uint64_t blind;     /* of `allocated`: by collections of which it is not known what they
			       copied; survivors, promoted and found have nothing of them */
	uint64_t found;     /* bytes in survivor spaces as it began */
};
#define ROUND_UNKNOWN UINT64_MAX

struct round {
	/* One after the other; of more than ROUND_ROOM as many in one as need be. */
	struct round_collection collection[ROUND_ROOM];
	uint32_t count;       /* collections */
	uint32_t each;        /* of them in one; 0: 1 */
	uint32_t spilt;       /* collections whose survivor spaces overflowed, of which
				 no ages are known */
	uint64_t last;        /* its last collection's pause, ns */
	uint64_t longest;     /* pause, ns; 0: none is known */
	uint64_t ended;       /* its last collection, ns since recording began; 0: not
				 known */
	uint64_t wall;        /* ns that the round took: from the end of the one before */
	uint64_t process_cpu; /* ns of the whole process; ROUND_UNKNOWN */
	uint64_t process_age, compilers; /* ns that it, and of it the VM's compilers, have taken
					    since it began; 0: not known */
	uint64_t samples;                /* looked at by the learner */
	uint64_t full;                   /* bytes in use behind its full collections, together */
	uint64_t young;                  /* clock at its end */
	struct young_room room;          /* then */
};

void round_clear(struct round *r);
void round_add(struct round *r, const struct round_collection *c);

/* Its last so many collections, or some more where several are in one, as a round without what is
 * known of the whole alone. */
struct round round_end(const struct round *r, uint32_t count);

enum round_figure {
	ROUND_ALLOCATED,
	ROUND_FOUND,
	ROUND_PROMOTED,
	ROUND_COPIED, /* survivors and promoted */
	ROUND_PAUSE,
	ROUND_CPU,
	ROUND_CARDS,
	ROUND_BLIND, /* bytes allocated before collections of which copies are not known */
	ROUND_FIGURES
};
/* The last collection's pause went on for so many ns. Where there is none, nothing is done. */
void round_go_on(struct round *r, uint64_t pause);
/* What its last collection copied is not known. Where there is none, nothing is done. */
void round_go_blind(struct round *r);

/* The first collection of the g-th of ROUND_GROUPS groups; of the one behind the last: their count.
 */
uint32_t round_group(const struct round *r, uint32_t g);
/* Sum over the collections from `from` to before `to`, each the first of a group, or the count; NaN
 * where one of them does not know it. What a blind one copied is taken to be what the others did
 * for each byte allocated; NaN where there is no other. */
double round_sum(const struct round *r, enum round_figure f, uint32_t from, uint32_t to);
/* Of the whole round. */
double round_total(const struct round *r, enum round_figure f);
/* f for each byte allocated, in the g-th group; NaN where not known. */
double round_rate(const struct round *r, enum round_figure f, uint32_t g);

#endif
