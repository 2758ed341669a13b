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

void late_collection(struct late *l, uint64_t young, uint64_t full, uint64_t time)
{
	if (is_silent(l) && joins(l, time))
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

/* The silent collection that found what was born then; NULL: none did. */
static const struct late_clocks *finder(const struct late *l, uint64_t birth)
{
	for (uint32_t i = 0; i < l->silent_count; i++)
		if (birth < l->silent[i].young)
			return &l->silent[i];
	return NULL;
}

void late_death(struct late *l, uint64_t birth, uint64_t *young, uint64_t *full)
{
	bool behind = is_behind(l, birth, *young, *full), now = *young == l->last.young;
	const struct late_clocks *found = now ? finder(l, birth) : NULL;
	l->told++;
	l->newborn += now && !found && birth + 1 == *young;
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
	if (l->usual < USUAL_MIN || told)
		return l->last.young;
	uint64_t first = l->silent_count && !l->told ? l->silent[0].young : l->last.young;
	return first ? first - 1 : 0;
}
