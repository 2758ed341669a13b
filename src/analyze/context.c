#include "analyze/context.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/caller.h"
#include "base/error.h"

struct verdict {
	struct conflict conflict;
	double p; /* adjusted */
	bool tested;
};

/*
 * The stacks of one allocating line as a tree, drawn from the leaf up: a node is the accounts
 * order[lo … hi) whose stacks agree in the first `depth` frames and then part (or end). Chains
 * of single callers are one node. Children stand together, behind their parent.
 */
struct node {
	size_t lo, hi;
	size_t first, children; /* in nodes */
	uint32_t depth;
	struct caller lives;         /* of all its accounts */
	struct verdict of[KNOWNS];   /* of its callers: by what is known of them one way */
	const struct verdict *split; /* the one with the larger effect of those that say so, or
					NULL */
	bool impure;                 /* it or something in it is split */
};

struct path {
	uint32_t account;     /* in the ledger */
	uint32_t position;    /* in picked */
	uint32_t class, leaf; /* class, frame */
	uint32_t at;          /* the frame that the walk has reached */
};

struct finder {
	const struct model *m;
	const struct ledger *l;
	struct path *order;
	size_t count;
	VEC(struct node) nodes;
	struct contexts *out;
};

void contexts_release(struct contexts *c)
{
	vec_release(&c->list);
	vec_release(&c->of);
}

static const struct frame_def *frame(const struct finder *f, uint32_t index)
{
	return &f->m->defs.frames.at[index];
}

static enum clock gc_clock(const struct finder *f)
{
	return f->m->facts.deaths == DEATHS_OLD ? CLOCK_FULL : CLOCK_YOUNG;
}

/* By class, then by stack from the leaf; equal only for the same line and callers. */
static int compare_paths(const void *left, const void *right, void *arg)
{
	const struct finder *f = arg;
	const struct path *a = left, *b = right;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	uint32_t x = a->leaf, y = b->leaf;
	while (x != y) {
		uint32_t lx = frame(f, x)->location, ly = frame(f, y)->location;
		if (lx != ly)
			return lx < ly ? -1 : 1;
		x = frame(f, x)->parent;
		y = frame(f, y)->parent;
	}
	return (a->position > b->position) - (a->position < b->position);
}

/* Walks the paths of a node up to where they part: over single callers. */
static void descend(struct finder *f, struct node *n)
{
	struct path *first = &f->order[n->lo], *last = &f->order[n->hi - 1];
	while (first->at && last->at &&
		frame(f, first->at)->location == frame(f, last->at)->location) {
		for (size_t i = n->lo; i < n->hi; i++)
			f->order[i].at = frame(f, f->order[i].at)->parent;
		n->depth++;
	}
}

/* As how many samples a node counts, of whichever tells more; without merging lives. */
static double effective(const struct finder *f, const struct node *n)
{
	struct mass sampled = {0}, counted = {0};
	struct counted all = {0};
	for (size_t i = n->lo; i < n->hi; i++) {
		const struct tally *t = &f->l->accounts.at[f->order[i].account].tally;
		mass_add(&sampled, lifespans_ages(&t->lives[MEASURE_BYTES], gc_clock(f))->all);
		if (leaves_stray(f->l, f->order[i].account))
			continue;
		mass_add(&counted, t->counted.lives[MEASURE_BYTES].all);
		all.any |= t->counted.any;
		all.open += t->counted.open;
	}
	bool known = gc_clock(f) == CLOCK_YOUNG && counted_whole(&all);
	return fmax(mass_effective(sampled), known ? mass_effective(counted) : 0);
}

static int push_node(struct finder *f, size_t lo, size_t hi, uint32_t depth)
{
	return vec_push(&f->nodes, ((struct node){.lo = lo, .hi = hi, .depth = depth}));
}

/* Where the run of paths with the same next frame ends. */
static size_t run_end(const struct finder *f, size_t lo, size_t hi)
{
	size_t i = lo + 1;
	while (i < hi && frame(f, f->order[i].at)->location == frame(f, f->order[lo].at)->location)
		i++;
	return i;
}

