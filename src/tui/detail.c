#include "tui/detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/tree.h"
#include "base/error.h"
#include "base/units.h"
#include "report/column.h"
#include "report/paths.h"
#include "report/short.h"

#define VAGUE 0.5 /* width of an interval: what is known no better is not drawn */
#define PATH_LEAST                                                                                 \
	0.01 /* of the row's bytes: a path below that is left out, as in mayfly report             \
	      */

enum { STEPS = 8, BAR = 16, NAME = 9, SIDE = 38 };

static const struct {
	const char *title, *unknown;
	bool by_bytes;
} clocks[CLOCKS] = {
	[CLOCK_YOUNG] = {"young GCs survived", "young GCs: not known", true},
	[CLOCK_FULL] = {"full GCs survived", "full GCs: none ran, or none is known", true},
	[CLOCK_BYTES] = {"allocated meanwhile", "bytes allocated meanwhile: not known", false},
	[CLOCK_NS] = {"time", "time: not known", false},
};

/* -- What outlives how much -- */

static const struct curve *curve_of(const struct row *r, enum clock clock)
{
	return (int)clock < CLOCKS_GC ? &r->by_bytes[clock] : &r->curves[clock];
}

/* Round numbers of collections; as far as is known. */
static size_t gc_steps(const struct curve *c, uint64_t steps[STEPS])
{
	static const uint64_t round[STEPS] = {1, 2, 3, 4, 6, 8, 11, 15};
	size_t count = 0;
	while (count < STEPS && round[count] <= c->known) {
		steps[count] = round[count];
		if (curve_at(c, steps[count++]).p <= 0)
			break;
	}
	return count;
}

/* Whether enough is known at t to draw it. */
static bool is_vague(const struct curve *c, uint64_t t)
{
	struct curve_point p = curve_at(c, t);
	return isnan(p.p) || p.hi - p.lo > VAGUE;
}

/* 1, 2, 5, 10, 20 …: the last ones up to where the curve ends, but for what is not well known. */
static size_t flow_steps(const struct curve *c, uint64_t steps[STEPS])
{
	static const uint64_t leads[] = {1, 2, 5};
	uint64_t last = c->points.at[c->points.count - 1].t;
	size_t count = 0;
	for (uint64_t ten = 1; ten <= UINT64_MAX / 100; ten *= 10)
		for (size_t i = 0; i < ARRAY_SIZE(leads); i++) {
			uint64_t t = leads[i] * ten;
			if (t > last)
				return count;
			if (is_vague(c, t))
				continue;
			if (count == STEPS)
				memmove(steps, steps + 1, --count * sizeof(*steps));
			steps[count++] = t;
		}
	return count;
}

static void put_bar(struct buf *out, double share, const struct look *look)
{
	static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	int eighths = isnan(share) ? 0 : (int)lround(share * BAR * 8);
	if (!look->utf8)
		eighths = (eighths + 4) / 8 * 8;
	for (int i = 0; i < eighths / 8; i++)
		buf_put_str(out, text_mark(look, "█", "#"));
	buf_put_str(out, parts[eighths % 8]);
	text_blanks(out, (size_t)(BAR - eighths / 8 - (eighths % 8 != 0)));
}

static void put_step(struct buf *out, const struct view *v, const struct row *r, uint64_t t)
{
	char name[UNITS_MAX];
	struct curve_point p = column_outlives(v, r, t);
	if (v->clock == CLOCK_NS)
		units_time((double)t, name);
	else if (v->clock == CLOCK_BYTES)
		units_bytes((double)t, name);
	else
		units_count(t, name);
	text_pad(out, slice_str(name), NAME, true);
	buf_put_str(out, "  ");
	put_bar(out, p.p, &v->look);
	buf_put_str(out, " ");
	put_percent(out, &v->look, p.p, fmax(p.hi - p.p, p.p - p.lo));
}

