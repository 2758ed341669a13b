#include "analyze/heap.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "stat/survival.h"

#define POOL 2.0

void heap_init(struct heap *h, bool by_thread)
{
	*h = (struct heap){0};
	h->lives.clocks = h->alive.clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;
	h->lives.by_thread = h->alive.by_thread = by_thread;
}

void heap_release(struct heap *h)
{
	vec_release(&h->moments);
	vec_release(&h->gone);
	ledger_release(&h->lives);
	ledger_release(&h->alive);
}

int heap_add_moment(struct heap *h, uint64_t time)
{
	return vec_push(&h->moments, ((struct heap_moment){.time = time}));
}

/* Sets the clocks of the moments before a collection: those that the last one left. */
static void pass(struct heap *h, const struct model *m, uint64_t before)
{
	const struct gcs *g = &m->gcs;
	for (; h->passed < h->moments.count && h->moments.at[h->passed].time < before;
		h->passed++) {
		struct heap_moment *moment = &h->moments.at[h->passed];
		size_t i = g->list.count;
		while (i && g->list.at[i - 1].end > moment->time)
			i--;
		if (!i) {
			moment->young = m->begin.young;
			moment->full = m->begin.full;
			continue;
		}
		moment->young = g->list.at[i - 1].young;
		moment->full = g->list.at[i - 1].full;
		moment->vm_used = g->list.at[i - 1].heap_after;
	}
}

static int on_gc(void *arg, const struct model *m, const struct gc *gc)
{
	struct heap *h = arg;
	pass(h, m, gc->end);
	return ERR_NONE;
}

/* An object that was alive at a moment, or stands for what was. */
static int add(struct heap *h, const struct model *m, const struct object *o, size_t i)
{
	struct heap_moment *moment = &h->moments.at[i];
	struct life so_far = {0};
	(void)total_add(&moment->live, o->size, o->weight);
	if (i + 1 < h->moments.count)
		return ERR_NONE;
	so_far.young = moment->young > o->young ? moment->young - o->young : 0;
	so_far.full = moment->full > o->full ? moment->full - o->full : 0;
	return ledger_listener(&h->alive).on_alive(&h->alive, m, o, &so_far);
}