/* Makes the children of a node, unless it holds too little to tell two callers apart. */
static int branch(struct finder *f, size_t index, bool split)
{
	struct node *n = &f->nodes.at[index];
	descend(f, n);
	size_t lo = n->lo, hi = n->hi, first = f->nodes.count;
	uint32_t depth = n->depth;
	bool ended =
		!f->order[lo].at && !f->order[hi - 1].at; /* equal stacks: threads of one site */
	if (!split || ended || effective(f, n) < CONFLICT_SAMPLES + CONFLICT_FEW)
		return ERR_NONE;
	for (size_t end; lo < hi; lo = end) {
		end = run_end(f, lo, hi);
		if (push_node(f, lo, end, depth))
			return ERR_NOMEM;
	}
	f->nodes.at[index].first = first;
	f->nodes.at[index].children = f->nodes.count - first;
	return ERR_NONE;
}

/* One root for each class and allocating line, then all below. */
static int grow(struct finder *f, bool split)
{
	for (size_t lo = 0, end; lo < f->count; lo = end) {
		end = lo;
		uint32_t class = f->order[lo].class, leaf = frame(f, f->order[lo].leaf)->location;
		while (end < f->count && f->order[end].class == class &&
			frame(f, f->order[end].leaf)->location == leaf)
			end++;
		if (push_node(f, lo, end, 0))
			return ERR_NOMEM;
	}
	int err = ERR_NONE;
	for (size_t i = 0; i < f->nodes.count && !err; i++)
		err = branch(f, i, split);
	return err;
}

/* Fills in the lives of all nodes: children first, for they stand behind their parents. */
static int sum_lives(struct finder *f)
{
	for (size_t i = f->nodes.count; i-- > 0;) {
		struct node *n = &f->nodes.at[i];
		int err = ERR_NONE;
		for (size_t c = 0; c < n->children && !err; c++)
			err = caller_merge(&n->lives, &f->nodes.at[n->first + c].lives);
		for (size_t k = n->lo; k < n->hi && !n->children && !err; k++)
			err = caller_add(&n->lives, f->l, f->order[k].account, gc_clock(f));
		if (err)
			return err;
	}
	return ERR_NONE;
}

/* The children with the most to say, at most CONFLICT_CALLERS of them. */
static size_t weightiest(
	const struct finder *f, const struct node *n, enum known known, const struct ages **out)
{
	size_t count = 0;
	for (size_t c = 0; c < n->children; c++) {
		const struct ages *a = caller_lives(&f->nodes.at[n->first + c].lives, known);
		if (!a)
			continue;
		bool full = count == CONFLICT_CALLERS;
		if (full && mass_effective(out[count - 1]->all) >= mass_effective(a->all))
			continue;
		size_t i = full ? count - 1 : count++;
		while (i > 0 && mass_effective(out[i - 1]->all) < mass_effective(a->all)) {
			out[i] = out[i - 1];
			i--;
		}
		out[i] = a;
	}
	return count;
}

static int test(const struct finder *f, struct node *n, enum known known)
{
	const struct ages *callers[CONFLICT_CALLERS];
	struct verdict *v = &n->of[known];
	size_t count = weightiest(f, n, known, callers);
	int err = count > 1 ? conflict_test(callers, count, &v->conflict) : ERR_NONE;
	v->tested = !err && count > 1 && v->conflict.df > 0;
	return err;
}

/* What any of a node's tests says. */
static void settle(struct node *n)
{
	for (int k = 0; k < KNOWNS; k++) {
		const struct verdict *v = &n->of[k];
		bool split = v->tested && conflict_decide(&v->conflict, v->p);
		if (split && (!n->split || v->conflict.effect > n->split->conflict.effect))
			n->split = v;
	}
}

