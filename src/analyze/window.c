#include "analyze/window.h"

#include "base/error.h"

static const struct life_group groups[GROUPS] = {
#define LIFE_GROUP(name, first, last, text) [GROUP_##name] = {first, last, text},
#include "analyze/life_group.def"
#undef LIFE_GROUP
};

const struct life_group *life_group(int group)
{
	return &groups[group];
}

int life_group_of(uint64_t age)
{
	int group = 0;
	while (age > groups[group].last)
		group++;
	return group;
}

void window_init(struct window *w, uint64_t from, uint64_t to, bool by_birth, bool by_thread)
{
	unsigned clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;
	*w = (struct window){.from = from, .to = to, .by_birth = by_birth};
	w->garbage.clocks = w->outlived.clocks = clocks;
	w->garbage.by_thread = w->outlived.by_thread = by_thread;
	for (int g = 0; g < GROUPS; g++) {
		w->groups[g].clocks = clocks;
		w->groups[g].by_thread = by_thread;
	}
}

void window_release(struct window *w)
{
	ledger_release(&w->garbage);
	ledger_release(&w->outlived);
	for (int g = 0; g < GROUPS; g++)
		ledger_release(&w->groups[g]);
}

static bool holds(const struct window *w, uint64_t time)
{
	return time > w->from && time <= w->to;
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct windows *all = arg;
	int err = ERR_NONE;
	for (size_t i = 0; i < all->count && !err; i++)
		if (holds(&all->list[i], s->time))
			err = ledger_listener(&all->list[i].garbage)
				      .on_sample(&all->list[i].garbage, m, s);
	return err;
}

static int add_garbage(
	struct window *w, const struct model *m, const struct object *o, const struct life *l)
{
	int group = life_group_of(m->facts.deaths == DEATHS_OLD ? l->full : l->young);
	(void)total_add(&w->dead[group], o->size, o->weight);
	int err = ledger_listener(&w->garbage).on_death(&w->garbage, m, o, l);
	return err ? err : ledger_listener(&w->groups[group]).on_death(&w->groups[group], m, o, l);
}

static int add_outlived(
	struct window *w, const struct model *m, const struct object *o, const struct life *l)
{
	struct life so_far = *l;
	so_far.died = false;
	(void)total_add(&w->left, o->size, o->weight);
	return ledger_listener(&w->outlived).on_alive(&w->outlived, m, o, &so_far);
}

/* A life and the moment until which it is known of. */
static int look(struct window *w, const struct model *m, const struct object *o,
	const struct life *l, uint64_t end)
{
	bool born = holds(w, o->time), outlived = born && end > w->to;
	int err = ERR_NONE;
	if (l->died && (w->by_birth ? born : holds(w, end)))
		err = add_garbage(w, m, o, l);
	return err || !outlived ? err : add_outlived(w, m, o, l);
}

static int look_all(struct windows *all, const struct model *m, const struct object *o,
	const struct life *l, uint64_t end)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < all->count && !err; i++)
		err = look(&all->list[i], m, o, l, end);
	return err;
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return look_all(arg, m, o, l, o->time + l->ns.by);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	(void)reason;
	return look_all(arg, m, o, l, m->now.time);
}

/* Alive at the end of the trace: no window ends later. */
static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return look_all(arg, m, o, l, UINT64_MAX);
}

static int settle(struct window *w, const struct model *m)
{
	int err = ledger_settle(&w->garbage, m);
	err = err ? err : ledger_settle(&w->outlived, m);
	for (int g = 0; g < GROUPS && !err; g++)
		err = ledger_settle(&w->groups[g], m);
	return err;
}

int windows_settle(struct windows *w, const struct model *m)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < w->count && !err; i++)
		err = settle(&w->list[i], m);
	return err;
}

struct listener windows_listener(struct windows *w)
{
	return (struct listener){.arg = w,
		.on_sample = on_sample,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive};
}