/* The first moment at or after a time. */
static size_t first_moment(const struct heap *h, uint64_t time)
{
	size_t lo = 0, hi = h->moments.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (h->moments.at[middle].time < time)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* A life that was seen from its birth to before `end`. */
static int add_all(struct heap *h, const struct model *m, const struct object *o, uint64_t end)
{
	int err = ERR_NONE;
	pass(h, m, end);
	for (size_t i = first_moment(h, o->time);
		i < h->moments.count && h->moments.at[i].time < end && !err; i++)
		err = add(h, m, o, i);
	return err;
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct heap *h = arg;
	return ledger_listener(&h->lives).on_sample(&h->lives, m, s);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct heap *h = arg;
	int err = ledger_listener(&h->lives).on_death(&h->lives, m, o, l);
	return err ? err : add_all(h, m, o, o->time + l->ns.by);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	struct heap *h = arg;
	struct heap_gone gone = {*o, m->now.time, m->now.young};
	int err = ledger_listener(&h->lives).on_untrack(&h->lives, m, o, l, reason);
	err = err ? err : add_all(h, m, o, m->now.time);
	if (err || reason != UNTRACK_EVICTED || first_moment(h, gone.time) == h->moments.count)
		return err;
	return vec_push(&h->gone, gone);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct heap *h = arg;
	int err = ledger_listener(&h->lives).on_alive(&h->lives, m, o, l);
	return err ? err : add_all(h, m, o, UINT64_MAX);
}

struct listener heap_listener(struct heap *h)
{
	return (struct listener){.arg = h,
		.on_sample = on_sample,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive,
		.on_gc = on_gc};
}

/* p at an age, or at the last that is known. */
static double lasting(const struct curve *c, uint64_t age)
{
	if (!c->points.count || !age)
		return 1;
	return curve_at(c, age < c->known ? age : c->known).p;
}

static double lasting_from(const struct curve *c, uint64_t birth, uint64_t young)
{
	return lasting(c, young > birth ? young - birth : 0);
}

/*
 * The weight of an object let go that stands for so many, each with that chance to be alive. 0: for
 * none. A sum takes no weight under 1, and knows no error of one that is 1: so where it would come
 * below POOL one of several enters, with that, for all of them (doc/metrics.md, "Heap at a
 * moment").
 */
static double weight_gone(struct heap_moment *moment, double weight, double chance)
{
	if (chance >= 1 || weight * chance >= POOL)
		return weight * fmin(chance, 1);
	moment->pooled += weight * chance;
	if (moment->pooled < POOL)
		return 0;
	moment->pooled -= POOL;
	return POOL;
}

/* What an object let go stands for at the moments after. */
static int add_gone(
	struct heap *h, const struct model *m, const struct heap_gone *gone, const struct curve *c)
{
	int err = ERR_NONE;
	double then = lasting_from(c, gone->object.young, gone->young);
	for (size_t i = first_moment(h, gone->time); i < h->moments.count && !err; i++) {
		struct object o = gone->object;
		struct heap_moment *moment = &h->moments.at[i];
		double now = lasting_from(c, o.young, moment->young);
		o.weight = then > 0 ? weight_gone(moment, o.weight, now / then) : 0;
		if (!(o.weight > 0))
			continue;
		moment->guessed += o.weight * (double)o.size;
		err = add(h, m, &o, i);
	}
	return err;
}

static int compare_sites(const void *left, const void *right)
{
	const struct heap_gone *a = left, *b = right;
	if (a->object.site != b->object.site)
		return a->object.site < b->object.site ? -1 : 1;
	return (a->object.id > b->object.id) - (a->object.id < b->object.id);
}

/* The ledger's accounts in the order of their sites; several are of one, by thread. */
struct by_site {
	const struct ledger *l;
	uint32_t *order; /* owned */
	size_t next;     /* the first of the sites to come */
};

static int compare_accounts(const void *left, const void *right, void *arg)
{
	const struct ledger *l = arg;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint32_t x = l->accounts.at[a].site, y = l->accounts.at[b].site;
	if (x != y)
		return x < y ? -1 : 1;
	return (a > b) - (a < b);
}

static int sort_accounts(struct by_site *s, struct ledger *l)
{
	*s = (struct by_site){.l = l};
	s->order = mem_zalloc(l->accounts.count + 1, sizeof(*s->order));
	if (!s->order)
		return ERR_NOMEM;
	for (size_t i = 0; i < l->accounts.count; i++)
		s->order[i] = (uint32_t)i;
	qsort_r(s->order, l->accounts.count, sizeof(*s->order), compare_accounts, l);
	return ERR_NONE;
}

/* The curve of all the site's lives, by whatever thread. Sites are asked for in their order. */
static int curve_of_site(struct by_site *s, uint32_t site, struct curve *out)
{
	struct ages ages = {0};
	int err = ERR_NONE;
	for (; s->next < s->l->accounts.count && !err; s->next++) {
		const struct account *a = &s->l->accounts.at[s->order[s->next]];
		if (a->site > site)
			break;
		if (a->site == site)
			err = ages_merge(&ages, &a->tally.lives[MEASURE_BYTES].young);
	}
	err = err ? err : survival_curve(&ages, out);
	ages_release(&ages);
	return err;
}

static int add_sorted_gone(struct heap *h, const struct model *m, struct by_site *s)
{
	struct curve curve = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < h->gone.count && !err; i++) {
		uint32_t site = h->gone.at[i].object.site;
		if (!i || h->gone.at[i - 1].object.site != site) {
			curve_release(&curve);
			err = curve_of_site(s, site, &curve);
		}
		err = err ? err : add_gone(h, m, &h->gone.at[i], &curve);
	}
	curve_release(&curve);
	return err;
}

static int add_all_gone(struct heap *h, const struct model *m)
{
	struct by_site accounts;
	if (!h->gone.count)
		return ERR_NONE;
	qsort(h->gone.at, h->gone.count, sizeof(*h->gone.at), compare_sites);
	int err = sort_accounts(&accounts, &h->lives);
	err = err ? err : add_sorted_gone(h, m, &accounts);
	mem_free(accounts.order);
	return err;
}

int heap_settle(struct heap *h, const struct model *m)
{
	pass(h, m, UINT64_MAX);
	int err = ledger_settle(&h->lives, m);
	err = err ? err : add_all_gone(h, m);
	return err ? err : ledger_settle(&h->alive, m);
}