/* Tests all nodes, as one family: doc/metrics.md, "Site". */
static int decide(struct finder *f)
{
	VEC(double) p = {0};
	size_t tests = f->nodes.count * KNOWNS;
	int err = ERR_NONE;
	for (size_t i = 0; i < tests && !err; i++) {
		struct node *n = &f->nodes.at[i / KNOWNS];
		struct verdict *v = &n->of[i % KNOWNS];
		err = test(f, n, (enum known)(i % KNOWNS));
		if (!err && v->tested)
			err = vec_push(&p, v->conflict.p);
	}
	if (!err)
		err = holm_adjust(p.at, p.count);
	for (size_t i = 0, k = 0; i < tests && !err; i++) {
		struct verdict *v = &f->nodes.at[i / KNOWNS].of[i % KNOWNS];
		v->p = v->tested ? p.at[k++] : 1;
	}
	for (size_t i = 0; i < f->nodes.count && !err; i++)
		settle(&f->nodes.at[i]);
	vec_release(&p);
	return err;
}

static void mark_impure(struct finder *f)
{
	for (size_t i = f->nodes.count; i-- > 0;) {
		struct node *n = &f->nodes.at[i];
		n->impure = n->split != NULL;
		for (size_t c = 0; c < n->children; c++)
			n->impure |= f->nodes.at[n->first + c].impure;
	}
}

static int heaviest_first(const void *left, const void *right, void *arg)
{
	const struct node *children = arg;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	double x = caller_effective(&children[a].lives), y = caller_effective(&children[b].lives);
	return x > y ? -1 : x < y ? 1 : (a > b) - (a < b);
}

/* The first of the leaders that lives as the child does, or the child itself, which then becomes
 * one. */
static uint32_t find_leader(
	const struct node *children, uint32_t *leaders, size_t *count, uint32_t child, int *err)
{
	for (size_t i = 0; i < *count; i++)
		if (callers_alike(&children[leaders[i]].lives, &children[child].lives, err))
			return leaders[i];
	leaders[(*count)++] = child;
	return child;
}

/*
 * Puts the children of a split node into clusters of like lives, heaviest first, so that what
 * leads a cluster is known best: each joins the first cluster whose leader lives as it does.
 * lead[c] becomes the leader of child c.
 */
static int cluster(const struct finder *f, const struct node *n, uint32_t *lead)
{
	struct node *children = &f->nodes.at[n->first];
	uint32_t *order = mem_zalloc(n->children, 2 * sizeof(*order));
	if (!order)
		return ERR_NOMEM;
	uint32_t *leaders = order + n->children;
	size_t count = 0;
	int err = ERR_NONE;
	for (uint32_t c = 0; c < n->children; c++)
		order[c] = c;
	qsort_r(order, n->children, sizeof(*order), heaviest_first, children);
	for (size_t i = 0; i < n->children; i++)
		lead[order[i]] = find_leader(children, leaders, &count, order[i], &err);
	mem_free(order);
	return err;
}

static void assign(struct finder *f, const struct node *n, uint32_t context)
{
	for (size_t i = n->lo; i < n->hi; i++)
		f->out->of.at[f->order[i].position] = context;
}

static int add_context(struct finder *f, const struct node *n, uint32_t frames, uint32_t callers,
	const struct verdict *why)
{
	struct context c = {.site = f->l->accounts.at[f->order[n->lo].account].site,
		.frames = frames,
		.callers = callers};
	if (why) {
		c.split = true;
		c.p = why->p;
		c.effect = why->conflict.effect;
		c.t = why->conflict.t;
	}
	return vec_push(&f->out->list, c);
}

static int emit(struct finder *f, size_t index, uint32_t frames, const struct verdict *why);

/* It stands for the lives of all callers, and is none. */
static bool is_caller(const struct finder *f, const struct node *n)
{
	for (size_t i = n->lo; i < n->hi; i++) {
		uint32_t account = f->order[i].account;
		if (!leaves_stray(f->l, account) || f->l->accounts.at[account].tally.alloc.n)
			return true;
	}
	return false;
}

