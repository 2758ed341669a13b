/* When the levers rest, to see again how old objects get: the state `probe`. */
#ifndef TENURE_PROBE_H
#define TENURE_PROBE_H

#include "tenure/loop.h"

/* Whether there is a lever that can rest. */
bool probe_can(const struct controller *c);
/* After a settled round: whether a probe begins. */
bool probe_begins(struct controller *c, const struct view *v);
/* The levers rest, or have their effect again. */
void probe_rest(struct controller *c, enum action_kind kind);
/* Whether what has been seen of the round is enough. */
bool probe_is_clear(struct controller *c, const struct view *v);
/* A round of it is over. 0 or ERR_NOMEM. */
int probe_round(struct controller *c, const struct view *v);
/* Some of what was decided can't be done, and the rest was chosen to stand beside it: by what is
 * known it is kept, changed or taken back, as at a probe's end. 0 or ERR_NOMEM. */
int probe_revise(struct controller *c, const struct view *v);

#endif
