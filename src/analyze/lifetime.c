#include "analyze/lifetime.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/leaf_share.h"
#include "analyze/votes.h"
#include "base/error.h"
#include "model/names.h"
#include "stat/survival.h"

static const struct {
	const char *word, *help;
	size_t offset; /* of a struct total in struct tally */
} sorts[SORT_COUNT] = {
#define SORT(name, word, of, help) [SORT_##name] = {word, help, offsetof(struct tally, of)},
#include "analyze/sort.def"
#undef SORT
};

const char *sort_word(enum sort sort)
{
	return sorts[sort].word;
}

const char *sort_help(enum sort sort)
{
	return sorts[sort].help;
}

static double sorted_total(const struct tally *t, enum sort sort)
{
	const struct total *total = (const void *)((const char *)t + sorts[sort].offset);
	return total->bytes.sum;
}

double lifetimes_sorted_by(const struct row *r, enum sort sort)
{
	return sorted_total(&r->tally, sort);
}

bool query_by_thread(const struct query *q)
{
	return q->by == BY_THREAD || where_has(&q->where, WHERE_THREAD);
}

void lifetimes_release(struct lifetimes *l)
{
	for (size_t i = 0; i < l->rows.count; i++)
		row_release(&l->rows.at[i]);
	vec_release(&l->rows);
	curve_release(&l->outlived);
}

/* What lifetimes_find works with. */
struct finding {
	struct lifetimes *out;
	const struct model *m;
	const struct ledger *l;
	const struct query *q;
	VEC(uint32_t) picked; /* accounts that pass the filter */
	VEC(uint32_t) row_of; /* by position in picked */
	struct buf scratch;
};

static int pick(struct finding *f)
{
	for (size_t i = 0; i < f->l->accounts.count; i++) {
		const struct account *a = &f->l->accounts.at[i];
		total_merge(&f->out->alloc, &a->tally.alloc);
		if (!where_account(&f->q->where, f->m, a->site, a->thread, &f->scratch))
			continue;
		if (vec_push(&f->picked, (uint32_t)i))
			return ERR_NOMEM;
	}
	leaves_sum(f->l, &f->out->alloc);
	return f->scratch.failed;
}

/* A row for a site or its group, with its label. */
static int push_row(struct finding *f, const struct account *a, const struct context *c)
{
	struct row row = {.by = f->q->by,
		.class = f->q->by == BY_SITE || f->q->by == BY_CLASS
				 ? f->m->defs.sites.at[a->site].class
				 : 0,
		.context = *c};
	buf_clear(&f->scratch);
	label_put(&f->scratch, f->m, a->site, a->thread, f->q->by);
	row.label = mem_strndup(buf_text(&f->scratch), f->scratch.len);
	if (f->scratch.failed || !row.label || vec_push(&f->out->rows, row)) {
		mem_free(row.label);
		return ERR_NOMEM;
	}
	return ERR_NONE;
}

static int group_by_site(struct finding *f)
{
	struct contexts found;
	int err = contexts_find(&found, f->m, f->l, f->picked.at, f->picked.count, f->q->split);
	for (size_t i = 0; i < found.list.count && !err; i++) {
		struct account a = {.site = found.list.at[i].site};
		err = push_row(f, &a, &found.list.at[i]);
	}
	for (size_t i = 0; i < f->picked.count && !err; i++)
		f->row_of.at[i] = found.of.at[i];
	contexts_release(&found);
	return err;
}

/* All other groupings: equal labels are one row. */
static int group_by_label(struct finding *f)
{
	struct intern labels = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < f->picked.count && !err; i++) {
		const struct account *a = &f->l->accounts.at[f->picked.at[i]];
		int added = 0;
		buf_clear(&f->scratch);
		label_put(&f->scratch, f->m, a->site, a->thread, f->q->by);
		uint32_t number = intern_add(&labels, buf_slice(&f->scratch), &added);
		struct context c = {.site = a->site, .frames = f->q->by == BY_METHOD};
		err = !number || f->scratch.failed ? ERR_NOMEM
		      : added                      ? push_row(f, a, &c)
						   : ERR_NONE;
		f->row_of.at[i] = number - 1;
	}
	intern_release(&labels);
	return err;
}