/* The pure children that `of` leads, as one context; impure ones by themselves. */
static int emit_cluster(struct finder *f, const struct node *n, const uint32_t *lead, uint32_t of,
	const struct verdict *why)
{
	uint32_t pure = 0;
	size_t last = 0;
	int err = ERR_NONE;
	for (uint32_t c = 0; c < n->children && !err; c++) {
		const struct node *child = &f->nodes.at[n->first + c];
		if (lead[c] != of)
			continue;
		if (child->impure)
			err = emit(f, n->first + c, n->depth + 1, n->split ? n->split : why);
		else if (is_caller(f, child))
			last = n->first + c, pure++;
	}
	if (!err && pure == 1)
		err = emit(f, last, n->depth + 1, n->split ? n->split : why);
	else if (!err && pure)
		err = add_context(f, &f->nodes.at[last], n->depth, pure, n->split ? n->split : why);
	/* Lives of no caller go with the last that was made: there is one, for nothing else leads.
	 */
	for (uint32_t c = 0; c < n->children && !err; c++)
		if (lead[c] == of && !f->nodes.at[n->first + c].impure)
			assign(f, &f->nodes.at[n->first + c], (uint32_t)f->out->list.count - 1);
	return err;
}

/* Makes contexts of a node; `frames` tell it from its siblings, which `why` split. */
static int emit(struct finder *f, size_t index, uint32_t frames, const struct verdict *why)
{
	const struct node *n = &f->nodes.at[index];
	if (!n->impure) {
		int err = add_context(f, n, frames, 0, why);
		if (!err)
			assign(f, n, (uint32_t)f->out->list.count - 1);
		return err;
	}
	uint32_t *lead = mem_zalloc(n->children, sizeof(*lead));
	if (!lead)
		return ERR_NOMEM;
	int err = n->split ? cluster(f, n, lead) : ERR_NONE;
	/* Not split: lead is all 0, and all are one cluster. */
	for (uint32_t c = 0; c < n->children && !err; c++)
		if (lead[c] == c)
			err = emit_cluster(f, n, lead, c, why);
	mem_free(lead);
	return err;
}

static int emit_roots(struct finder *f)
{
	int err = ERR_NONE;
	size_t next = 0;
	for (size_t i = 0; next < f->count && !err; i++) {
		next = f->nodes.at[i].hi;
		err = emit(f, i, f->order[f->nodes.at[i].lo].leaf ? 1 : 0, NULL);
	}
	return err;
}

static int start(struct finder *f, const uint32_t *picked)
{
	f->order = mem_zalloc(f->count, sizeof(*f->order));
	if (!f->order || vec_reserve(&f->out->of, f->count))
		return ERR_NOMEM;
	f->out->of.count = f->count;
	for (size_t i = 0; i < f->count; i++) {
		const struct account *a = &f->l->accounts.at[picked[i]];
		const struct site_def *s = &f->m->defs.sites.at[a->site];
		f->order[i] = (struct path){picked[i], (uint32_t)i, s->class, s->frame, s->frame};
	}
	qsort_r(f->order, f->count, sizeof(*f->order), compare_paths, f);
	return ERR_NONE;
}

int contexts_find(struct contexts *c, const struct model *m, const struct ledger *l,
	const uint32_t *picked, size_t count, bool split)
{
	*c = (struct contexts){0};
	struct finder f = {.m = m, .l = l, .count = count, .out = c};
	if (!count)
		return ERR_NONE;
	int err = start(&f, picked);
	err = err ? err : grow(&f, split);
	err = err ? err : sum_lives(&f);
	err = err ? err : decide(&f);
	if (!err) {
		mark_impure(&f);
		err = emit_roots(&f);
	}
	for (size_t i = 0; i < f.nodes.count; i++)
		caller_release(&f.nodes.at[i].lives);
	vec_release(&f.nodes);
	mem_free(f.order);
	return err;
}

uint32_t context_frame(const struct context *c, const struct model *m, uint32_t i)
{
	uint32_t frame = m->defs.sites.at[c->site].frame;
	if (i >= c->frames)
		return 0;
	for (; i && frame; i--)
		frame = m->defs.frames.at[frame].parent;
	return frame;
}
