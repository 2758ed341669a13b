#include "exact/follow_totals.h"

void follow_totals_add(struct follow_totals *to, const struct follow_totals *more)
{
	to->births += more->births;
	to->deaths += more->deaths;
	to->forgotten += more->forgotten;
	to->moves += more->moves;
	to->stays += more->stays;
	to->strays += more->strays;
	to->refused += more->refused;
	to->nameless += more->nameless;
	to->unreadable += more->unreadable;
	to->unsure += more->unsure;
	to->untold += more->untold;
	to->doubtful += more->doubtful;
}
