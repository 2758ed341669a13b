#include "analyze/advise.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rules.h"
#include "base/error.h"

#define LIST_LEAST 0.005 /* of what a list is sorted by: smaller rows are not asked about */

/* The rows of a list with what was noted of their sites. */
struct asked {
	struct evidence_site *places; /* owned; one for each row */
};

static uint32_t location(const struct model *m, uint32_t frame)
{
	return m->defs.frames.at[frame].location;
}

/* Whether the row's frames are those that the site's stack begins with. */
static bool row_has(const struct row *r, const struct model *m, uint32_t site)
{
	uint32_t frame = m->defs.sites.at[site].frame;
	if (m->defs.sites.at[site].class != r->class)
		return false;
	uint32_t own = m->defs.sites.at[r->context.site].frame;
	for (uint32_t i = 0; i < r->context.frames; i++) {
		if (!frame || location(m, frame) != location(m, own))
			return false;
		frame = m->defs.frames.at[frame].parent;
		own = m->defs.frames.at[own].parent;
	}
	return true;
}

/* The row with the most frames that has the site: those that were split off come first. */
static ptrdiff_t row_of(const struct lifetimes *l, const struct model *m, uint32_t site)
{
	ptrdiff_t best = -1;
	for (size_t i = 0; i < l->rows.count; i++)
		if (row_has(&l->rows.at[i], m, site) &&
			(best < 0 ||
				l->rows.at[i].context.frames > l->rows.at[best].context.frames))
			best = (ptrdiff_t)i;
	return best;
}

static int place_rows(struct asked *a, const struct lifetimes *l, const struct model *m,
	const struct evidence_log *e)
{
	a->places = mem_zalloc(l->rows.count + 1, sizeof(*a->places));
	if (!a->places)
		return ERR_NOMEM;
	for (size_t site = 0; site < e->sites.count; site++) {
		ptrdiff_t row = row_of(l, m, (uint32_t)site);
		if (row >= 0)
			evidence_merge(&a->places[row], &e->sites.at[site]);
	}
	return ERR_NONE;
}

static void finding_release(struct finding *f)
{
	mem_free(f->facts);
	mem_free(f->todo);
	mem_free(f->outcome);
	mem_free(f->option);
}

static char *keep(struct buf *text)
{
	char *kept = text->failed ? NULL : mem_strndup(buf_text(text), text->len);
	buf_release(text);
	return kept;
}

/* Takes the texts over. 0 or ERR_NOMEM. */
static int push(struct advise *out, struct trial *t)
{
	struct finding f = *t->out;
	f.facts = keep(&t->facts);
	f.todo = keep(&t->todo);
	f.outcome = keep(&t->outcome);
	f.option = keep(&t->option);
	if (f.facts && f.todo && f.outcome && f.option && !vec_push(&out->findings, f))
		return ERR_NONE;
	finding_release(&f);
	return ERR_NOMEM;
}

static void trial_release(struct trial *t)
{
	buf_release(&t->facts);
	buf_release(&t->todo);
	buf_release(&t->outcome);
	buf_release(&t->option);
}

/* What it takes of the run's time, or at most; NaN: neither is known. */
static double weight_of(const struct finding *f)
{
	return isnan(f->gc) ? f->gc_most : f->gc;
}

/* Whether that is worth a person's time. Large objects take room too, whatever pauses take. */
static bool pays(const struct finding *f, double least)
{
	return isnan(f->gc_most) || f->rule == RULE_HUMONGOUS || weight_of(f) >= least * 1e9;
}

/* Whether the place has a finding of this rule's family already. */
static bool has_family(const struct advise *a, enum rule rule, const struct row *r)
{
	int family = rule_row(rule)->family;
	for (size_t i = 0; i < a->findings.count && family; i++) {
		const struct finding *f = &a->findings.at[i];
		if (f->row && rule_row(f->rule)->family == family &&
			f->row->context.site == r->context.site &&
			f->row->context.frames == r->context.frames &&
			f->row->context.callers == r->context.callers)
			return true;
	}
	return false;
}

