#include "analyze/ledger.h"

#include <string.h>

#include "base/error.h"

void ledger_release(struct ledger *l)
{
	for (size_t i = 0; i < l->accounts.count; i++)
		tally_release(&l->accounts.at[i].tally);
	vec_release(&l->accounts);
	vec_release(&l->by_site);
	map_release(&l->index);
}

static struct tally *push(struct ledger *l, uint32_t site, uint32_t thread)
{
	if (vec_push(&l->accounts, ((struct account){.site = site, .thread = thread})))
		return NULL;
	return &l->accounts.at[l->accounts.count - 1].tally;
}

static struct tally *tally_of_thread(struct ledger *l, uint32_t site, uint32_t thread)
{
	uint64_t key = (uint64_t)site << 32 | thread, *i = map_find(&l->index, key);
	if (i)
		return &l->accounts.at[*i].tally;
	return map_put(&l->index, key, l->accounts.count) ? NULL : push(l, site, thread);
}

/* NULL: out of memory, after which the replay ends. */
static struct tally *tally_of(struct ledger *l, uint32_t site, uint32_t thread)
{
	if (l->by_thread)
		return tally_of_thread(l, site, thread);
	if (site >= l->by_site.count) {
		size_t more = site + 1 - l->by_site.count;
		if (vec_reserve(&l->by_site, more))
			return NULL;
		memset(l->by_site.at + l->by_site.count, 0, more * sizeof(*l->by_site.at));
		l->by_site.count += more;
	}
	uint32_t i = l->by_site.at[site];
	if (i)
		return &l->accounts.at[i - 1].tally;
	l->by_site.at[site] = (uint32_t)l->accounts.count + 1;
	struct tally *t = push(l, site, 0);
	l->by_site.at[site] = t ? l->by_site.at[site] : 0;
	return t;
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	(void)m;
	struct tally *t = tally_of(arg, s->site, s->thread);
	return t ? tally_sample(t, s) : ERR_NOMEM;
}

static int add_life(struct ledger *l, const struct model *m, const struct object *o,
	const struct life *life, bool alive)
{
	struct tally *t = tally_of(l, o->site, o->thread);
	return t ? tally_life(t, o, life, alive, m->facts.deaths, l->clocks) : ERR_NOMEM;
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
	int err = ERR_NONE;
	for (size_t i = 0; i < l->accounts.count && !err; i++)
		err = tally_settle(&l->accounts.at[i].tally, m->now.full);
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
