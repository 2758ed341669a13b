#include "analyze/trail.h"

#include <math.h>

#include "base/error.h"

enum {
	DEPTH_MOST = 32,   /* frames that are looked at, */
	WALKED_MOST = 512, /* and of a walked path */
	MIXED_MOST = 10, /* one in so many counted without a caller, where callers are told apart */
	CHANCE = 4,      /* standard errors that are taken for one */
};

void trails_release(struct trails *t)
{
	vec_release(&t->list);
	map_release(&t->index);
}

static uint64_t key_of(size_t before, uint32_t name)
{
	return (uint64_t)before << 32 | name;
}

/* 0: none. */
static size_t next(const struct trails *t, size_t before, uint32_t name)
{
	uint64_t *number = map_find(&t->index, key_of(before, name));
	return number ? (size_t)*number : 0;
}

/* 0: out of memory. */
static size_t add(struct trails *t, size_t before, uint32_t name, uint64_t births, bool walked)
{
	size_t number = next(t, before, name);
	if (!number) {
		if (map_put(&t->index, key_of(before, name), t->list.count + 1) ||
			vec_push(&t->list, (struct trail){0}))
			return 0;
		number = t->list.count;
		if (before)
			trails_at(t, before)->callers++;
	}
	trails_at(t, number)->births += births;
	trails_at(t, number)->walked += walked ? births : 0;
	return number;
}

static uint32_t location_of(const struct model *m, uint32_t frame)
{
	return m->defs.frames.at[frame].location;
}

/* By the bytecode, for one line can hold several allocations that live apart. */
static uint32_t bytecode_of(const struct model *m, uint32_t frame)
{
	return (uint32_t)(m->defs.frames.at[frame].bci + 1);
}

/* A site without a line ends at location 0 of its class. */
int trails_add(struct trails *t, const struct model *m, uint32_t site, uint64_t births)
{
	const struct site_def *s = &m->defs.sites.at[site];
	bool walked = s->frame && s->flags & SITE_WALKED && !t->callers_together;
	int most = t->callers_together ? 1 : walked ? WALKED_MOST : DEPTH_MOST;
	uint32_t frame = s->frame;
	size_t at = add(t, 0, s->class, births, walked);
	for (int i = 0; at && (frame || !i) && i < most; i++) {
		at = add(t, at, location_of(m, frame), births, walked);
		if (at && frame && !i)
			at = add(t, at, bytecode_of(m, frame), births, walked);
		frame = m->defs.frames.at[frame].parent;
	}
	if (!at)
		return ERR_NOMEM;
	if (walked) {
		trails_at(t, at)->full = true;
		return ERR_NONE;
	}
	trails_at(t, at)->ends = true;
	trails_at(t, at)->own += births;
	return ERR_NONE;
}

/* Where a walk from the allocating line up the stack has come to. */
struct walk {
	size_t at; /* 0: nothing was counted there */
	uint32_t frame;
	bool line;    /* `at` is a line: next is the bytecode of `frame` */
	bool strange; /* what is next to `at` is told, but not this stack's */
};

static struct walk step(const struct trails *t, const struct model *m, struct walk w)
{
	uint32_t frame = w.line ? w.frame : m->defs.frames.at[w.frame].parent;
	uint32_t name = w.line ? bytecode_of(m, frame) : location_of(m, frame);
	size_t to = frame ? next(t, w.at, name) : 0;
	if (!to)
		w.strange = true;
	else
		w = (struct walk){.at = to, .frame = frame};
	return w;
}

/* The walked path that the stack is; 0: it is none that is known. */
static size_t follow(const struct trails *t, const struct model *m, struct walk w)
{
	while (!w.strange)
		w = step(t, m, w);
	bool all = !w.line && !m->defs.frames.at[w.frame].parent;
	return all && trails_at(t, w.at)->full ? w.at : 0;
}

/* As far as all callers are told. */
static struct walk walk(
	const struct trails *t, const struct model *m, uint32_t class, uint32_t frame)
{
	size_t of_class = next(t, 0, class);
	struct walk w = {.at = of_class ? next(t, of_class, location_of(m, frame)) : 0,
		.frame = frame,
		.line = frame};
	while (w.at && !w.strange && !trails_at(t, w.at)->ends && !trails_at(t, w.at)->undivided)
		w = step(t, m, w);
	return w;
}

/* What was counted of the frame's method without a line; 0: nothing. */
static size_t method_of(
	const struct trails *t, const struct model *m, size_t of_class, uint32_t frame)
{
	uint32_t location = defs_method_location(&m->defs, frame);
	size_t lineless = location ? next(t, of_class, location) : 0;
	return lineless ? next(t, lineless, 0) : 0;
}

/*
 * A line where nothing was counted belongs to what was counted of its method without a line, or
 * else of its class: that is where the engine could not tell the line.
 */
static struct walk walk_site(const struct trails *t, const struct model *m, uint32_t site)
{
	const struct site_def *s = &m->defs.sites.at[site];
	size_t of_class = next(t, 0, s->class);
	struct walk w = walk(t, m, s->class, s->frame);
	if (!w.at && of_class && s->frame)
		w = (struct walk){.at = method_of(t, m, of_class, s->frame)};
	return w.at ? w : walk(t, m, s->class, 0);
}

bool trails_line(const struct trails *t, const struct model *m, uint32_t site)
{
	const struct site_def *s = &m->defs.sites.at[site];
	return walk(t, m, s->class, s->frame).at;
}

void trails_meet(struct trails *t, const struct model *m, uint32_t site)
{
	struct walk w = walk_site(t, m, site);
	/* Where paths were walked, one that was not seen takes nothing from those that were. */
	if (w.strange && !trails_at(t, w.at)->walked)
		trails_at(t, w.at)->undivided = true;
}

static bool is_mixed(const struct trail *p)
{
	return p->ends && p->callers > 1 && p->own <= p->births / MIXED_MOST;
}

/* More of its births were of paths without room than chance explains: those that had some were at
 * work at other times, and say nothing of these. */
static bool is_crowded(const struct trails *t, const struct trail *p)
{
	if (!t->crowded)
		return false;
	double due = (double)p->births / (double)t->crowded;
	double chance = CHANCE * sqrt(due * (1 - 1 / (double)t->crowded));
	return (double)p->walked + chance < due * (1 - 1.0 / MIXED_MOST);
}

/* Some births of the place were walked. */
static size_t find_walked(
	const struct trails *t, const struct model *m, struct walk w, size_t *mixed)
{
	if (!trails_at(t, w.at)->ends || is_crowded(t, trails_at(t, w.at)))
		return w.at;
	*mixed = t->all ? 0 : w.at;
	size_t path = follow(t, m, w);
	return path ? path : w.at;
}

size_t trails_find(const struct trails *t, const struct model *m, uint32_t site, size_t *mixed)
{
	struct walk w = walk_site(t, m, site);
	*mixed = 0;
	if (w.at && trails_at(t, w.at)->walked)
		return find_walked(t, m, w, mixed);
	*mixed = w.at && is_mixed(trails_at(t, w.at)) ? w.at : 0;
	return *mixed ? step(t, m, w).at : w.at;
}
