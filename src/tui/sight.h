/* One reading of a trace, as the screen needs it: what commands that read a trace have in hand too.
 */
#ifndef TUI_SIGHT_H
#define TUI_SIGHT_H

#include "analyze/advise.h"
#include "analyze/ledger.h"
#include "analyze/notes.h"
#include "report/text.h"

/* All borrowed. */
struct sight {
	const char *name;   /* of what is watched, for the first line */
	const char *status; /* why nothing new comes, or ""; a sentence or a word */
	/* NULL before the first reading; the rest is only looked at where it is not. */
	const struct model *model;
	const struct ledger *ledger; /* settled, with lives on every clock */
	const struct notes *notes;
	const struct advise *advise;
	const struct notes *advise_notes; /* with what can't be judged */
	struct look look;
};

#endif
