#include "tenure/advice.h"

#define YOUNG_LEFT 0.7 /* of what is copied, for twice the young generation to be advised */

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

/* Once: it can't be set while the program runs, and what is larger copies less of nearly all. */
void advice_give_young(struct advice *a, struct actions *to, const struct plan *p,
	const struct view *v, const struct held *held, const struct worth *worth, double least)
{
	double left = forecast_young(v->s, held, 2);
	double saved = p->now.cost * (1 - left);
	if (a->young_told || !(left <= YOUNG_LEFT) || !worth_gaining(v->s, v->r, saved, least) ||
		!worth_looking(worth, v->r))
		return;
	a->young_told = true;
	struct action *one = actions_add(to, LEVER_YOUNG, ACTION_ADVISE);
	one->value = 200;
	one->gain = view_per_second(v, p->now.copied.bytes * (1 - left));
	actions_say(to, one,
		"with a young generation twice as large (-Xmn) %.0f %% less would be copied",
		100 * (1 - left));
}
