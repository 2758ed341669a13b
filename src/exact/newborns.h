/*
 * Births that no account has told of yet, by site, and their sum: those that the threads have
 * counted since the last account, or since those for which there was no room.
 */
#ifndef EXACT_NEWBORNS_H
#define EXACT_NEWBORNS_H

#include <stdint.h>

#include "exact/accounts.h"
#include "exact/births.h"

struct newborns {
	struct birth_sums of;
	struct birth_sum sum; /* of them all */
};

/* 0 or ERR_NOMEM. */
int newborns_init(struct newborns *n);
void newborns_release(struct newborns *n);
/* A birth_visit: arg is the newborns. */
void newborns_add(void *arg, const struct birth_sum *s);
/* Cells that an account of them needs. */
uint64_t newborns_cells(const struct newborns *n);
/* Into the account that is begun: there is room. They are none any more. */
void newborns_tell(struct newborns *n, struct accounts *a);

#endif
