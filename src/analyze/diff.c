#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/coarsest.h"
#include "analyze/pairs.h"
#include "analyze/sides.h"
#include "base/error.h"
#include "stat/conflict.h"
#include "stat/survival.h"

static const struct figure_row figures[FIGURES] = {
#define FIGURE(name, word, unit, rate, what) [FIGURE_##name] = {word, what, unit, rate},
#include "analyze/figure.def"
#undef FIGURE
};

const struct figure_row *figure_row(enum figure f)
{
	return &figures[f];
}

void diff_release(struct diff *d)
{
	for (size_t i = 0; i < d->rows.count; i++) {
		mem_free(d->rows.at[i].class);
		mem_free(d->rows.at[i].place);
	}
	vec_release(&d->rows);
	*d = (struct diff){0};
}

/* What diff_find works with. */
struct comparing {
	struct diff *out;
	const struct diff_group *a, *b;
	struct intern names;
	bool counted; /* each run, by the exact engine */
	struct side sides[2];
	struct pairs pairs;      /* parallel to out->rows */
	struct change_run *runs; /* room for all */
	struct coarse *coarse;   /* parallel to it */
};

/* Recorded from its start to its own end? */
static bool is_whole(const struct model *m)
{
	struct slice start = facts_get(&m->facts, &m->defs.texts, "start");
	bool all = !m->facts.waited && !m->begin.forgotten.blocks;
	return all && m->complete && m->end_reason == END_VM &&
	       slice_equal(start, slice_str("launch"));
}

static bool all_counted(const struct diff_group *g)
{
	bool counted = true;
	for (size_t i = 0; i < g->count; i++)
		counted &= g->runs[i].model->exact.births.objects > 0;
	return counted;
}

bool diff_tells_lives(const struct model *m)
{
	uint64_t seen = model_full(m) + (row_gc_clock(m) == CLOCK_YOUNG ? model_young(m) : 0);
	return m->facts.deaths != DEATHS_NONE && seen > 0;
}

/* On both sides, and by collections of the same kind. */
static bool knows_lives(const struct comparing *c)
{
	const struct diff_group *groups[] = {c->a, c->b};
	unsigned clocks = 0, sides = 0;
	for (unsigned g = 0; g < 2; g++)
		for (size_t i = 0; i < groups[g]->count; i++) {
			const struct model *m = groups[g]->runs[i].model;
			bool tells = diff_tells_lives(m);
			clocks |= tells ? 1u << row_gc_clock(m) : 0;
			sides |= tells ? 1u << g : 0;
		}
	return sides == 3 && !(clocks & (clocks - 1));
}

static enum diff_per per_of(const struct comparing *c, enum diff_per wanted)
{
	bool whole = true;
	for (size_t i = 0; i < c->a->count; i++)
		whole &= is_whole(c->a->runs[i].model);
	for (size_t i = 0; i < c->b->count; i++)
		whole &= is_whole(c->b->runs[i].model);
	return wanted != PER_AUTO ? wanted : whole ? PER_RUN : PER_SECOND;
}

/* NaN: of no time at all there is no amount a second. */
static double exposure(const struct comparing *c, uint64_t time)
{
	if (c->out->per != PER_SECOND)
		return 1;
	return time ? (double)time / 1e9 : (double)NAN;
}

static struct change_run run_of(const struct comparing *c, const struct diff_run *r,
	const struct total *t, const struct coarse_kind *k)
{
	double e = exposure(c, model_births_time(r->model));
	return (struct change_run){.value = t->bytes.sum / e,
		.variance = t->bytes.variance / e / e,
		.samples = (double)t->n,
		.exposure = c->counted ? e : e * coarse_chance(r->model, k),
		.objects = t->objects.sum,
		.counted = r->model->exact.births.objects > 0,
		.births = t->squares / e / e};
}

/* NULL: no sample tells of it. */
static const struct coarse *run_coarse(const struct comparing *c, const struct diff_run *r,
	const struct coarse_kind *k, struct coarse *room)
{
	if (r->model->exact.births.objects > 0)
		return NULL;
	struct coarse_kind kind = *k;
	kind.exposure = exposure(c, model_births_time(r->model));
	*room = coarse_of(r->model, &kind);
	return room->count ? room : NULL;
}

static void add_all(struct total *to, const struct total *runs, size_t count)
{
	for (size_t i = 0; runs && i < count; i++)
		total_merge(to, &runs[i]);
}

/* `t`: one total for each run; NULL: nothing. At `to` those of which it is known; of none, one that
 * says so. */
