#include "stat/late.h"

#include <stddef.h>

/* With this many deaths expected, none at all comes by chance once in 3000 collections. */
#define USUAL_MIN 8.0
#define NEWEST    0.25 /* the last collection's weight in the running mean */
#define TOLD      0.5  /* of what is usual: with fewer there may be more to come */
#define FADES     0.9  /* what is usual, with each collection that told none of its own */

static bool is_silent(const struct late *l)
{
	return l->told == 0 && l->usual >= USUAL_MIN;
}

/* Those that are silent for too long are believed: no death moves by more. */
static bool joins(const struct late *l, uint64_t time)
{
	return !l->silent_count || (l->silent_count < LATE_MOST && time > l->silent_since &&
					   time - l->silent_since <= LATE_WITHIN);
}

static bool was_silent(const struct late *l, uint64_t time, enum late_seen seen)
{
	switch (seen) {
	case LATE_WAITED:
		return l->told == 0 && l->silent_count < LATE_ROOM;
	case LATE_NOTHING:
		return false;
	default:
		return is_silent(l) && joins(l, time);
	}
}

static void keep_silent(struct late *l)
{
	if (!l->silent_count)
		l->silent_since = l->ended;
	l->silent[l->silent_count++] = l->last;
	l->collections++;
}

/* It told what silent ones before it had found, and nothing of what was born since: where much of
 * that dies, its own are still to come. */
static bool is_behind_itself(const struct late *l)
{
	return l->silent_count && l->told && !l->newborn && l->usual_newborn >= USUAL_MIN;
}

static void move_on(double *usual, double told)
{
	*usual += NEWEST * (told - *usual);
}

/* What is told comes from the silent ones, too. */
static void believe(struct late *l)
{
	move_on(&l->usual, (double)l->told / (l->told ? l->silent_count + 1 : 1));
	move_on(&l->usual_newborn, (double)l->newborn);
	l->silent_count = 0;
}

static void begin_anew(struct late *l)
{
	move_on(&l->usual, (double)l->told / l->silent_count);
	l->usual_newborn *= FADES;
	l->silent_count = 0;
	keep_silent(l);
}

void late_collection(
	struct late *l, uint64_t young, uint64_t full, uint64_t time, enum late_seen seen)
{
	if (was_silent(l, time, seen))
		keep_silent(l);
	else if (is_behind_itself(l))
		begin_anew(l);
	else
		believe(l);
	l->behind = false;
	l->told = l->newborn = 0;
	l->last = (struct late_clocks){young, full};
	l->ended = time;
}

/* Of an object born right before the last collection, told only after an old cycle. */
static bool is_behind(struct late *l, uint64_t birth, uint64_t young, uint64_t full)
{
	bool cycle = young == l->last.young && full > l->last.full;
	if (cycle && is_silent(l) && !l->behind) {
		l->behind = true;
		l->collections++;
	}
	return cycle && l->behind && birth + 1 == young;
}

/* The silent collection that found what was born then; NULL: none did, or the last one. */
static const struct late_clocks *finder(struct late *l, uint64_t birth, uint64_t place)
{
	uint32_t first = 0;
	while (first < l->silent_count && birth >= l->silent[first].young)
		first++;
	uint32_t met = l->silent_count - first;
	if (!met)
		return NULL;
	uint32_t i = late_ages_any(&l->ages, place, l->silent[first].young - birth, met + 1);
	return i < met ? &l->silent[first + i] : NULL;
}

void late_death(struct late *l, uint64_t birth, uint64_t place, uint64_t *young, uint64_t *full)
{
	bool behind = is_behind(l, birth, *young, *full), now = *young == l->last.young;
	const struct late_clocks *found = now ? finder(l, birth, place) : NULL;
	l->told++;
	l->newborn += now && birth + 1 == *young;
	if (now && !l->silent_count && birth < *young)
		late_ages_add(&l->ages, place, *young - birth);
	if (behind) {
		*full = l->last.full;
	} else if (found) {
		*young = found->young;
		*full = found->full;
	}
	l->deaths += behind || found;
}

void late_gap(struct late *l, uint64_t young, uint64_t full)
{
	*l = (struct late){
		.last = {young, full}, .collections = l->collections, .deaths = l->deaths};
}

uint64_t late_known(const struct late *l)
{
	bool told = (double)l->told >= TOLD * l->usual && !is_behind_itself(l);
	bool waits = l->silent_count && !l->told;
	if (!waits && (l->usual < USUAL_MIN || told))
		return l->last.young;
	uint64_t first = waits ? l->silent[0].young : l->last.young;
	return first ? first - 1 : 0;
}