/* Where there are exact counts: an account, its leaf and its row. */
struct piece {
	uint32_t account, leaf, group, row;
};

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->leaf != b->leaf)
		return a->leaf < b->leaf ? -1 : 1;
	return (a->account > b->account) - (a->account < b->account);
}

static bool is_same_leaf(const struct piece *a, const struct piece *b)
{
	return a->row == b->row && a->leaf == b->leaf;
}

static bool is_same_group(const struct piece *a, const struct piece *b)
{
	return a->row == b->row && a->group && a->group == b->group;
}

/* The errors of what rows allocate: those of parts of leaves, whose wholes are known. */
static void share_pieces(struct finding *f, const struct piece *pieces, size_t count)
{
	struct amount share = {0};
	for (size_t i = 0, end; i < count; i = end) {
		struct part part = {.alloc = {0}};
		struct total *alloc = &f->out->rows.at[pieces[i].row].tally.alloc;
		for (end = i; end < count && is_same_leaf(&pieces[i], &pieces[end]); end++)
			part_add(&part, &f->l->accounts.at[pieces[end].account].tally);
		if (i == 0 || pieces[i - 1].row != pieces[i].row)
			total_certain(alloc);
		struct amount more = leaves_share(f->l, pieces[i].account, &part, alloc);
		share.objects += more.objects;
		share.bytes += more.bytes;
		if (end < count && is_same_group(&pieces[i], &pieces[end]))
			continue;
		if (pieces[i].group)
			leaves_share_group(f->l, pieces[i].group, share, alloc);
		share = (struct amount){0};
	}
}

static int share_leaves(struct finding *f)
{
	size_t count = f->picked.count;
	if (!f->l->leaves.of.count || !count)
		return ERR_NONE;
	struct piece *pieces = mem_zalloc(count, sizeof(*pieces));
	if (!pieces)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		pieces[i] = (struct piece){f->picked.at[i], f->l->leaves.of.at[f->picked.at[i]],
			leaves_group(f->l, f->picked.at[i]), f->row_of.at[i]};
	qsort(pieces, count, sizeof(*pieces), compare_pieces);
	share_pieces(f, pieces, count);
	mem_free(pieces);
	return ERR_NONE;
}

/* Lives that are of all callers of a line say nothing of some. */
static int merge_account(struct row *to, const struct ledger *l, size_t account)
{
	struct tally tally = l->accounts.at[account].tally; /* owns nothing */
	if (to->context.split && leaves_stray(l, account))
		tally.counted = (struct counted){0};
	return tally_merge(&to->tally, &tally);
}

static int merge(struct finding *f)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < f->picked.count && !err; i++)
		err = merge_account(&f->out->rows.at[f->row_of.at[i]], f->l, f->picked.at[i]);
	return err ? err : share_leaves(f);
}

static int find_callers(struct finding *f)
{
	struct votes votes;
	int err = votes_find(&votes, f->m, f->l, f->picked.at, f->row_of.at, f->picked.count,
		f->out->rows.count);
	for (size_t i = 0; i < f->out->rows.count && !err; i++) {
		struct row *r = &f->out->rows.at[i];
		r->caller = votes_winner(&votes, f->m, i, &r->context, &r->caller_share);
	}
	votes_release(&votes);
	return err;
}

struct order {
	enum sort sort;
};

static int compare_rows(const void *left, const void *right, void *arg)
{
	const struct order *o = arg;
	const struct row *a = left, *b = right;
	double x = lifetimes_sorted_by(a, o->sort), y = lifetimes_sorted_by(b, o->sort);
	if (x < y || x > y)
		return x < y ? 1 : -1;
	int labels = strcmp(a->label, b->label);
	if (labels)
		return labels;
	return (a->context.site > b->context.site) - (a->context.site < b->context.site);
}

/* Whether row `i` of those kept so far stays. `all`: what all rows of the trace sum up to. */
static bool keeps(const struct finding *f, const struct row *r, size_t kept, double all)
{
	double share = all > 0 ? lifetimes_sorted_by(r, f->q->sort) / all : 0;
	if (f->q->limit && kept >= f->q->limit)
		return false;
	return share >= f->q->least;
}

