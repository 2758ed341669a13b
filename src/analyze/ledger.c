#include "analyze/ledger.h"

#include <string.h>

#include "analyze/coarsest.h"
#include "base/compiler.h"
#include "base/error.h"

void ledger_release(struct ledger *l)
{
	for (size_t i = 0; i < l->accounts.count; i++)
		tally_release(&l->accounts.at[i].tally);
	vec_release(&l->accounts);
	vec_release(&l->allocs);
	vec_release(&l->last);
	waiting_release(&l->waiting);
	vec_release(&l->by_site);
	map_release(&l->index);
	leaves_release(&l->leaves);
}

/* The number of a new account; 0: out of memory. Accounts are numbered from 1. */
static uint32_t push(struct ledger *l, uint32_t site, uint32_t thread)
{
	if (vec_reserve(&l->allocs, 1) || vec_reserve(&l->last, 1) ||
		vec_push(&l->accounts, ((struct account){.site = site, .thread = thread})))
		return 0;
	l->allocs.at[l->allocs.count++] = (struct total){0};
	l->last.at[l->last.count++] = 0;
	return (uint32_t)l->accounts.count;
}

static uint32_t number_by_thread(struct ledger *l, uint32_t site, uint32_t thread)
{
	uint64_t key = (uint64_t)site << 32 | thread, *i = map_find(&l->index, key);
	if (i)
		return (uint32_t)*i;
	return map_put(&l->index, key, l->accounts.count + 1) ? 0 : push(l, site, thread);
}

static MF_COLD uint32_t new_number(struct ledger *l, uint32_t site)
{
	if (site >= l->by_site.count) {
		size_t more = site + 1 - l->by_site.count;
		if (vec_reserve(&l->by_site, more))
			return 0;
		memset(l->by_site.at + l->by_site.count, 0, more * sizeof(*l->by_site.at));
		l->by_site.count += more;
	}
	return l->by_site.at[site] = push(l, site, 0);
}

/* Of the account of a site and thread, made if it is not there. 0: out of memory, after which the
 * replay ends. */
static inline uint32_t number_of(struct ledger *l, uint32_t site, uint32_t thread)
{
	if (l->by_thread)
		return number_by_thread(l, site, thread);
	if (site < l->by_site.count && l->by_site.at[site])
		return l->by_site.at[site];
	return new_number(l, site);
}

/* Where lives were thinned, it may be one that others stand for; not so where it is too large to be
 * followed. */
static bool is_stray(const struct model *m, const struct sample *s)
{
	bool thinned = m->facts.configs.at[s->config].track > 1;
	return !s->tracked && (!thinned || s->size > m->facts.follow_max);
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct ledger *l = arg;
	uint32_t i = number_of(l, s->site, s->thread);
	if (i && is_stray(m, s))
		(void)total_add(&l->accounts.at[i - 1].tally.stray, s->size, s->weight);
	if (!i)
		return ERR_NOMEM;
	l->last.at[i - 1] = s->time;
	return total_add(&l->allocs.at[i - 1], s->size, s->weight);
}

enum { AHEAD = 8 }; /* lives that are fetched early: they stand apart */

static int add_waiting(struct ledger *l)
{
	const struct waiting *w = &l->waiting;
	uint32_t *order = waiting_order(w, l->accounts.count);
	int err = order ? ERR_NONE : ERR_NOMEM;
	for (size_t i = 0; i < w->lives.count && !err; i++) {
		const struct waiting_life *life = &w->lives.at[order[i]];
		if (i + AHEAD < w->lives.count)
			__builtin_prefetch(&w->lives.at[order[i + AHEAD]]);
		err = tally_life(&l->accounts.at[life->account].tally, &life->lived, l->clocks);
	}
	mem_free(order);
	l->waiting.lives.count = 0;
	return err;
}

static int add_life(struct ledger *l, const struct model *m, const struct object *o,
	const struct life *life, bool alive)
{
	uint32_t i = number_of(l, o->site, o->thread);
	struct waiting_life waiting = {
		.lived = {*life, o->size, o->weight, m->facts.deaths, alive, o->vague},
		.account = i - 1};
	if (!i || vec_push(&l->waiting.lives, waiting))
		return ERR_NOMEM;
	return l->waiting.lives.count < WAITING_MAX ? ERR_NONE : add_waiting(l);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add_life(arg, m, o, l, false);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	/* Followed to the last and let go: alive at the end, as far as anyone can tell. */
	return add_life(arg, m, o, l, reason == UNTRACK_STOPPED);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add_life(arg, m, o, l, true);
}

int ledger_settle(struct ledger *l, const struct model *m)
{
	struct total_coarse coarse = coarsest_of(m);
	int err = add_waiting(l);
	waiting_release(&l->waiting);
	for (size_t i = 0; i < l->accounts.count && !err; i++) {
		l->accounts.at[i].tally.alloc = l->allocs.at[i];
		total_coarsen(&l->accounts.at[i].tally.alloc, coarse);
		err = tally_settle(&l->accounts.at[i].tally, m->now.full);
	}
	return err;
}

struct listener ledger_listener(struct ledger *l)
{
	return (struct listener){.arg = l,
		.on_sample = on_sample,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive};
}
