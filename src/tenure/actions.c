#include "tenure/actions.h"

#include <stdarg.h>
#include <stdio.h>

int actions_init(struct actions *a, size_t most)
{
	return vec_reserve(&a->list, most);
}

void actions_release(struct actions *a)
{
	vec_release(&a->list);
}

struct action *actions_add(struct actions *a, enum lever lever, enum action_kind kind)
{
	struct action *one = &a->list.at[a->list.count++];
	*one = (struct action){.lever = lever, .kind = kind};
	return one;
}

struct action *actions_jump(
	struct actions *a, enum action_kind kind, const struct place_context *at)
{
	struct action *one = actions_add(a, LEVER_JUMP, kind);
	one->at = *at;
	one->value = at->depth;
	return one;
}

struct action *actions_threshold(struct actions *a, enum action_kind kind, uint32_t most)
{
	struct action *one = actions_add(a, LEVER_THRESHOLD, kind);
	one->value = most;
	return one;
}

void action_say(struct action *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(a->reason.text, sizeof(a->reason.text), format, args);
	va_end(args);
}