/* The lines of one clock, ended by newlines. */
static void put_clock(struct buf *out, const struct view *v, const struct row *r)
{
	const struct curve *c = curve_of(r, v->clock);
	uint64_t steps[STEPS];
	size_t count = 0;
	if (c->points.count && column_doubt(v, r) == DOUBT_NONE)
		count = view_counts(v) ? gc_steps(c, steps) : flow_steps(c, steps);
	buf_put_str(out, "  ");
	text_tone(
		out, &v->look, TONE_DIM, count ? clocks[v->clock].title : clocks[v->clock].unknown);
	buf_put_u8(out, '\n');
	for (size_t i = 0; i < count; i++) {
		put_step(out, v, r, steps[i]);
		buf_put_u8(out, '\n');
	}
}

/* The next line of a text, which moves on behind it. */
static struct slice take_line(const char **text)
{
	size_t len = strcspn(*text, "\n");
	struct slice line = slice(*text, len);
	*text += len + ((*text)[len] == '\n');
	return line;
}

/* Two texts side by side. */
static void put_beside(struct buf *out, const char *left, const char *right)
{
	while (*left || *right) {
		text_pad(out, take_line(&left), *right ? SIDE : 0, false);
		struct slice line = take_line(&right);
		buf_put(out, line.at, line.len);
		buf_put_u8(out, '\n');
	}
}

static void put_pair(struct buf *out, const struct view *v, const struct row *r, enum clock left,
	enum clock right)
{
	struct buf sides[2] = {{0}, {0}};
	const enum clock which[2] = {left, right};
	for (int i = 0; i < 2; i++) {
		struct view on = *v;
		on.clock = which[i];
		put_clock(&sides[i], &on, r);
		out->failed = out->failed ? out->failed : sides[i].failed;
	}
	put_beside(out, buf_text(&sides[0]), buf_text(&sides[1]));
	for (int i = 0; i < 2; i++)
		buf_release(&sides[i]);
}

/* A row that shares all but its curves, which are of every clock. */
static int solve(struct row *out, const struct row *r, const struct model *m)
{
	*out = (struct row){.by = r->by,
		.label = r->label,
		.class = r->class,
		.context = r->context,
		.caller = r->caller,
		.caller_share = r->caller_share,
		.tally = r->tally};
	return row_solve(out, m, CLOCKS_ALL);
}

static void forget(struct row *solved)
{
	for (int c = 0; c < CLOCKS; c++)
		curve_release(&solved->curves[c]);
	for (int c = 0; c < CLOCKS_GC; c++)
		curve_release(&solved->by_bytes[c]);
}

static int put_lives(struct buf *out, const struct view *v, const struct row *row)
{
	struct row solved;
	int err = solve(&solved, row, v->model);
	buf_put_str(out, "\n  OUTLIVES  ");
	text_tone(out, &v->look, TONE_DIM,
		"the share of its bytes, by GCs; of its objects, by bytes and time");
	buf_put_u8(out, '\n');
	if (!err) {
		put_pair(out, v, &solved, CLOCK_YOUNG, CLOCK_FULL);
		put_pair(out, v, &solved, CLOCK_BYTES, CLOCK_NS);
	}
	forget(&solved);
	return err;
}

/* -- Call paths -- */

/* What is of this row: a filter that lets its accounts through, or more of them where its names are
 * too long for one. */
static struct where where_of(const struct state *st, const struct view *v, const struct row *r)
{
	struct where w = state_query(st).where;
	struct buf term = {0};
	buf_printf(&term, "%s=%s", by_row(r->by)->word, r->label);
	where_add(&w, buf_text(&term), NULL);
	if (r->by == BY_SITE) {
		struct slice class = defs_class_name(&v->model->defs, r->class);
		buf_clear(&term);
		buf_printf(&term, "class=%.*s", (int)class.len, (const char *)class.at);
		where_add(&w, buf_text(&term), NULL);
	}
	buf_release(&term);
	return w;
}

