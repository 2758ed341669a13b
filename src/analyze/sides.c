#include "analyze/sides.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"

void side_release(struct side *s)
{
	for (size_t i = 0; i < s->places.count; i++) {
		struct place *p = &s->places.at[i];
		mem_free(p->alloc);
		mem_free(p->survived);
		mem_free(p->counted);
		ages_release(&p->ages);
		ages_release(&p->exact);
	}
	vec_release(&s->places);
}

/* What side_collect works with. */
struct collecting {
	struct side *side;
	const struct diff_query *q;
	struct intern *names;
	struct map index; /* name and line → place */
	struct buf scratch;
};

static struct place *add_place(struct collecting *c, uint32_t name, uint32_t shown, uint32_t line)
{
	struct place p = {.name = name, .shown = shown, .line = line};
	p.alloc = mem_zalloc(c->side->runs, sizeof(*p.alloc));
	p.survived = mem_zalloc(c->side->runs, sizeof(*p.survived));
	p.counted = mem_zalloc(c->side->runs, sizeof(*p.counted));
	if (!p.alloc || !p.survived || !p.counted || vec_push(&c->side->places, p)) {
		mem_free(p.alloc);
		mem_free(p.survived);
		mem_free(p.counted);
		return NULL;
	}
	return &c->side->places.at[c->side->places.count - 1];
}

/* How much of "a.B.lambda$run$7" stays: javac numbers the lambdas of a class in a row. */
static size_t without_number(struct slice name)
{
	static const char body[] = "lambda$";
	size_t n = name.len, from = name.len;
	while (from && name.at[from - 1] != '.')
		from--;
	while (n > from && name.at[n - 1] >= '0' && name.at[n - 1] <= '9')
		n--;
	bool numbered = n < name.len && n > from + sizeof(body) && name.at[n - 1] == '$' &&
			memcmp(name.at + from, body, sizeof(body) - 1) == 0;
	return numbered ? n - 1 : name.len;
}

/* The name that a site or thread goes by, and what is shown for it. 0: out of memory. */
static uint32_t name_of(
	struct collecting *c, const struct model *m, const struct account *a, uint32_t *shown)
{
	struct buf *text = &c->scratch;
	buf_clear(text);
	if (c->q->by == BY_SITE) {
		label_put(text, m, a->site, a->thread, BY_CLASS);
		buf_put_u8(text, PLACE_SEPARATOR);
	}
	label_put(text, m, a->site, a->thread, c->q->by == BY_SITE ? BY_METHOD : c->q->by);
	if (text->failed)
		return 0;
	struct slice name = buf_slice(text);
	*shown = c->q->by == BY_SITE ? intern_add(c->names, name, NULL) : 0;
	if (c->q->by == BY_SITE || c->q->by == BY_METHOD)
		name.len = without_number(name);
	return intern_add(c->names, name, NULL);
}

/* NULL: out of memory. */
static struct place *place_of(struct collecting *c, const struct model *m, const struct account *a)
{
	uint32_t shown, name = name_of(c, m, a, &shown);
	uint32_t frame = m->defs.sites.at[a->site].frame;
	uint32_t line = c->q->by == BY_SITE ? m->defs.frames.at[frame].line : 0;
	uint64_t key = (uint64_t)name << 32 | line, *i = map_find(&c->index, key);
	if (!name)
		return NULL;
	if (i)
		return &c->side->places.at[*i];
	return map_put(&c->index, key, c->side->places.count)
		       ? NULL
		       : add_place(c, name, shown ? shown : name, line);
}

static int collect_account(
	struct collecting *c, const struct model *m, const struct account *a, size_t run)
{
	if (!where_account(&c->q->where, m, a->site, a->thread, &c->scratch))
		return c->scratch.failed ? ERR_NOMEM : ERR_NONE;
	struct place *p = place_of(c, m, a);
	if (!p)
		return ERR_NOMEM;
	total_merge(&p->alloc[run], &a->tally.alloc);
	total_merge(&p->survived[run], &a->tally.outlived);
	p->counted[run].any |= a->tally.counted.any;
	p->counted[run].open += a->tally.counted.open;
	int err = ages_merge(&p->exact, &a->tally.counted.lives[MEASURE_BYTES]);
	return err ? err
		   : ages_merge(&p->ages,
			     lifespans_ages(&a->tally.lives[MEASURE_BYTES], row_gc_clock(m)));
}

/* What the exact engine counted has no error. */
static void close_place(struct place *p, size_t runs)
{
	bool all = true;
	for (size_t run = 0; run < runs; run++) {
		if (counted_whole(&p->counted[run])) {
			total_certain(&p->alloc[run]);
			total_certain(&p->survived[run]);
		} else {
			all &= !(p->alloc[run].bytes.sum > 0);
		}
	}
	if (!all)
		ages_clear(&p->exact);
}

static void close_places(struct side *s)
{
	for (size_t i = 0; i < s->places.count; i++)
		close_place(&s->places.at[i], s->runs);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

int side_collect(struct side *out, const struct diff_group *g, const struct diff_query *q,
	struct intern *names)
{
	*out = (struct side){.runs = g->count};
	struct collecting c = {.side = out, .q = q, .names = names};
	int err = ERR_NONE;
	for (size_t run = 0; run < g->count && !err; run++) {
		const struct ledger *l = g->runs[run].ledger;
		for (size_t i = 0; i < l->accounts.count && !err; i++)
			err = collect_account(&c, g->runs[run].model, &l->accounts.at[i], run);
	}
	map_release(&c.index);
	buf_release(&c.scratch);
	close_places(out);
	if (!err && out->places.count)
		qsort(out->places.at, out->places.count, sizeof(struct place), compare_places);
	return err;
}
