/*
 * Where objects that have a site's number in their mark may still be, so that it can be given again
 * when there is none: each account tells of all that were born since the one before, and of all
 * that are young, if none of those was left out. What was promoted, or born outside of the young
 * generation, is not seen again, but in a full collection that looks at all.
 *
 * Only of use for sites in marks, where single objects are not followed. All run while the program
 * stands, and allocate nothing.
 */
#ifndef EXACT_REMAINS_H
#define EXACT_REMAINS_H

#include "exact/accounts.h"
#include "exact/births.h"
#include "exact/census.h"
#include "exact/newborns.h"

/*
 * Numbers that one pause looks at: some, and more where many sites were made since the last one, so
 * that no more than a quarter of all numbers waits to be looked at.
 */
enum {
	REMAINS_SOME = 4096, /* some 50 us */
	REMAINS_OF_NEW = 4,
	REMAINS_MOST = 1 << 16,
	REMAINS_WORTH = 1024, /* retired sites: for less nothing is looked at */
};

/* Of one number. */
struct remain {
	uint32_t account; /* that spoke of it last, counted on from 1; 0: none did */
	bool old;         /* one may be in the old generation, where it is not seen, */
	bool outside;     /* or where no collection looks */
};

struct remains {
	struct remain *at; /* [SITE_NUMBERS]; owned */
	uint32_t next;     /* where the next search begins */
	uint64_t made;     /* sites, as it began last */
};

/* 0 or ERR_NOMEM. */
int remains_init(struct remains *r);
void remains_release(struct remains *r);
/* What an account tells of, which is the `account`th. */
void remains_tell(
	struct remains *r, const struct newborns *n, const struct census *c, uint32_t account);
/* A collection of which not all was seen: any site's may have come to the old generation. */
void remains_doubt(struct remains *r, const struct site_table *t);
/* A full collection looks at all that stands in the old generation: from now on those are in it
 * that remains_met is told of. */
void remains_look(struct remains *r, const struct site_table *t);
static inline void remains_met(struct remains *r, uint32_t site)
{
	r->at[site].old = true;
}
/* Whether the last so many accounts, up to this one, spoke of none of its objects. */
static inline bool remains_quiet(
	const struct remains *r, uint32_t site, uint32_t account, uint32_t accounts)
{
	return !r->at[site].account || account - r->at[site].account >= accounts;
}
/*
 * Behind an account that told of all that were born and of all that are young: some of the retired
 * sites whose numbers nothing has are spared. account: which it is; read: so many accounts are
 * written. Returns how many.
 */
uint32_t remains_spare(struct remains *r, struct births *b, uint32_t account, uint32_t read);

#endif
