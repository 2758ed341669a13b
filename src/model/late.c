#include "model/late.h"

/* With this many deaths expected, none at all comes by chance once in 3000 collections. */
#define USUAL_MIN 8.0
#define NEWEST    0.25 /* the last collection's weight in the running mean */

void late_collection(struct late *l, uint64_t young, uint64_t full)
{
	/* After one that was taken for late the next is believed: no death moves by more than one.
	 */
	l->open = l->told == 0 && l->usual >= USUAL_MIN && !l->open;
	if (l->open) {
		l->open_young = l->young;
		l->open_full = l->full;
		l->collections++;
	} else {
		l->usual += NEWEST * ((double)l->told - l->usual);
	}
	l->behind = false;
	l->told = 0;
	l->young = young;
	l->full = full;
}

/* Of an object born right before the last collection, told only after an old cycle. */
static bool is_behind(struct late *l, uint64_t birth, uint64_t young, uint64_t full)
{
	bool cycle = young == l->young && full > l->full;
	if (cycle && !l->told && l->usual >= USUAL_MIN && !l->behind) {
		l->behind = true;
		l->collections++;
	}
	return cycle && l->behind && birth + 1 == young;
}

void late_death(struct late *l, uint64_t birth, uint64_t *young, uint64_t *full)
{
	bool behind = is_behind(l, birth, *young, *full);
	l->told++;
	if (behind) {
		*full = l->full;
		l->deaths++;
		return;
	}
	if (!l->open || *young != l->young || birth >= l->open_young)
		return;
	*young = l->open_young;
	*full = l->open_full;
	l->deaths++;
}