static size_t runs_of(const struct comparing *c, const struct diff_group *g, const struct total *t,
	const struct coarse_kind *k, struct change_run *to)
{
	static const struct total none = {0};
	size_t n = 0;
	for (size_t i = 0; i < g->count; i++) {
		to[n] = run_of(c, &g->runs[i], t ? &t[i] : &none, k);
		to[n].coarse = run_coarse(c, &g->runs[i], k, &c->coarse[&to[n] - c->runs]);
		bool told = !k->lives || diff_tells_lives(g->runs[i].model);
		n += told && !isnan(to[n].value) ? 1 : 0;
	}
	if (!n)
		to[n++] = (struct change_run){.value = (double)NAN};
	return n;
}

/* How many of c->runs are of A; those of B come after them. */
struct runs {
	size_t a, b;
};

/* `a`, `b`: as above. */
static struct runs set_runs(
	struct comparing *c, const struct total *a, const struct total *b, bool lives)
{
	struct total all = {0};
	add_all(&all, a, c->a->count);
	add_all(&all, b, c->b->count);
	struct coarse_kind k = {.lives = lives,
		.size = all.objects.sum > 0 ? (uint64_t)(all.bytes.sum / all.objects.sum) : 0};
	size_t in_a = runs_of(c, c->a, a, &k, c->runs);
	return (struct runs){in_a, runs_of(c, c->b, b, &k, c->runs + in_a)};
}

/* Runs as wholes */

static struct total alloc_of(const struct ledger *l)
{
	struct total t = {0};
	for (size_t i = 0; i < l->accounts.count; i++)
		total_merge(&t, &l->accounts.at[i].tally.alloc);
	leaves_sum(l, &t);
	return t;
}

static double mean_heap(const struct gcs *g)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < g->list.count; i++) {
		sum += (double)g->list.at[i].heap_after;
		n += g->list.at[i].heap_after > 0;
	}
	return sum / n; /* NaN: no collection told of it */
}

/* Of collections of all kinds, as the sum of pauses is: cycles too, and ZGC and Shenandoah may have
 * no others. NaN: there was none. */
static double mean_pause(const struct gcs *g)
{
	uint64_t collections = 0;
	for (size_t i = 0; i < GC_KINDS; i++)
		collections += g->count[i];
	return collections ? (double)g->pause_total / (double)collections : (double)NAN;
}

/* NaN: not known. */
static double figure_value(const struct model *m, enum figure f)
{
	const struct gcs *g = &m->gcs;
	switch (f) {
	case FIGURE_YOUNG:
		return (double)(g->count[GC_KIND_YOUNG] + g->count[GC_KIND_MIXED]);
	case FIGURE_FULL:
		return (double)g->count[GC_KIND_FULL];
	case FIGURE_PAUSE:
		return (double)g->pause_total;
	case FIGURE_PAUSE_MEAN:
		return mean_pause(g);
	case FIGURE_PAUSE_MAX:
		return (double)g->pause_max;
	case FIGURE_HEAP:
		return mean_heap(g);
	case FIGURE_TIME:
		return (double)m->now.time;
	case FIGURE_ALLOC:
	case FIGURES:
	default:
		return 0;
	}
}

static struct change_run figure_run(
	const struct comparing *c, const struct diff_run *r, enum figure f)
{
	double e = figures[f].rate ? exposure(c, r->model->now.time) : 1;
	struct total alloc;
	if (f != FIGURE_ALLOC)
		return (struct change_run){.value = figure_value(r->model, f) / e, .exposure = 1};
	alloc = alloc_of(r->ledger);
	return run_of(c, r, &alloc, &(struct coarse_kind){.size = 1});
}

/* At `to` the runs of which it is known; of none, one that says so. */
static size_t figure_runs(
	const struct comparing *c, const struct diff_group *g, enum figure f, struct change_run *to)
{
	size_t n = 0;
	for (size_t i = 0; i < g->count; i++) {
		to[n] = figure_run(c, &g->runs[i], f);
		n += isnan(to[n].value) ? 0 : 1;
	}
	return n ? n : 1;
}

static void compare_figures(struct comparing *c)
{
	for (enum figure f = 0; f < FIGURES; f++) {
		size_t in_a = figure_runs(c, c->a, f, c->runs);
		size_t in_b = figure_runs(c, c->b, f, c->runs + in_a);
		c->out->figures[f] = change_of(c->runs, in_a, c->runs + in_a, in_b, NULL);
	}
}

/* Places */

/* "class\x1fmethod" or a label alone. */
static int set_names(struct diff_row *row, struct slice name, bool by_site, bool by_class)
{
	const uint8_t *cut = by_site ? memchr(name.at, PLACE_SEPARATOR, name.len) : NULL;
	size_t class = cut ? (size_t)(cut - name.at) : 0, from = cut ? class + 1 : 0;
	if (cut || by_class)
		row->class = mem_strndup((const char *)name.at, cut ? class : name.len);
	row->place = mem_strndup((const char *)name.at + from, name.len - from);
	return row->place && (row->class || !(cut || by_class)) ? ERR_NONE : ERR_NOMEM;
}

