#include "tenure/actions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int actions_init(struct actions *a, size_t most)
{
	return vec_reserve(&a->list, most);
}

void actions_release(struct actions *a)
{
	vec_release(&a->list);
}

void actions_clear(struct actions *a)
{
	a->list.count = 0;
	a->reasons = 0;
}

struct action *actions_add(struct actions *a, enum lever lever, enum action_kind kind)
{
	struct action *one = &a->list.at[a->list.count++];
	*one = (struct action){.lever = lever, .kind = kind, .reason = ""};
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

static const char *keep_reason(struct actions *a, const struct diag *said)
{
	for (uint32_t i = 0; i < a->reasons; i++)
		if (strcmp(a->reason[i].text, said->text) == 0)
			return a->reason[i].text;
	if (a->reasons == ACTIONS_REASONS)
		return "one of too many reasons";
	a->reason[a->reasons] = *said;
	return a->reason[a->reasons++].text;
}

void actions_say(struct actions *a, struct action *one, const char *format, ...)
{
	struct diag said;
	va_list args;
	va_start(args, format);
	vsnprintf(said.text, sizeof(said.text), format, args);
	va_end(args);
	one->reason = keep_reason(a, &said);
}
