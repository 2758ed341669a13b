/*
 * The class loaders that sites belong to: a site goes when one of them does. Sites of the same
 * loaders share what is kept of them, of which there is as much as loaders that are alive, or a few
 * times that; it goes with the last of its sites.
 */
#ifndef EXACT_SITE_HOMES_H
#define EXACT_SITE_HOMES_H

#include <stdbool.h>
#include <stdint.h>

enum { SITE_HOMES = 3, SITE_HOMES_HEADS = 1 << 12 };

/* Of one site. Loaders (loaders.h); 0: not known. */
struct site_homes {
	uintptr_t loader, home;        /* of its class, of its code */
	uintptr_t callers[SITE_HOMES]; /* of a call path: of its further code */
	bool many;                     /* there are more of them */
};

/* One or more sites'. */
struct site_homes_row {
	struct site_homes homes;
	uint32_t sites; /* 0: it is nobody's */
	uint32_t next;  /* of one hash, or that is nobody's; 0: no more */
};

struct site_homes_table {
	struct site_homes_row *at; /* [SITES_MAX]; 0 is of no loader; owned */
	uint32_t count, free;      /* rows ever used; the first that is nobody's */
	uint32_t heads[SITE_HOMES_HEADS];
};

/* 0 or ERR_NOMEM. */
int site_homes_init(struct site_homes_table *t);
void site_homes_release(struct site_homes_table *t);
/* A site that had this row gets one of these; returns it. There are never more than sites. */
uint32_t site_homes_move(struct site_homes_table *t, uint32_t from, const struct site_homes *to);
static inline const struct site_homes *site_homes_at(const struct site_homes_table *t, uint32_t row)
{
	return &t->at[row].homes;
}

#endif
