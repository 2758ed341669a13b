#include "export/feed.h"

#include <stdlib.h>

#include "analyze/leaf_share.h"
#include "analyze/row.h"
#include "base/error.h"
#include "export/digits.h"
#include "report/view.h"
#include "stat/survival.h"

enum { DENSE = 15 }; /* every age up to it has its own point of a curve */

void feed_release(struct feed *f)
{
	map_release(&f->passes);
	buf_release(&f->line);
	buf_release(&f->stack);
	buf_release(&f->scratch);
}

static bool wants(const struct feed *f, enum relation_id id)
{
	return f->relations & 1u << id;
}

static int put(struct feed *f, enum relation_id id, struct item *x)
{
	struct value values[FIELDS_MAX];
	x->line = &f->line;
	x->stack = &f->stack;
	relation_fill(id, values, x);
	if (f->line.failed || f->stack.failed)
		return ERR_NOMEM;
	return f->rows.put(f->rows.arg, id, values);
}

/* 1 it passes, 0 it does not, or ERR_NOMEM. */
static int passes(struct feed *f, const struct model *m, uint32_t site, uint32_t thread)
{
	uint64_t key = (uint64_t)site << 32 | thread;
	const uint64_t *known = f->where->count ? map_find(&f->passes, key) : NULL;
	if (!f->where->count)
		return 1;
	if (known)
		return *known != 0;
	int pass = where_account(f->where, m, site, thread, &f->scratch);
	return f->scratch.failed || map_put(&f->passes, key, (uint64_t)pass) ? ERR_NOMEM : pass;
}

/* Objects and collections */

static int put_object(struct feed *f, const struct model *m, const struct object *o,
	const struct life *l, enum cell_fate fate)
{
	struct item x = {.model = m, .site = o->site, .object = o, .life = l, .fate = fate};
	int pass = passes(f, m, o->site, o->thread);
	return pass > 0 ? put(f, RELATION_objects, &x) : pass;
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return put_object(arg, m, o, l, CELL_DIED);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	return put_object(arg, m, o, l, reason == UNTRACK_STOPPED ? CELL_ALIVE : CELL_LET_GO);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return put_object(arg, m, o, l, CELL_ALIVE);
}

static int on_gc(void *arg, const struct model *m, const struct gc *gc)
{
	struct feed *f = arg;
	struct item x = {.model = m, .gc = gc, .index = m->begin.gcs + ++f->gcs};
	return put(f, RELATION_gcs, &x);
}

struct listener feed_listener(struct feed *f)
{
	struct listener l = {.arg = f};
	if (wants(f, RELATION_objects)) {
		l.on_death = on_death;
		l.on_untrack = on_untrack;
		l.on_alive = on_alive;
	}
	if (wants(f, RELATION_gcs))
		l.on_gc = on_gc;
	return l;
}

/* What the trace says of itself */

static int put_meta(struct feed *f, const struct model *m, const char *key, struct slice text)
{
	struct item x = {.model = m, .key = slice_str(key), .text = text};
	return put(f, RELATION_meta, &x);
}

static int put_meta_count(struct feed *f, const struct model *m, const char *key, uint64_t count)
{
	buf_clear(&f->scratch);
	buf_printf(&f->scratch, "%llu", (unsigned long long)count);
	return f->scratch.failed ? ERR_NOMEM : put_meta(f, m, key, buf_slice(&f->scratch));
}

/* What shares of sites are of, whatever the filter, as in the report. */
static int put_meta_all(struct feed *f, const struct model *m, const struct ledger *l)
{
	double all = 0;
	for (size_t i = 0; i < l->accounts.count; i++)
		all += l->accounts.at[i].tally.alloc.bytes.sum;
	buf_clear(&f->scratch);
	digits_number(&f->scratch, all, NULL);
	return f->scratch.failed ? ERR_NOMEM
				 : put_meta(f, m, "sites_bytes", buf_slice(&f->scratch));
}