static int add_row(struct comparing *c, const struct pair *pair)
{
	const struct place *a = pair->a, *b = pair->b;
	struct diff_row row = {.line_a = a ? a->line : 0, .line_b = b ? b->line : 0, .life_p = 1};
	int err = set_names(&row, intern_get(&c->names, b ? b->shown : a->shown),
		c->out->by == BY_SITE, c->out->by == BY_CLASS);
	if (!err && !vec_push(&c->out->rows, row))
		return ERR_NONE;
	mem_free(row.class);
	mem_free(row.place);
	return ERR_NOMEM;
}

static int add_rows(struct comparing *c)
{
	int err = pairs_match(&c->pairs, &c->sides[0], &c->sides[1]);
	for (size_t i = 0; i < c->pairs.list.count && !err; i++)
		err = add_row(c, &c->pairs.list.at[i]);
	return err;
}

/* Amounts */

static const struct total *totals_of(const struct place *p, bool lives)
{
	return !p ? NULL : lives ? p->survived : p->alloc;
}

static struct runs set_runs_of_row(struct comparing *c, size_t row, bool lives)
{
	const struct pair *pair = &c->pairs.list.at[row];
	return set_runs(c, totals_of(pair->a, lives), totals_of(pair->b, lives), lives);
}

static int find_spread(struct comparing *c, bool lives, struct spread *out)
{
	size_t count = c->out->rows.count;
	struct spread_row *rows = mem_zalloc(count + 1, sizeof(*rows));
	if (!rows)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		struct runs n = set_runs_of_row(c, i, lives);
		rows[i] = change_spread(c->runs, n.a, c->runs + n.a, n.b);
	}
	int err = spread_estimate(out, rows, count);
	mem_free(rows);
	return err;
}

static int compare_amounts(struct comparing *c, bool lives)
{
	struct spread spread;
	int err = find_spread(c, lives, &spread);
	for (size_t i = 0; i < c->out->rows.count && !err; i++) {
		struct diff_row *row = &c->out->rows.at[i];
		struct runs n = set_runs_of_row(c, i, lives);
		struct change change = change_of(c->runs, n.a, c->runs + n.a, n.b, &spread);
		if (lives && !c->out->lives_known)
			change.ratio = change.lo = change.hi = change.p = (double)NAN;
		*(lives ? &row->survived : &row->alloc) = change;
	}
	return err;
}

/* Lives */

/*
 * Up to which age the young generation keeps objects in all runs: the threshold that held or was
 * exceeded after nine collections of ten. Beyond it objects die unseen until the old generation is
 * collected, and then together.
 */
static uint32_t kept_young(const struct model *m)
{
	size_t below[16] = {0}, all = 0;
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		bool told = gcs_chose(&m->gcs, gc);
		below[gc->tenuring < 15 ? gc->tenuring : 15] += told;
		all += told;
	}
	if (!all)
		return m->facts.tenuring_max;
	uint32_t age = 1;
	for (size_t sum = below[0] + below[1]; age < 15 && 10 * sum <= all; sum += below[age])
		age++;
	return age;
}

static uint32_t kept_by_all(const struct comparing *c)
{
	uint32_t least = UINT32_MAX;
	const struct diff_group *groups[] = {c->a, c->b};
	for (size_t g = 0; g < 2; g++)
		for (size_t i = 0; i < groups[g]->count; i++) {
			const struct model *m = groups[g]->runs[i].model;
			uint32_t age = row_gc_clock(m) == CLOCK_FULL ? UINT32_MAX : kept_young(m);
			least = age < least ? age : least;
		}
	return least ? least : 1;
}

static void cut_lives(struct comparing *c)
{
	uint32_t age = kept_by_all(c);
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < c->sides[s].places.count; i++)
			ages_cut(&c->sides[s].places.at[i].ages, age);
}

/* By the counts, where there are. The test of lives stays with the samples: they go on in the old
 * generation. */
static int share_that_outlives(const struct place *p, double *share)
{
	struct curve curve;
	int err = survival_curve(p->exact.all.n ? &p->exact : &p->ages, &curve);
	if (err)
		return err;
	*share = curve.points.count ? curve_at(&curve, 1).p : (double)NAN;
	curve_release(&curve);
	return ERR_NONE;
}

