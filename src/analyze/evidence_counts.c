#include "analyze/evidence_counts.h"

#include <string.h>

#include "base/error.h"

/* What is laid over the estimates, by bytes; `large` by objects too. */
enum { NUMBERS = 3 * (TENURING_MOST + 1) };
struct numbers {
	double at[NUMBERS], large, large_objects;
};

static double bytes(struct quantity q)
{
	return (double)q.bytes;
}

/* Bytes that a collection found alive which had survived k before. */
static double copied_at(const struct site_counts *s, size_t k)
{
	return k < s->ages.count ? bytes(s->ages.at[k].survived) + bytes(s->ages.at[k].promoted)
				 : 0;
}

static double promoted_at(const struct site_counts *s, size_t k)
{
	return k < s->ages.count ? bytes(s->ages.at[k].promoted) : 0;
}

static double died_at(const struct site_counts *s, size_t k)
{
	return k < s->ages.count ? bytes(s->ages.at[k].risk) - copied_at(s, k) : 0;
}

/* What was promoted is told by age, but for what had survived 15 and what had survived more. */
static double promoted_last(const struct site_counts *s)
{
	double all = bytes(s->promoted);
	for (size_t k = 0; k < s->ages.count; k++)
		all -= promoted_at(s, k);
	return all > 0 ? all : 0;
}

void evidence_count(struct evidence_site *out, const struct site_counts *s)
{
	double copied = 0, promoted = 0, died = 0, last = promoted_last(s);
	for (size_t k = 0; k < s->ages.count; k++)
		died += died_at(s, k);
	for (size_t t = 0; t <= TENURING_MOST; t++) {
		bool whole = t == TENURING_MOST;
		copied += copied_at(s, t);
		died -= died_at(s, t);
		/* All that is copied for the time t + 1 is promoted then; as it was, what was. */
		out->copied[t] += copied + (whole ? last : 0);
		out->promoted[t] += whole ? bytes(s->promoted) : promoted + copied_at(s, t);
		out->early[t] += whole || died < 0 ? 0 : died;
		promoted += promoted_at(s, t);
	}
	total_count(&out->large, (double)s->outside.objects, (double)s->outside.bytes);
}

/* -- Of leaves, and of the sites sampled there -- */

static void put(struct numbers *n, const struct evidence_site *s, double part)
{
	for (int t = 0; t <= TENURING_MOST; t++) {
		n->at[t] += part * s->copied[t];
		n->at[TENURING_MOST + 1 + t] += part * s->promoted[t];
		n->at[2 * (TENURING_MOST + 1) + t] += part * s->early[t];
	}
	n->large += part * s->large.bytes.sum;
	n->large_objects += part * s->large.objects.sum;
}

static void scale(double *number, double aim, double sampled, bool lead)
{
	*number = sampled > 0 ? *number * aim / sampled : lead ? aim : 0;
}

static void scale_large(struct evidence_site *s, const struct numbers *aim,
	const struct numbers *sampled, bool lead)
{
	struct total *t = &s->large;
	total_scale(t, sampled->large_objects > 0 ? aim->large_objects / sampled->large_objects : 0,
		sampled->large > 0 ? aim->large / sampled->large : 0);
	if (lead)
		total_count(t, sampled->large_objects > 0 ? 0 : aim->large_objects,
			sampled->large > 0 ? 0 : aim->large);
}

static void scale_site(struct evidence_site *s, const struct numbers *aim,
	const struct numbers *sampled, bool lead)
{
	for (int t = 0; t <= TENURING_MOST; t++) {
		int promoted = TENURING_MOST + 1 + t, early = promoted + TENURING_MOST + 1;
		scale(&s->copied[t], aim->at[t], sampled->at[t], lead);
		scale(&s->promoted[t], aim->at[promoted], sampled->at[promoted], lead);
		scale(&s->early[t], aim->at[early], sampled->at[early], lead);
	}
	scale_large(s, aim, sampled, lead);
}

/* What evidence_lay works with. */
struct laying {
	struct evidence_log *e;
	const struct model *m;
	const struct leaves *leaves;
	struct numbers *counted, *sampled; /* by leaf; owned */
	uint8_t *taken;                    /* by site; owned */
};

static void count_leaves(struct laying *y)
{
	for (size_t i = 0; i < y->leaves->counts.count; i++) {
		struct evidence_site own;
		memset(&own, 0, sizeof(own));
		uint32_t leaf = y->leaves->counts.at[i];
		evidence_count(&own, &y->m->exact.sites.at[i]);
		if (leaf)
			put(&y->counted[leaf - 1], &own, 1);
	}
}

/* A part of what is dealt out: the share that its samples have in all of the place's; where they
 * have nothing of it, the share of the births. */
static double dealt(double whole, double sampled, double all, double births)
{
	return whole * (all > 0 ? sampled / all : births);
}

static void deal_to(struct numbers *to, const struct numbers *own, const struct numbers *sampled,
	const struct numbers *all, struct amount births)
{
	for (int i = 0; i < NUMBERS; i++)
		to->at[i] += dealt(own->at[i], sampled->at[i], all->at[i], births.bytes);
	to->large += dealt(own->large, sampled->large, all->large, births.bytes);
	to->large_objects += dealt(
		own->large_objects, sampled->large_objects, all->large_objects, births.objects);
}

