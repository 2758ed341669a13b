/*
 * The sites that the exact engine knows: a place in the program's code and a class, numbered from
 * 1 so that the number fits the 22 free bits of an object's mark. A number means the same while a
 * recording lasts; where a class is unloaded, or compiled code thrown away, its sites are not found
 * any more, and what comes in its place gets numbers of its own. Of places beyond PLACES_MAX
 * (births.h) objects of one class are a site, its key 0; and beyond SITES_MAX all further ones are
 * site SITE_OTHER.
 *
 * Objects keep their number in the mark when a recording is over. So the next one of the process
 * goes on where it left off, and knows a number below its first for another's; only when they are
 * used up it begins anew (site_table_next).
 *
 * Grows under the births' lock, or in its owner's thread alone.
 */
#ifndef EXACT_SITE_TABLE_H
#define EXACT_SITE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SITE_BITS = 22,
	SITE_MASK = (1 << SITE_BITS) - 1,
	SITES_MAX = 1 << 18,    /* of one recording, nobody and SITE_OTHER included */
	SITE_NUMBERS = 1 << 20, /* of all that go on after each other; an event has 20 bits */
	SITE_OTHER = 1,
	SITE_FIRST = SITE_OTHER + 1,
	SITE_HOMES = 3,
};

struct exact_site {
	uint64_t key;   /* an address in compiled code, or a bytecode's key; 0: unknown */
	uint32_t klass; /* narrow */
	/* Set once, by who defines the site; until then 0: */
	_Atomic uint32_t bytes1; /* of one object; 0: an array */
	_Atomic uint32_t shape;  /* of an array: shape.h */
	/* Set by the owner of the names (the agent): */
	uint32_t piece;                 /* of code, that it stands in; 0: not told */
	_Atomic uintptr_t loader, home; /* of its class, of its code (loaders.h); 0: not known */
	uintptr_t callers[SITE_HOMES];  /* of a call path: of its further code */
	bool many;                      /* there are more of them */
	uint32_t class_id;              /* in the trace */
	_Atomic uint32_t site;          /* of its place, in the trace; 0: not known yet */
	uint32_t told, told_as;         /* the agent's told_sites.h; 0: not yet */
	/* By the births' lock. What its place is known by, whatever code it is compiled to: by the
	 * program's names, and in the class of one loader; 0: not known. And whether its objects
	 * are born as old as can be. */
	uint64_t named, place;
	_Atomic bool jumps;
	/* Its key is the return address of the probe's own call, in compiled code; and its door's
	 * number and 1 (birth_doors.h). 0: it has none. */
	bool leaf;
	_Atomic uint16_t door;
	_Atomic bool retired; /* it is not found any more */
};

struct site_table {
	struct exact_site *at; /* [SITE_NUMBERS]; 0 is nobody, SITE_OTHER is everybody else */
	uint32_t *index; /* open addressing, twice SITES_MAX; 0: empty, SITE_OTHER: was retired */
	uint32_t first;  /* number of this recording */
	_Atomic uint32_t
		count; /* numbers that are taken: of this recording those from `first` on */
	uint64_t refused;
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
 * below SITES_MAX 0, where that many are in use and it is none of them. */
uint32_t site_table_find(
	struct site_table *t, uint64_t key, uint32_t klass, uint32_t most, int *fresh);
/* It is not found any more; whoever comes with its key and class is new. */
void site_table_retire(struct site_table *t, uint32_t id);

#endif