/* Of rows that are too small or too many only those of the right shape are hidden by that. */
static int hide(struct finding *f, struct row *r, double all)
{
	bool shaped = where_has(&f->q->where, WHERE_SHAPE);
	int err = shaped ? row_solve(r, f->m, f->q->clocks) : ERR_NONE;
	if (err || (shaped && !where_shape(&f->q->where, r->shape))) {
		row_release(r);
		return err;
	}
	double share = all > 0 ? lifetimes_sorted_by(r, f->q->sort) / all : 0;
	f->out->hidden++;
	f->out->limited |= share >= f->q->least;
	f->out->hidden_share += share;
	if (share > f->out->hidden_largest)
		f->out->hidden_largest = share;
	row_release(r);
	return ERR_NONE;
}

static double sum_of_all(const struct finding *f)
{
	double all = 0;
	for (size_t i = 0; i < f->l->accounts.count; i++)
		all += sorted_total(&f->l->accounts.at[i].tally, f->q->sort);
	return all;
}

/* Leaves out what is small, solves the rest, then leaves out what has the wrong shape. */
static int cut(struct finding *f)
{
	struct lifetimes *out = f->out;
	double all = sum_of_all(f);
	size_t kept = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < out->rows.count; i++) {
		struct row row = out->rows.at[i];
		if (err) {
			row_release(&row);
			continue;
		}
		if (!keeps(f, &row, kept, all)) {
			err = hide(f, &row, all);
			continue;
		}
		err = row_solve(&row, f->m, f->q->clocks);
		if (!err && where_shape(&f->q->where, row.shape))
			out->rows.at[kept++] = row;
		else
			row_release(&row);
	}
	out->rows.count = kept;
	vec_fit(&out->rows);
	return err;
}

static bool is_counted(const struct ledger *l, const struct counted *c, enum clock gc)
{
	return gc == CLOCK_YOUNG && c->any && c->lives[MEASURE_BYTES].all.n && leaves_whole(l);
}

/* Of the bytes of lives, and of what was not followed beside them. */
static double known_share(const struct ages *lives, double stray)
{
	double unmet = ages_unmet(lives).w, all = lives->all.w + stray;
	return all > 0 ? (lives->all.w - unmet) / all : 0;
}

int lifetimes_outlived(
	struct curve *out, double *known, const struct model *m, const struct ledger *l)
{
	enum clock gc = row_gc_clock(m);
	struct ages all = {0};
	struct counted counted = {0};
	double stray = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < l->accounts.count && !err; i++) {
		const struct tally *t = &l->accounts.at[i].tally;
		err = ages_merge(&all, lifespans_ages(&t->lives[MEASURE_BYTES], gc));
		err = err ? err : counted_merge(&counted, &t->counted);
		stray += t->stray.bytes.sum;
	}
	bool whole = !err && is_counted(l, &counted, gc);
	*known = whole ? known_share(&counted.lives[MEASURE_BYTES], 0) : known_share(&all, stray);
	if (whole)
		err = counted_curve(&counted, MEASURE_BYTES, &all, out);
	else if (!err)
		err = survival_curve(&all, out);
	counted_release(&counted);
	ages_release(&all);
	return err;
}

static int find(struct finding *f)
{
	int err = pick(f);
	if (!err && vec_reserve(&f->row_of, f->picked.count + 1))
		err = ERR_NOMEM;
	if (!err)
		err = f->q->by == BY_SITE ? group_by_site(f) : group_by_label(f);
	err = err ? err : merge(f);
	err = err ? err : find_callers(f);
	if (err)
		return err;
	struct order order = {f->q->sort};
	if (f->out->rows.count)
		qsort_r(f->out->rows.at, f->out->rows.count, sizeof(struct row), compare_rows,
			&order);
	err = cut(f);
	return err ? err : lifetimes_outlived(&f->out->outlived, &f->out->known, f->m, f->l);
}

int lifetimes_find(
	struct lifetimes *out, const struct model *m, const struct ledger *l, const struct query *q)
{
	*out = (struct lifetimes){.model = m, .by = q->by};
	struct finding f = {.out = out, .m = m, .l = l, .q = q};
	int err = find(&f);
	vec_release(&f.picked);
	vec_release(&f.row_of);
	buf_release(&f.scratch);
	if (err) {
		lifetimes_release(out);
		*out = (struct lifetimes){.model = m, .by = q->by};
	}
	return err;
}