static void add(struct numbers *n, const struct numbers *more)
{
	for (int i = 0; i < NUMBERS; i++)
		n->at[i] += more->at[i];
	n->large += more->large;
	n->large_objects += more->large_objects;
}

/* What was counted without a caller goes to the callers as the samples do. `own`, `all`: by leaf,
 * zero. */
static void deal_all(struct laying *y, struct numbers *own, struct numbers *all)
{
	size_t count = y->leaves->list.count;
	for (size_t i = 0; i < count; i++) {
		const struct leaf *leaf = &y->leaves->list.at[i];
		if (leaf->group)
			add(&all[leaf->group - 1], &y->sampled[i]);
		if (!leaf->dealt)
			continue;
		own[i] = y->counted[i];
		memset(&y->counted[i], 0, sizeof(y->counted[i]));
	}
	for (size_t i = 0; i < count; i++) {
		const struct leaf *leaf = &y->leaves->list.at[i];
		if (leaf->group)
			deal_to(&y->counted[i], &own[leaf->group - 1], &y->sampled[i],
				&all[leaf->group - 1], leaf->weight);
	}
}

static int deal(struct laying *y)
{
	size_t count = y->leaves->list.count;
	struct numbers *own = mem_zalloc(count + 1, sizeof(*own));
	struct numbers *all = mem_zalloc(count + 1, sizeof(*all));
	bool failed = !own || !all;
	if (!failed)
		deal_all(y, own, all);
	mem_free(own);
	mem_free(all);
	return failed ? ERR_NOMEM : ERR_NONE;
}

static uint32_t leaf_of(const struct laying *y, size_t account)
{
	return y->leaves->of.at[account];
}

/* Several accounts, of several threads, may have one site. */
static bool takes(struct laying *y, uint32_t site)
{
	bool first = !y->taken[site];
	y->taken[site] = 1;
	return first;
}

static void sum_samples(struct laying *y)
{
	const struct ledger *l = &y->e->ledger;
	for (size_t i = 0; i < l->accounts.count; i++)
		if (leaf_of(y, i) && takes(y, l->accounts.at[i].site))
			put(&y->sampled[leaf_of(y, i) - 1], &y->e->sites.at[l->accounts.at[i].site],
				1);
}

/* An account without samples is of a site that was counted. */
static void lay_account(struct laying *y, size_t i)
{
	const struct account *a = &y->e->ledger.accounts.at[i];
	struct evidence_site *site = &y->e->sites.at[a->site];
	uint32_t leaf = leaf_of(y, i);
	if (y->leaves->list.at[leaf - 1].lead)
		scale_site(site, &y->counted[leaf - 1], &y->sampled[leaf - 1],
			y->leaves->list.at[leaf - 1].lead == i + 1);
	else
		evidence_count(site, &y->m->exact.sites.at[y->m->exact.by_site.at[a->site] - 1]);
}

static int lay(struct laying *y)
{
	const struct ledger *l = &y->e->ledger;
	count_leaves(y);
	sum_samples(y);
	int err = deal(y);
	if (err)
		return err;
	memset(y->taken, 0, y->e->sites.count);
	for (size_t i = 0; i < l->accounts.count; i++)
		if (leaf_of(y, i) && takes(y, l->accounts.at[i].site))
			lay_account(y, i);
	return ERR_NONE;
}

/* The shares of threads are the samples', their sum is what was counted. */
static void lay_threads(struct evidence_log *e)
{
	struct total all = {0}, threads = {0};
	for (size_t i = 0; i < e->ledger.accounts.count; i++)
		total_merge(&all, &e->ledger.accounts.at[i].tally.alloc);
	for (size_t i = 0; i < e->threads.count; i++)
		total_merge(&threads, &e->threads.at[i]);
	if (!(threads.bytes.sum > 0) || !(threads.objects.sum > 0))
		return;
	for (size_t i = 0; i < e->threads.count; i++)
		total_scale(&e->threads.at[i], all.objects.sum / threads.objects.sum,
			all.bytes.sum / threads.bytes.sum);
}

/* The sites that were only counted are there too. */
static int reach(struct evidence_log *e, size_t sites)
{
	size_t more = sites > e->sites.count ? sites - e->sites.count : 0;
	if (!more)
		return ERR_NONE;
	if (vec_reserve(&e->sites, more))
		return ERR_NOMEM;
	memset(e->sites.at + e->sites.count, 0, more * sizeof(*e->sites.at));
	e->sites.count += more;
	return ERR_NONE;
}

int evidence_lay(struct evidence_log *e, const struct model *m)
{
	struct laying y = {.e = e, .m = m, .leaves = &e->ledger.leaves};
	if (!y.leaves->of.count)
		return ERR_NONE;
	if (reach(e, m->defs.sites.count))
		return ERR_NOMEM;
	y.counted = mem_zalloc(y.leaves->list.count + 1, sizeof(*y.counted));
	y.sampled = mem_zalloc(y.leaves->list.count + 1, sizeof(*y.sampled));
	y.taken = mem_zalloc(e->sites.count + 1, sizeof(*y.taken));
	int err = y.counted && y.sampled && y.taken ? lay(&y) : ERR_NOMEM;
	if (!err)
		lay_threads(e);
	mem_free(y.counted);
	mem_free(y.sampled);
	mem_free(y.taken);
	return err;
}
