#include "analyze/churn.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"

enum { MOST_SECONDS = 60, MOST_COLLECTIONS = 50, LEAST_COLLECTIONS = 5, SEED = 1 };

static int on_tick(void *arg, const struct model *m, const struct record_tick *t)
{
	struct churn_survey *s = arg;
	(void)m;
	return marks_add(&s->marks, t->time, t->alloc);
}

static int on_gc(void *arg, const struct model *m, const struct gc *gc)
{
	struct churn_survey *s = arg;
	(void)m;
	return marks_add(&s->marks, gc->end, gc->alloc);
}

/* Of several of one clock, which no agent writes, the first. */
static int on_accounts(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	struct churn_survey *s = arg;
	bool next = r->young == m->exact.young + 1;
	struct account_mark mark = {r->young, r->birth_bytes, next && counts_tell(r)};
	return r->young > m->exact.young ? vec_push(&s->accounts.list, mark) : ERR_NONE;
}

struct listener churn_survey_listener(struct churn_survey *s)
{
	return (struct listener){
		.arg = s, .on_tick = on_tick, .on_gc = on_gc, .on_accounts = on_accounts};
}

void churn_survey_release(struct churn_survey *s)
{
	marks_release(&s->marks);
	vec_release(&s->accounts.list);
}

/* ns of its pause that lie in the window; where it paused only now and then, as much of it as of
 * the collection. */
static uint64_t pause_in(const struct churn_window *w, const struct gc *gc)
{
	uint64_t from = gc->start > w->from ? gc->start : w->from;
	uint64_t to = gc->end < w->to ? gc->end : w->to;
	if (gc->start >= gc->end)
		return gc->end > w->from && gc->end <= w->to ? gc->pause : 0;
	if (from >= to)
		return 0;
	double part = (double)(to - from) / (double)(gc->end - gc->start);
	return (uint64_t)(part * (double)gc->pause);
}

/* The collections that ended in the window, and what pauses took of it. */
static void add_collections(struct churn_window *w, const struct model *m)
{
	const struct gcs *gcs = &m->gcs;
	for (size_t i = 0; i < gcs->list.count; i++) {
		const struct gc *gc = &gcs->list.at[i];
		w->pause += pause_in(w, gc);
		if (gc->end <= w->from || gc->end > w->to)
			continue;
		if (!w->collections++)
			w->first_gc = model_gc_number(m, i);
	}
}

static int add_window(
	struct churn *c, const struct model *m, const struct marks *marks, struct churn_window w)
{
	w.bytes = c->series.basis == SERIES_COLLECTIONS
			  ? series_bytes(&c->series, w.from, w.to)
			  : marks_at(marks, w.to) - marks_at(marks, w.from);
	w.rate = w.bytes / ((double)(w.to - w.from) / 1e9);
	add_collections(&w, m);
	return vec_push(&c->windows, w);
}

static struct scan_rule rule_of(const struct churn *c, size_t limit)
{
	bool seconds = c->series.basis == SERIES_SECONDS;
	return (struct scan_rule){.least = seconds ? 1 : LEAST_COLLECTIONS,
		.most = seconds ? MOST_SECONDS : MOST_COLLECTIONS,
		.widen = seconds ? 1 : LEAST_COLLECTIONS,
		.limit = limit,
		.seed = SEED};
}

static int scan_series(
	struct churn *c, const struct model *m, const struct marks *marks, size_t limit)
{
	size_t n = c->series.steps.count;
	struct scan_step *steps = mem_zalloc(n + 1, sizeof(*steps));
	struct scan_rule rule = rule_of(c, limit < WINDOWS_MAX ? limit : WINDOWS_MAX);
	struct scan found;
	if (!steps)
		return ERR_NOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct series_step *s = &c->series.steps.at[i];
		steps[i] = (struct scan_step){(double)(s->to - s->from) / 1e9, s->bytes};
	}
	int err = scan_windows(steps, n, &rule, &found);
	mem_free(steps);
	if (err)
		return err;
	c->rate = found.rate;
	c->p = found.p;
	for (size_t i = 0; i < found.windows.count && !err; i++) {
		const struct scan_window *w = &found.windows.at[i];
		err = add_window(c, m, marks,
			(struct churn_window){.from = c->series.steps.at[w->first].from,
				.to = c->series.steps.at[w->first + w->count - 1].to,
				.p = w->p});
	}
	scan_release(&found);
	return err;
}

static int take_hand(struct churn *c, const struct model *m, const struct marks *marks,
	const struct churn_range *hand, struct diag *d)
{
	char from[UNITS_MAX], end[UNITS_MAX];
	if (hand->from >= m->now.time)
		return diag_set(d, ERR_USAGE,
			"the window begins at %s, but the recording ends at %s",
			units_time((double)hand->from, from), units_time((double)m->now.time, end));
	c->by_hand = true;
	return add_window(c, m, marks,
		(struct churn_window){.from = hand->from,
			.to = hand->to < m->now.time ? hand->to : m->now.time,
			.p = (double)NAN});
}

/* Whether the exact engine tells what each young collection in the window found dead. */
static bool is_counted(
	const struct churn_window *w, const struct model *m, const struct account_marks *accounts)
{
	bool any = false;
	if (!counts_any(&m->exact))
		return false; /* all accounts were given up */
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		bool young = gc->kind == GC_KIND_YOUNG || gc->kind == GC_KIND_MIXED;
		if (gc->end <= w->from || gc->end > w->to || !gc->raised_young || !young)
			continue;
		const struct account_mark *told = account_marks_at(accounts, gc->young);
		if (!told || !told->tells)
			return false;
		any = true;
	}
	return any;
}

static int make_looks(struct churn *c, const struct model *m, const struct account_marks *accounts,
	bool by_thread)
{
	bool by_birth = c->series.basis != SERIES_COLLECTIONS || m->facts.deaths == DEATHS_NONE;
	c->looks.list = mem_zalloc(c->windows.count + 1, sizeof(*c->looks.list));
	if (!c->looks.list)
		return ERR_NOMEM;
	c->looks.count = c->windows.count;
	for (size_t i = 0; i < c->windows.count; i++) {
		const struct churn_window *w = &c->windows.at[i];
		window_init(&c->looks.list[i], w->from, w->to, by_birth, by_thread);
		c->looks.list[i].counted = !by_birth && is_counted(w, m, accounts);
	}
	return ERR_NONE;
}

int churn_find(struct churn *out, const struct model *m, const struct churn_survey *s,
	const struct churn_query *q, struct diag *d)
{
	bool by_hand = q->hand.to > q->hand.from;
	*out = (struct churn){.p = 1};
	int err = series_of(&out->series, m, &s->marks, &s->accounts);
	if (!err && out->series.basis != SERIES_NONE)
		err = scan_series(out, m, &s->marks, by_hand ? 0 : q->limit);
	if (!err && by_hand)
		err = take_hand(out, m, &s->marks, &q->hand, d);
	if (!err)
		err = make_looks(out, m, &s->accounts, q->by_thread);
	if (err)
		churn_release(out);
	return err;
}

void churn_release(struct churn *c)
{
	for (size_t i = 0; i < c->looks.count; i++)
		window_release(&c->looks.list[i]);
	mem_free(c->looks.list);
	vec_release(&c->windows);
	series_release(&c->series);
	*c = (struct churn){0};
}
