#include "tenure/advice.h"

#include <stdio.h>

#include "base/decimal.h"

enum { YOUNG_MISSES = 3, MIB_WHOLE = 10 };
#define YOUNG_SHARE 4   /* times the share of CPU from which on a collector matters */
#define YOUNG_LEFT  0.8 /* of the cost, at most, for a larger young generation to be advised */

void advice_forget_flag(struct advice *a)
{
	a->flag.text[0] = 0;
}

bool advice_note_flag(
	struct advice *a, const struct plan *p, const struct view *v, const struct worth *worth)
{
	bool had = a->flag.text[0];
	advice_forget_flag(a);
	if (p->flag == THRESHOLD_MOST || !worth_moving(worth, v->s, v->r, &p->now, &p->flagged))
		return false;
	a->flag_bound = p->flag;
	diag_set(&a->flag, 0, "-XX:MaxTenuringThreshold=%u gives you this without mayfly", p->flag);
	return !had;
}

void advice_give_flag(
	const struct advice *a, struct actions *to, const struct plan *p, const struct view *v)
{
	struct action *one = actions_threshold(to, ACTION_ADVISE, p->flag);
	one->gain = view_per_second(v, p->now.copied.bytes - p->flagged.copied.bytes);
	actions_say(to, one, "%s", a->flag.text);
}

/* The collector must take enough for it to matter. How much of that is copying does not: what else
 * a collection does is done less often, too. */
static bool is_worth(const struct young_offer *o, const struct view *v, const struct worth *worth)
{
	struct worth more = *worth;
	more.least_share *= YOUNG_SHARE;
	return o->bytes && o->left <= YOUNG_LEFT && worth_looking(&more, v->r);
}

void advice_look_young(struct advice *a, const struct view *v, const struct held *held,
	uint32_t bound, const struct cost *cost, const struct worth *worth)
{
	struct young_offer o = young_size_offer(v->s, held, bound, &v->r->room, cost);
	bool worth_it = is_worth(&o, v, worth);
	a->young_missed = worth_it ? 0 : a->young_missed + 1;
	if (worth_it)
		a->young = o;
	else if (a->young_missed >= YOUNG_MISSES)
		a->young = (struct young_offer){.bytes = 0};
}

/* Whole ones but of a small generation, which would be 0. */
static void put_mib(char *to, size_t room, uint64_t bytes)
{
	bool whole = bytes >= MIB_WHOLE << 20;
	snprintf(to, room, "%.*g", whole ? 9 : 2,
		whole ? (double)(bytes >> 20) : (double)bytes / (1 << 20));
	(void)decimal_point(to);
}

/* Once: it can't be set while the program runs. */
void advice_give_young(struct advice *a, struct actions *to, const struct view *v)
{
	const struct young_offer *o = &a->young;
	if (a->young_told || !o->bytes)
		return;
	uint64_t now = v->r->room.young;
	char before[32];
	put_mib(before, sizeof(before), now);
	a->young_told = o->bytes;
	struct action *one = actions_add(to, LEVER_YOUNG, ACTION_ADVISE);
	one->value = 100 * o->bytes / now;
	one->gain = view_per_second(v, o->now.bytes - o->then.bytes);
	actions_say(to, one,
		"with a young generation of %u MB in place of %s (-Xmn%um) %.0f %% less would be "
		"copied",
		(unsigned)(o->bytes >> 20), before, (unsigned)(o->bytes >> 20),
		100 * (1 - o->then.bytes / o->now.bytes));
}