static int put_metas(
	struct feed *f, const struct model *m, const struct ledger *l, const struct notes *n)
{
	const struct {
		const char *key;
		uint64_t count;
	} counts[] = {{"tables", 1}, {"recorded_unix_ms", m->wall.v / 1000000},
		{"duration_ms", m->now.time / 1000000},
		{"births_ms", model_births_time(m) / 1000000},
		{"alloc_bytes", (uint64_t)(view_allocated(m) + 0.5)}, {"samples", view_samples(m)},
		{"followed", m->tallies.born}, {"lost", view_lost(m)}, {"complete", m->complete}};
	int err = put_meta(f, m, "file", slice_str(f->file));
	for (size_t i = 0; i < ARRAY_SIZE(counts) && !err; i++)
		err = put_meta_count(f, m, counts[i].key, counts[i].count);
	err = err ? err : put_meta_all(f, m, l);
	for (size_t i = 0; i < m->facts.facts.count && !err; i++) {
		const struct fact *fact = &m->facts.facts.at[i];
		struct item x = {.model = m,
			.key = texts_get(&m->defs.texts, fact->key),
			.text = texts_get(&m->defs.texts, fact->value)};
		err = put(f, RELATION_meta, &x);
	}
	for (size_t i = 0; i < n->list.count && !err; i++)
		err = put_meta(f, m, "note", slice_str(n->list.at[i]));
	return err;
}

/* Definitions; 0 is what is not known, and no row. */
static int put_numbered(struct feed *f, const struct model *m, enum relation_id id, size_t count)
{
	int err = ERR_NONE;
	for (size_t i = 1; i < count && !err && wants(f, id); i++) {
		struct item x = {.model = m, .index = i};
		err = put(f, id, &x);
	}
	return err;
}

/* Sites */

static int put_point(
	struct feed *f, const struct model *m, uint32_t site, const struct curve_point *point)
{
	struct item x = {.model = m, .site = site, .point = point};
	return put(f, RELATION_survival, &x);
}

/* Every age up to DENSE, then those where the curve falls, up to where it is known or 0. */
static int put_points(struct feed *f, const struct model *m, uint32_t site, const struct curve *c)
{
	double p = c->points.count ? 1 : 0;
	int err = ERR_NONE;
	for (uint64_t t = 1; t <= DENSE && t <= c->known && c->points.count && !err; t++) {
		struct curve_point point = curve_at(c, t);
		err = put_point(f, m, site, &point);
		p = point.p;
	}
	for (size_t i = 0; i < c->points.count && p > 0 && !err; i++) {
		const struct curve_point *point = &c->points.at[i];
		if (point->t <= DENSE)
			continue;
		err = put_point(f, m, site, point);
		p = point->p;
	}
	return err;
}

static int put_survival(struct feed *f, const struct model *m, uint32_t site, const struct tally *t)
{
	struct curve c;
	enum clock gc = row_gc_clock(m);
	const struct ages *ages = lifespans_ages(&t->lives[MEASURE_BYTES], gc);
	const struct ages *counted = &t->counted.lives[MEASURE_BYTES];
	bool whole = gc == CLOCK_YOUNG && counted_whole(&t->counted) && counted->all.n;
	int err = whole ? counted_curve(&t->counted, MEASURE_BYTES, ages, &c)
			: survival_curve(ages, &c);
	if (err)
		return err;
	err = put_points(f, m, site, &c);
	curve_release(&c);
	return err;
}

static int put_site(struct feed *f, const struct model *m, uint32_t site, const struct tally *t,
	const struct total *alloc)
{
	struct item x = {.model = m, .site = site, .tally = t, .alloc = alloc};
	int err = wants(f, RELATION_sites) ? put(f, RELATION_sites, &x) : ERR_NONE;
	return err || !wants(f, RELATION_survival) ? err : put_survival(f, m, site, t);
}

/* The accounts of one site, one for each thread, as one. */
static int put_accounts(struct feed *f, const struct model *m, const struct ledger *l,
	const uint32_t *accounts, size_t count)
{
	const struct account *a = &l->accounts.at[accounts[0]];
	struct total alloc = leaves_alloc(l, accounts, count);
	struct tally sum = {0};
	int err = ERR_NONE;
	if (count == 1)
		return put_site(f, m, a->site, &a->tally, &alloc);
	for (size_t i = 0; i < count && !err; i++)
		err = tally_merge(&sum, &l->accounts.at[accounts[i]].tally);
	err = err ? err : put_site(f, m, a->site, &sum, &alloc);
	tally_release(&sum);
	return err;
}

