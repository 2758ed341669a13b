#include "analyze/window.h"

#include "base/error.h"

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
	told_release(&w->told);
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
		if (holds(&all->list[i], s->time) && !all->list[i].counted)
			err = ledger_listener(&all->list[i].garbage)
				      .on_sample(&all->list[i].garbage, m, s);
	return err;
}

static int add_death(
	struct ledger *to, const struct model *m, const struct object *o, const struct life *l)
{
	return ledger_listener(to).on_death(to, m, o, l);
}

/* One that a young collection found, which is to be scaled to what was counted. */
static int add_sample(struct ledger *to, const struct model *m, const struct object *o)
{
	const struct sample s = {
		.site = o->site, .thread = o->thread, .size = o->size, .weight = o->weight};
	return ledger_listener(to).on_sample(to, m, &s);
}

static int add_garbage(
	struct window *w, const struct model *m, const struct object *o, const struct life *l)
{
	int group = life_group_of(m->facts.deaths == DEATHS_OLD ? l->full : l->young);
	struct life life = *l;
	life.full_found = !life_ends_young(l);
	(void)total_add(&w->dead[group], o->size, o->weight);
	int err = add_death(&w->garbage, m, o, &life);
	err = err ? err : add_death(&w->groups[group], m, o, &life);
	if (err || !w->counted || life.full_found)
		return err;
	err = add_sample(&w->garbage, m, o);
	return err ? err : add_sample(&w->groups[group], m, o);
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

/* -- What the exact engine counted -- */

/* The collection whose accounts these are; NULL: the trace does not have it. */
static const struct gc *gc_of(const struct model *m, const struct record_exact_gc *r)
{
	ptrdiff_t i = gcs_last(&m->gcs, r->young, r->full);
	while (i >= 0 && !m->gcs.list.at[i].raised_young)
		i--;
	return i >= 0 && m->gcs.list.at[i].young == r->young ? &m->gcs.list.at[i] : NULL;
}

static bool counts_in(const struct window *w, const struct gc *gc)
{
	return gc && holds(w, gc->end) && (gc->kind == GC_KIND_YOUNG || gc->kind == GC_KIND_MIXED);
}

static int on_accounts(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	struct windows *all = arg;
	const struct gc *gc = gc_of(m, r);
	int err = ERR_NONE;
	for (size_t i = 0; i < all->count && !err; i++) {
		struct window *w = &all->list[i];
		if (w->counted)
			err = counts_in(w, gc) ? told_open(&w->told, &m->exact)
					       : told_close(&w->told, &m->exact);
	}
	return err;
}

/* Garbage is what was counted, and what is late. */
static void sum_late(struct ledger *l, struct total *dead)
{
	struct total late = {0};
	*dead = (struct total){0};
	for (size_t i = 0; i < l->accounts.count; i++) {
		struct tally *t = &l->accounts.at[i].tally;
		t->died = t->alloc;
		total_merge(&t->died, &t->late);
		total_merge(dead, &t->alloc);
		total_merge(&late, &t->late);
	}
	leaves_sum(l, dead);
	total_merge(dead, &late);
}

static int lay_group(
	struct window *w, const struct model *m, struct ledger *l, int group, struct total *dead)
{
	struct counts deaths;
	int err = told_deaths(&w->told, &m->exact, group, &deaths);
	if (err)
		return err;
	err = leaves_lay_deaths(l, m, &deaths);
	counts_release(&deaths);
	sum_late(l, dead);
	return err;
}

static int lay(struct window *w, const struct model *m)
{
	struct total all;
	int err = told_close(&w->told, &m->exact);
	err = err ? err : lay_group(w, m, &w->garbage, GROUPS, &all);
	for (int g = 0; g < GROUPS && !err; g++)
		err = lay_group(w, m, &w->groups[g], g, &w->dead[g]);
	return err;
}

struct total window_garbage(const struct window *w, const struct tally *t)
{
	struct total garbage = w->counted ? t->alloc : t->died;
	if (w->counted)
		total_merge(&garbage, &t->late);
	return garbage;
}

static int settle(struct window *w, const struct model *m)
{
	int err = ledger_settle(&w->garbage, m);
	err = err ? err : ledger_settle(&w->outlived, m);
	for (int g = 0; g < GROUPS && !err; g++)
		err = ledger_settle(&w->groups[g], m);
	return err || !w->counted ? err : lay(w, m);
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
		.on_alive = on_alive,
		.on_accounts = on_accounts};
}