static uint32_t child_of(const struct tree *t, const struct model *m, uint32_t at, uint32_t frame)
{
	for (uint32_t c = t->nodes.at[at].child; c; c = t->nodes.at[c].next)
		if (m->defs.frames.at[t->nodes.at[c].def].location ==
			m->defs.frames.at[frame].location)
			return c;
	return 0;
}

/* The node of the row's own frames, below its class, where it has some; else the root. */
static uint32_t node_of(const struct tree *t, const struct model *m, const struct row *r)
{
	uint32_t at = r->by == BY_SITE ? t->nodes.at[0].child : 0, frame;
	for (uint32_t i = 0; r->by == BY_SITE && at && (frame = row_frame(r, m, i)); i++) {
		uint32_t next = child_of(t, m, at, frame);
		if (!next)
			break;
		at = next;
	}
	return at;
}

/* The metric of stacks that is nearest to what rows are sorted by. */
static enum metric metric_for(enum sort sort)
{
	static const enum metric metrics[SORT_COUNT] = {[SORT_ALLOC] = METRIC_ALLOC,
		[SORT_SURVIVED] = METRIC_SURVIVED,
		[SORT_DIED] = METRIC_DIED0,
		[SORT_ALIVE] = METRIC_LIVE};
	return metrics[sort];
}

static int put_paths(struct buf *out, const struct sight *s, const struct state *st,
	const struct view *v, const struct row *r)
{
	struct where w = where_of(st, v, r);
	struct tree tree;
	enum metric metric = metric_for(st->sort);
	int err = tree_build(&tree, s->model, s->ledger, &w, true, metric);
	if (err)
		return err;
	buf_put_str(out, "\n  COMES BY  ");
	text_tone(out, &v->look, TONE_DIM, "callers, by ");
	text_tone(out, &v->look, TONE_DIM, metric_help(metric));
	buf_put_str(out, "\n  SHARE     BYTES      DIES IN  PATH\n                     GC 0\n");
	err = paths_put_below(out, v, &tree, node_of(&tree, s->model, r), metric, PATH_LEAST);
	tree_release(&tree);
	return err;
}

/* -- All of it -- */

void detail_title(
	struct buf *out, const struct model *m, const struct row *r, const struct look *look)
{
	struct look wide = *look;
	wide.width = 0; /* there is room for packages here */
	if (r->by != BY_SITE) {
		text_clean(out, slice_str(r->label));
		return;
	}
	short_simple(out, defs_class_name(&m->defs, r->class));
	buf_put_str(out, " of ");
	short_place(out, m, r, &wide);
}

static void put_title(struct buf *out, const struct view *v, const struct row *r)
{
	struct buf line = {0};
	detail_title(&line, v->model, r, &v->look);
	text_tone(out, &v->look, TONE_BOLD, buf_text(&line));
	buf_put_u8(out, '\n');
	buf_release(&line);
}

/* What the last column of the table says, which narrow screens have no room for. */
static void put_shape(struct buf *out, const struct view *v, const struct row *r)
{
	struct buf why = {0};
	column_at(PLACE_WHY)->put(&why, v, r);
	if (why.len) {
		buf_put_str(out, "  ");
		buf_put(out, why.at, why.len);
		buf_put_u8(out, '\n');
	}
	buf_release(&why);
}

int detail_put(struct buf *out, const struct listing *l, const struct sight *s,
	const struct state *st, const struct row *row, int width)
{
	struct view v = listing_view(l, s, st);
	v.look.width = width;
	put_title(out, &v, row);
	put_shape(out, &v, row);
	buf_put_u8(out, '\n');
	int err = listing_put(out, &v, &row, 1, COLUMNS_LIVES, false);
	err = err ? err : listing_put(out, &v, &row, 1, COLUMNS_BYTES, false);
	err = err ? err : put_lives(out, &v, row);
	err = err ? err : put_paths(out, s, st, &v, row);
	return err ? err : out->failed;
}