static int compare_lives(struct comparing *c, size_t i, struct conflict *found)
{
	const struct place *a = c->pairs.list.at[i].a, *b = c->pairs.list.at[i].b;
	struct diff_row *row = &c->out->rows.at[i];
	row->one_a = row->one_b = (double)NAN;
	*found = (struct conflict){.p = 1};
	int err = a ? share_that_outlives(a, &row->one_a) : ERR_NONE;
	err = err || !b ? err : share_that_outlives(b, &row->one_b);
	if (err || !a || !b || !c->out->lives_known)
		return err;
	const struct ages *both[] = {&a->ages, &b->ages};
	return conflict_test(both, 2, found);
}

static int compare_all_lives(struct comparing *c, double *p)
{
	struct conflict *found = mem_zalloc(c->pairs.list.count + 1, sizeof(*found));
	cut_lives(c);
	int err = found ? ERR_NONE : ERR_NOMEM;
	for (size_t i = 0; i < c->pairs.list.count && !err; i++) {
		err = compare_lives(c, i, &found[i]);
		p[i] = found[i].p;
	}
	err = err ? err : holm_adjust(p, c->pairs.list.count);
	for (size_t i = 0; i < c->pairs.list.count && !err; i++) {
		c->out->rows.at[i].life_p = p[i];
		c->out->rows.at[i].lives_changed = conflict_decide(&found[i], p[i]);
	}
	mem_free(found);
	return err;
}

/* Decides */

/* Holm's p of one change of all rows; what has none counts as none. */
static int adjust(struct diff *d, size_t change, size_t adjusted, double *p)
{
	for (size_t i = 0; i < d->rows.count; i++) {
		const struct change *c = (const void *)((const char *)&d->rows.at[i] + change);
		p[i] = isnan(c->p) ? 1 : c->p;
	}
	int err = holm_adjust(p, d->rows.count);
	for (size_t i = 0; i < d->rows.count && !err; i++)
		*(double *)(void *)((char *)&d->rows.at[i] + adjusted) = p[i];
	return err;
}

static int decide(struct comparing *c)
{
	struct diff *d = c->out;
	double *p = mem_zalloc(d->rows.count + 1, sizeof(*p));
	if (!p)
		return ERR_NOMEM;
	int err = adjust(d, offsetof(struct diff_row, alloc), offsetof(struct diff_row, p), p);
	err = err ? err
		  : adjust(d, offsetof(struct diff_row, survived),
			    offsetof(struct diff_row, survived_p), p);
	for (size_t i = 0; i < d->rows.count; i++)
		d->rows.at[i].changed = d->rows.at[i].p <= DIFF_ALPHA;
	err = err ? err : compare_all_lives(c, p);
	for (size_t i = 0; i < d->rows.count && !err; i++)
		d->changed += d->rows.at[i].changed || d->rows.at[i].lives_changed;
	mem_free(p);
	return err;
}

static int compare_rows(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	bool first = a->changed || a->lives_changed, second = b->changed || b->lives_changed;
	double x = fabs(a->alloc.b - a->alloc.a), y = fabs(b->alloc.b - b->alloc.a);
	if (first != second)
		return first ? -1 : 1;
	if (x < y || x > y)
		return x < y ? 1 : -1;
	int order = strcmp(a->place, b->place);
	return order ? order : (a->line_b > b->line_b) - (a->line_b < b->line_b);
}

static int compare(struct comparing *c, const struct diff_query *q)
{
	compare_figures(c);
	int err = side_collect(&c->sides[0], c->a, q, &c->names);
	err = err ? err : side_collect(&c->sides[1], c->b, q, &c->names);
	err = err ? err : add_rows(c);
	err = err ? err : compare_amounts(c, false);
	err = err ? err : compare_amounts(c, true);
	err = err ? err : decide(c);
	if (!err && c->out->rows.count)
		qsort(c->out->rows.at, c->out->rows.count, sizeof(struct diff_row), compare_rows);
	return err;
}

int diff_find(struct diff *out, const struct diff_group *a, const struct diff_group *b,
	const struct diff_query *q)
{
	*out = (struct diff){.by = q->by};
	struct comparing c = {.out = out, .a = a, .b = b};
	out->per = per_of(&c, q->per);
	out->lives_known = knows_lives(&c);
	c.counted = all_counted(a) && all_counted(b);
	c.runs = mem_zalloc(a->count + b->count, sizeof(*c.runs));
	c.coarse = mem_zalloc(a->count + b->count, sizeof(*c.coarse));
	int err = c.runs && c.coarse ? compare(&c, q) : ERR_NOMEM;
	mem_free(c.runs);
	mem_free(c.coarse);
	side_release(&c.sides[0]);
	side_release(&c.sides[1]);
	pairs_release(&c.pairs);
	intern_release(&c.names);
	if (err)
		diff_release(out);
	return err;
}
