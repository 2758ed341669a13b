/*
 * The sites that the exact engine knows: a place in the program's code and a class, numbered from
 * 1 so that the number fits the 22 free bits of an object's mark. Where a class is unloaded, or
 * compiled code thrown away, its sites are not found any more, and what comes in its place gets
 * other numbers. That of a site which is not found any more is given again once nothing has it
 * (remains.h). Of places beyond PLACES_MAX (births.h) objects of one class are a site, its key 0;
 * and beyond SITES_MAX all further ones are site SITE_OTHER.
 *
 * Objects keep their number in the mark when a recording is over. So the next one of the process
 * goes on where it left off, and knows a number below its first for another's; only when they are
 * used up it begins anew (site_table_next).
 *
 * Grows under the births' lock, or in its owner's thread alone.
 */
#ifndef EXACT_SITE_TABLE_H
#define EXACT_SITE_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/site_homes.h"

enum {
	SITE_BITS = 22,
	SITE_MASK = (1 << SITE_BITS) - 1,
	SITES_MAX = 1 << 18,    /* that are found at a time, nobody and SITE_OTHER included */
	SITES_SPAN = 1 << 19,   /* numbers of one recording, those not given again included */
	SITE_NUMBERS = 1 << 20, /* of all that go on after each other; an event has 20 bits */
	SITE_OTHER = 1,
	SITE_FIRST = SITE_OTHER + 1,
};

struct exact_site {
	uint64_t key;   /* an address in compiled code, or a bytecode's key; 0: unknown */
	uint32_t klass; /* its number (object_class_number) */
	/* Set once, by who defines the site; until then 0: */
	_Atomic uint32_t bytes1; /* of one object; 0: an array */
	_Atomic uint32_t shape;  /* of an array: shape.h */
	/* Set by the owner of the names (the agent): */
	uint32_t piece;         /* of code, that it stands in; 0: not told */
	uint32_t class_id;      /* in the trace */
	_Atomic uint32_t site;  /* of its place, in the trace; 0: not known yet */
	uint32_t told, told_as; /* the agent's told_sites.h; 0: not yet */
	/* Of its loaders (site_homes.h); 0: of none that is known. By the homes' lock. */
	uint32_t homes;
	uint32_t klass_upper; /* of its class's address, where the number is the lower half */
	/* By the births' lock. What its place is known by, whatever code it is compiled to: by the
	 * program's names, and in the class of one loader; 0: not known. And whether its objects
	 * are born as old as can be. */
	uint64_t named, place;
	_Atomic bool jumps;
	/* Its key is the return address of the probe's own call, in compiled code; and its door's
	 * number and 1 (birth_doors.h). 0: it has none. */
	bool leaf;
	_Atomic uint16_t door;
	_Atomic bool retired; /* it is not found any more, and has no homes. By the homes' lock */
	_Atomic bool waits; /* for its code to be told of, retired or not; the agent's, as this: */
	_Atomic bool bare;  /* its place is told of later than it */
	bool path;          /* its key is of a whole call path */
};

struct site_table {
	struct exact_site *at;  /* [SITE_NUMBERS]; 0 is nobody, SITE_OTHER is everybody else */
	uint32_t *index;        /* linear probing, twice SITES_MAX; 0: empty */
	uint32_t first, end;    /* numbers of this recording are from the first on, below the end */
	_Atomic uint32_t count; /* numbers that were ever taken: those from `first` on */
	uint32_t found;         /* sites that are found, nobody and SITE_OTHER included */
	uint32_t *spare;        /* [SITES_SPAN], a ring: numbers to be given again */
	uint32_t spare_at, spare_count;
	uint64_t refused, made;     /* that found no room; sites that were ever made */
	pthread_mutex_t homes_lock; /* also taken in pauses: held for some instructions */
	struct site_homes_table homes;
};

/* first: SITE_FIRST, or what site_table_next said of the last one. 0 or ERR_NOMEM. */
int site_table_init(struct site_table *t, uint32_t first);
void site_table_release(struct site_table *t);
/* Where the numbers of the next recording begin; SITE_FIRST, where not SITES_MAX are left. */
uint32_t site_table_next(const struct site_table *t);

/* Whether an object's number is of the recording whose numbers begin with `first`. That of
 * SITE_OTHER is all recordings'; 0 is none. */
static inline bool site_is_of(uint32_t first, uint32_t site)
{
	return site == SITE_OTHER || (site >= SITE_FIRST && site >= first && site < SITE_NUMBERS);
}
/* The site's number, made where it is new: then *fresh. Always one that exists; but with `most`
 * below SITES_MAX 0, where it is new and less than SITES_MAX - most further ones have room. */
uint32_t site_table_find(
	struct site_table *t, uint64_t key, uint32_t klass, uint32_t most, int *fresh);
/* Its loaders are these from now on; of one that is retired nothing. Takes the homes' lock. */
void site_table_house(struct site_table *t, struct exact_site *s, const struct site_homes *homes);
/* The loader of its code is this one. The same. */
void site_table_move(struct site_table *t, struct exact_site *s, uintptr_t home);
/* It is not found any more; whoever comes with its key and class is new. Under the homes' lock,
 * while the program stands. */
void site_table_retire(struct site_table *t, uint32_t id);
/* Of one that is retired: nothing has its number any more, and it may be given again; the longest
 * spared goes first. While the program stands. */
void site_table_spare(struct site_table *t, uint32_t id);
/* Sites that are retired, and not spared. */
uint32_t site_table_retired(const struct site_table *t);

#endif
