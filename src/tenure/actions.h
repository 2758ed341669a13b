/* The actions of a round, in the order in which they are to be carried out. The owner sees to it
 * that there is room. */
#ifndef TENURE_ACTIONS_H
#define TENURE_ACTIONS_H

#include "base/diag.h"
#include "base/vec.h"
#include "tenure/controller.h"

enum { ACTIONS_REASONS = 32 };

struct actions {
	VEC(struct action) list;
	/* What they point to, each sentence once: thousands of places may go for one reason. */
	struct diag reason[ACTIONS_REASONS];
	uint32_t reasons;
};

/* With room for so many. 0 or ERR_NOMEM. */
int actions_init(struct actions *a, size_t most);
void actions_release(struct actions *a);
/* None, and no reasons: those of the round before are gone. */
void actions_clear(struct actions *a);

/* One more at the end: there must be room. */
struct action *actions_add(struct actions *a, enum lever lever, enum action_kind kind);
/* Of that place; the value is how many of its callers count. */
struct action *actions_jump(
	struct actions *a, enum action_kind kind, const struct place_context *at);
struct action *actions_threshold(struct actions *a, enum action_kind kind, uint32_t most);
/* Sets the reason of one of them. */
MF_PRINTF(3, 4)
void actions_say(struct actions *a, struct action *one, const char *format, ...);

#endif
