/* The actions of a round, in the order in which they are to be carried out. The owner sees to it
 * that there is room. */
#ifndef TENURE_ACTIONS_H
#define TENURE_ACTIONS_H

#include "base/vec.h"
#include "tenure/controller.h"

struct actions {
	VEC(struct action) list;
};

/* With room for so many. 0 or ERR_NOMEM. */
int actions_init(struct actions *a, size_t most);
void actions_release(struct actions *a);

/* One more at the end: there must be room. */
struct action *actions_add(struct actions *a, enum lever lever, enum action_kind kind);
/* Of that place; the value is how many of its callers count. */
struct action *actions_jump(
	struct actions *a, enum action_kind kind, const struct place_context *at);
struct action *actions_threshold(struct actions *a, enum action_kind kind, uint32_t most);
/* Sets the reason. */
MF_PRINTF(2, 3) void action_say(struct action *a, const char *format, ...);

#endif
