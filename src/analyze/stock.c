#include "analyze/stock.h"

#include <string.h>

#include "analyze/advise_flags.h"
#include "base/error.h"

void stock_release(struct stock *s)
{
	vec_release(&s->sites);
	vec_release(&s->base);
}

struct quantity stock_counted(const struct stock_site *s)
{
	struct quantity all = s->old;
	for (size_t k = 0; k <= COUNTS_AGES; k++)
		quantity_add(&all, s->young[k]);
	return all;
}

/* Something of the old generation may be dead now: what had come there is no longer sure. */
static int doubt(struct stock *s, const struct counts *c)
{
	size_t more = c->sites.count > s->base.count ? c->sites.count - s->base.count : 0;
	if (more && vec_reserve(&s->base, more))
		return ERR_NOMEM;
	s->base.count += more;
	for (size_t i = 0; i < s->base.count; i++)
		s->base.at[i] =
			(struct stock_base){c->sites.at[i].promoted, c->sites.at[i].outside};
	return ERR_NONE;
}

/* Whether the old generation may have been collected since the accounts told last. */
static bool is_doubtful(const struct stock *s, uint64_t young, uint64_t full)
{
	return full > s->last.full || young > s->last.young + 1 || s->paused > s->last.time;
}

static bool collects_old(const struct record_exact_gc *r)
{
	return r->kind == COUNTS_MIXED || r->kind == COUNTS_FULL || r->kind == COUNTS_FOLLOWED;
}

static int on_accounts(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	struct stock *s = arg;
	if (s->taken || !(is_doubtful(s, r->young, r->full) || collects_old(r)))
		return ERR_NONE;
	return doubt(s, &m->exact);
}

static struct quantity old_of(const struct stock *s, const struct site_counts *c, size_t place)
{
	struct stock_base base = {{0}, {0}};
	if (place < s->base.count)
		base = s->base.at[place];
	struct quantity old = quantity_less(c->promoted, base.promoted);
	if (!s->clears)
		quantity_add(&old, quantity_less(c->outside, base.outside));
	return old;
}

static bool is_some(struct quantity q)
{
	return q.objects || q.bytes;
}

/* What was found is part of what was lost, as far as that goes; the rest is of before. */
static struct stock_site site_of(const struct stock *s, const struct site_counts *c, size_t place)
{
	struct stock_site one = {.site = c->site, .old = old_of(s, c, place)};
	for (size_t k = 0; k < c->ages.count && k <= COUNTS_AGES; k++)
		one.young[k] = c->ages.at[k].young;
	struct quantity came = c->promoted;
	quantity_add(&came, c->outside);
	quantity_add(&came, quantity_less(c->lost, c->found));
	one.most = quantity_less(came, one.old);
	return one;
}

static int take(struct stock *s, const struct model *m)
{
	const struct counts *c = &m->exact;
	s->taken = true;
	s->no_bound = m->begin.forgotten.blocks > 0;
	s->astray = c->behind > 0;
	s->unknown = (struct quantity){s->last.unknown, s->last.unknown_bytes};
	s->strayed = c->astray;
	quantity_add(&s->strayed, c->stuck);
	int err = ERR_NONE;
	for (size_t i = 0; i < c->sites.count && !err; i++) {
		struct stock_site one = site_of(s, &c->sites.at[i], i);
		if (is_some(stock_counted(&one)) || is_some(one.most))
			err = vec_push(&s->sites, one);
	}
	return err;
}

/* A cycle beside the program may have ended between the accounts and the moment. */
static int take_at(struct stock *s, const struct model *m, uint64_t full)
{
	s->clears = collector_of(m) == COLLECTOR_G1;
	int err = full > s->last.full ? doubt(s, &m->exact) : ERR_NONE;
	return err ? err : take(s, m);
}

static int on_accounted(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	struct stock *s = arg;
	s->last = *r;
	if (s->taken || s->end || r->young != s->young)
		return ERR_NONE;
	/* Nothing is known of what the young generation held before: the next tells. */
	if (!counts_tell(r) || m->exact.unseen)
		return ERR_NONE;
	return take_at(s, m, s->full);
}

static int on_pause(void *arg, const struct model *m, const struct record_pause *p)
{
	struct stock *s = arg;
	(void)m;
	s->paused = p->end > s->paused ? p->end : s->paused;
	return ERR_NONE;
}

struct listener stock_listener(struct stock *s)
{
	return (struct listener){.arg = s,
		.on_accounts = on_accounts,
		.on_accounted = on_accounted,
		.on_pause = on_pause};
}

/* Births since the last collection belong to the end; but not where that was not accounted for. */
int stock_settle(struct stock *s, const struct model *m)
{
	bool told = counts_any(&m->exact) && m->now.young == s->last.young &&
		    counts_tell(&s->last) && !m->exact.unseen && m->complete;
	if (!s->end || !told)
		return ERR_NONE;
	int err = s->paused > s->last.time ? doubt(s, &m->exact) : ERR_NONE;
	return err ? err : take_at(s, m, m->now.full);
}