static int compare_sites(const void *left, const void *right, void *arg)
{
	const struct ledger *l = arg;
	const uint32_t *i = left, *j = right;
	uint32_t a = l->accounts.at[*i].site, b = l->accounts.at[*j].site;
	return a != b ? (a > b) - (a < b) : (*i > *j) - (*i < *j);
}

/* The accounts that pass, by site. Returns how many, or ERR_NOMEM. */
static int64_t pick_accounts(
	struct feed *f, const struct model *m, const struct ledger *l, uint32_t *out)
{
	int64_t count = 0;
	for (uint32_t i = 0; i < l->accounts.count; i++) {
		const struct account *a = &l->accounts.at[i];
		int pass = passes(f, m, a->site, a->thread);
		if (pass < 0)
			return pass;
		if (pass)
			out[count++] = i;
	}
	return count;
}

static int put_sites(struct feed *f, const struct model *m, const struct ledger *l)
{
	uint32_t *order = mem_zalloc(l->accounts.count + 1, sizeof(*order));
	int64_t count = order ? pick_accounts(f, m, l, order) : ERR_NOMEM;
	int err = count < 0 ? ERR_NOMEM : ERR_NONE;
	struct ledger sorted = *l; /* qsort_r's argument is not const */
	if (!err)
		qsort_r(order, (size_t)count, sizeof(*order), compare_sites, &sorted);
	for (size_t i = 0, next; i < (size_t)count && !err; i = next) {
		const struct account *a = &l->accounts.at[order[i]];
		for (next = i + 1; next < (size_t)count; next++)
			if (l->accounts.at[order[next]].site != a->site)
				break;
		err = put_accounts(f, m, l, &order[i], next - i);
	}
	mem_free(order);
	return err;
}

static int put_ages(struct feed *f, const struct model *m, const struct cells *c)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < c->list.count && !err; i++) {
		const struct cell *cell = &c->list.at[i];
		struct item x = {.model = m, .site = cell->site, .cell = cell};
		int pass = passes(f, m, cell->site, cell->thread);
		err = pass > 0 ? put(f, RELATION_ages, &x) : pass;
	}
	return err;
}

static bool is_some(const struct age_counts *a)
{
	return a->risk.objects || a->young.objects || a->lost.objects || a->entered.objects;
}

/* A row for age 0, and for each further one that any object came to. */
static int put_counts(struct feed *f, const struct model *m, const struct site_counts *s)
{
	struct item x = {.model = m, .site = s->site, .counts = s};
	int pass = passes(f, m, s->site, 0), err = pass < 0 ? pass : ERR_NONE;
	for (; pass > 0 && !err && (!x.index || x.index < s->ages.count); x.index++)
		if (!x.index || is_some(&s->ages.at[x.index]))
			err = put(f, RELATION_counts, &x);
	return err;
}

static int put_all_counts(struct feed *f, const struct model *m)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < m->exact.sites.count && !err; i++)
		err = put_counts(f, m, &m->exact.sites.at[i]);
	return err;
}

int feed_settled(struct feed *f, const struct model *m, const struct ledger *l,
	const struct cells *c, const struct notes *n)
{
	const struct defs *d = &m->defs;
	int err = wants(f, RELATION_meta) ? put_metas(f, m, l, n) : ERR_NONE;
	err = err ? err : put_numbered(f, m, RELATION_classes, d->classes.count);
	err = err ? err : put_numbered(f, m, RELATION_methods, d->methods.count);
	err = err ? err : put_numbered(f, m, RELATION_frames, d->frames.count);
	if (!err && (wants(f, RELATION_sites) || wants(f, RELATION_survival)))
		err = put_sites(f, m, l);
	if (!err && wants(f, RELATION_counts))
		err = put_all_counts(f, m);
	return err || !wants(f, RELATION_ages) ? err : put_ages(f, m, c);
}
