/*
 * At which ages objects of a place die, as far as that was told in time: by which an object whose
 * death several collections may have found is given to one of them (stat/late.h). Of one birth the
 * chance of each is that of the age that the object then had. Places are a table of limited size:
 * several may share a row.
 */
#ifndef STAT_LATE_AGES_H
#define STAT_LATE_AGES_H

#include <stdint.h>

enum { LATE_PLACES = 512, LATE_AGES = 16 }; /* the last age and all above it are one */

/* All zeros at first. */
struct late_ages {
	uint16_t died[LATE_PLACES][LATE_AGES];
	uint64_t rolls; /* of the dice so far */
};

/* An object of the place died having met so many collections, with the one that found it: 1 … */
void late_ages_add(struct late_ages *a, uint64_t place, uint64_t age);
/* One of `count` (not 0) ages from `first` on, by chance: 0 … count - 1. Of a place of which
 * nothing is known the first. */
uint32_t late_ages_any(struct late_ages *a, uint64_t place, uint64_t first, uint32_t count);

#endif