static int ask(struct advise *out, const struct advise_query *q, enum rule rule, struct trial t)
{
	struct finding f = {.rule = rule, .row = t.row, .gc = (double)NAN, .gc_most = (double)NAN};
	t.out = &f;
	t.threshold = rule_row(rule)->threshold;
	if (t.row && has_family(out, rule, t.row))
		return ERR_NONE;
	bool holds = rule_row(rule)->find(&t);
	if (holds && pays(&f, q->least))
		return push(out, &t);
	out->small += holds;
	trial_release(&t);
	return ERR_NONE;
}

static int ask_all(struct advise *out, const struct model *m, const struct evidence_log *e,
	const struct advise_query *q, const struct asked asked[LISTS])
{
	int err = ERR_NONE;
	for (int rule = 0; rule < RULES && !err; rule++) {
		enum rule_list list = rule_row((enum rule)rule)->list;
		struct trial t = {.model = m, .advise = out, .log = e};
		if (q->only >= 0 && q->only != rule)
			continue;
		if (list == LIST_RUN) {
			err = q->where.count ? ERR_NONE : ask(out, q, (enum rule)rule, t);
			continue;
		}
		for (size_t i = 0; i < out->lists[list].rows.count && !err; i++) {
			t.row = &out->lists[list].rows.at[i];
			t.place = &asked[list].places[i];
			err = ask(out, q, (enum rule)rule, t);
		}
	}
	return err;
}

/* By GC time, then by bytes; what is not known last. */
static int compare(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;
	double x = weight_of(a), y = weight_of(b);
	x = isnan(x) ? -1 : x;
	y = isnan(y) ? -1 : y;
	if (x < y || x > y)
		return x < y ? 1 : -1;
	if (a->bytes < b->bytes || a->bytes > b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return (int)a->rule - (int)b->rule;
}

static void rank(struct advise *a, size_t limit)
{
	if (a->findings.count)
		qsort(a->findings.at, a->findings.count, sizeof(*a->findings.at), compare);
	while (limit && a->findings.count > limit) {
		finding_release(&a->findings.at[--a->findings.count]);
		a->hidden++;
	}
}

static int find_lists(struct advise *out, const struct model *m, const struct evidence_log *e,
	const struct advise_query *q, struct asked asked[LISTS])
{
	static const enum sort sorts[LISTS] = {[LIST_ALLOC] = SORT_ALLOC,
		[LIST_SURVIVED] = SORT_SURVIVED,
		[LIST_ALIVE] = SORT_ALIVE};
	int err = ERR_NONE;
	for (int i = 0; i < LISTS && !err; i++) {
		struct query query = {.by = BY_SITE,
			.sort = sorts[i],
			.split = q->split,
			.least = LIST_LEAST,
			.where = q->where};
		err = lifetimes_find(&out->lists[i], m, &e->ledger, &query);
		err = err ? err : place_rows(&asked[i], &out->lists[i], m, e);
	}
	return err;
}

int advise_find(struct advise *out, const struct model *m, const struct evidence_log *e,
	const struct advise_query *q)
{
	struct asked asked[LISTS] = {{NULL}};
	*out = (struct advise){0};
	int err = find_lists(out, m, e, q, asked);
	err = err ? err : advise_run_find(&out->run, m, e, &out->lists[LIST_ALLOC].outlived);
	err = err ? err : ask_all(out, m, e, q, asked);
	for (int i = 0; i < LISTS; i++)
		mem_free(asked[i].places);
	if (err)
		advise_release(out);
	else
		rank(out, q->limit);
	return err;
}

void advise_release(struct advise *a)
{
	for (size_t i = 0; i < a->findings.count; i++)
		finding_release(&a->findings.at[i]);
	vec_release(&a->findings);
	for (int i = 0; i < LISTS; i++)
		lifetimes_release(&a->lists[i]);
	*a = (struct advise){0};
}
