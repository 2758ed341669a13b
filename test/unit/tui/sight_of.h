/* A simulated program as the live view sees it: the same on each run. */
#ifndef UNIT_TUI_SIGHT_OF_H
#define UNIT_TUI_SIGHT_OF_H

#include "support/advise_of.h"
#include "tui/sight.h"

struct sight_of {
	struct advise_of advise;
	struct notes notes, advise_notes;
	struct sight sight;
};

/* samples: how much of it there is; 0: nothing was sampled. 0 or an error; to be released in any
 * case. */
int sight_of_shop(struct sight_of *s, uint64_t samples);
void sight_of_release(struct sight_of *s);

#endif
