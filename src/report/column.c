#include "report/column.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "report/bars.h"
#include "report/short.h"
#include "stat/lifetime.h"

#define PRETENURE_SHARE 0.005 /* of all bytes: below it is not worth a hint */
#define LARGE_TOLD      0.05  /* of a row: above it shares of the rest need a word */

static const struct curve *curve_of(const struct view *v, const struct row *r)
{
	return view_counts(v) ? &r->by_bytes[v->clock] : &r->curves[v->clock];
}

static const struct evidence *evidence_of(const struct view *v, const struct row *r)
{
	return &r->evidence[view_counts(v) ? MEASURE_BYTES : MEASURE_OBJECTS];
}

struct curve_point column_outlives(const struct view *v, const struct row *r, uint64_t t)
{
	struct curve_point p = curve_at(curve_of(v, r), t);
	if (isnan(p.p) || evidence_of(v, r)->too_few)
		p.p = p.lo = p.hi = (double)NAN;
	return p;
}

static double half_of(const struct curve_point *p)
{
	return fmax(p->hi - p->p, p->p - p->lo);
}

void put_percent(struct buf *out, const struct look *look, double share, double half)
{
	double percent = 100 * share, spread = ceil(1000 * half - 1e-6) / 10;
	if (isnan(share)) {
		buf_put_str(out, "?");
		return;
	}
	bool wide = spread >= 1;
	if (percent <= 0 && spread > 0)
		buf_put_str(out, "0");
	else if (percent <= 0)
		buf_put_str(out, text_mark(look, "–", "-"));
	else if (percent < 0.05 && !wide)
		buf_put_str(out, "<0.1");
	else
		buf_printf(out, "%.*f", wide || percent >= 99.95 ? 0 : 1, percent);
	if (spread > 0) {
		char text[32];
		snprintf(text, sizeof(text), " %s%.*f", text_mark(look, "±", "+-"), !wide,
			wide ? ceil(100 * half) : spread);
		text_tone(out, look, TONE_DIM, text);
	}
	if (percent > 0 || spread > 0)
		buf_put_str(out, " %");
}

/* Shares and rates */

static double number_share(const struct view *v, const struct row *r)
{
	double all = v->lifetimes->alloc.bytes.sum;
	return all > 0 ? r->tally.alloc.bytes.sum / all : (double)NAN;
}

static void put_share(struct buf *out, const struct view *v, const struct row *r)
{
	put_percent(out, &v->look, number_share(v, r), 0);
}

static double number_rate(const struct view *v, const struct row *r)
{
	double seconds = view_seconds_told(v);
	return seconds > 0 ? r->tally.alloc.bytes.sum / 1e6 / seconds : (double)NAN;
}

static void put_rate(struct buf *out, const struct view *v, const struct row *r)
{
	double rate = number_rate(v, r);
	if (isnan(rate))
		buf_put_str(out, "?");
	else
		buf_printf(out, "%.*f", rate < 9.95 ? 2 : rate < 99.5 ? 1 : 0, rate);
}

/* Survival in collections */

static double number_dies(const struct view *v, const struct row *r)
{
	return 1 - column_outlives(v, r, 1).p;
}

static double number_dies_lo(const struct view *v, const struct row *r)
{
	return 1 - column_outlives(v, r, 1).hi;
}

static double number_dies_hi(const struct view *v, const struct row *r)
{
	return 1 - column_outlives(v, r, 1).lo;
}

static void put_dies(struct buf *out, const struct view *v, const struct row *r)
{
	struct curve_point p = column_outlives(v, r, 1);
	put_percent(out, &v->look, 1 - p.p, half_of(&p));
}

static double number_one(const struct view *v, const struct row *r)
{
	return column_outlives(v, r, 1).p;
}

/* The interval is that of the column before. */
static void put_one(struct buf *out, const struct view *v, const struct row *r)
{
	struct curve_point p = column_outlives(v, r, 1);
	double half = half_of(&p);
	if (half >= 0.01 && p.p > 0)
		buf_printf(out, "%.0f %%", 100 * p.p);
	else
		put_percent(out, &v->look, p.p, 0);
}

static double number_many(const struct view *v, const struct row *r)
{
	return column_outlives(v, r, BARS - 1).p;
}

static double number_many_lo(const struct view *v, const struct row *r)
{
	return column_outlives(v, r, BARS - 1).lo;
}

static double number_many_hi(const struct view *v, const struct row *r)
{
	return column_outlives(v, r, BARS - 1).hi;
}

/* Where nothing outlives the first, the interval is that of DIES IN. */
static void put_many(struct buf *out, const struct view *v, const struct row *r)
{
	struct curve_point one = column_outlives(v, r, 1), p = column_outlives(v, r, BARS - 1);
	put_percent(out, &v->look, p.p, one.p > 0 ? half_of(&p) : 0);
}

static void put_bars(struct buf *out, const struct view *v, const struct row *r)
{
	if (evidence_of(v, r)->too_few)
		text_blanks(out, BARS);
	else
		bars_put(out, curve_of(v, r), &v->look);
}

/* Lifetimes on a clock that flows */

static struct lifetime quantile(const struct view *v, const struct row *r, double q)
{
	const struct curve *c = curve_of(v, r);
	if (evidence_of(v, r)->too_few || !c->points.count)
		return (struct lifetime){(double)NAN, (double)NAN, (double)NAN};
	return lifetime_quantile(c, q);
}

/* One number where it is well known; else the bound that is: a collection can only say "by now". */
static void put_quantile(struct buf *out, const struct view *v, const struct row *r, double q)
{
	char text[UNITS_MAX];
	struct lifetime l = quantile(v, r, q);
	double bound = isnan(l.hi) ? l.lo : l.hi;
	const char *sign = isnan(l.hi) ? ">" : "<";
	if (l.lo >= l.hi / 2) {
		bound = l.value;
		sign = "";
	}
	if (isnan(bound) || (isnan(l.hi) && bound <= 0)) {
		buf_put_str(out, "?");
		return;
	}
	buf_put_str(out, sign);
	buf_put_str(out, v->clock == CLOCK_NS ? units_time(bound, text) : units_bytes(bound, text));
}

#define MILLIONTH 1e-6 /* ns to ms, bytes to MB */
#define QUANTILE(name, q)                                                                          \
	static double number_##name(const struct view *v, const struct row *r)                     \
	{                                                                                          \
		return quantile(v, r, q).value * MILLIONTH;                                        \
	}                                                                                          \
	static double number_##name##_lo(const struct view *v, const struct row *r)                \
	{                                                                                          \
		return quantile(v, r, q).lo * MILLIONTH;                                           \
	}                                                                                          \
	static double number_##name##_hi(const struct view *v, const struct row *r)                \
	{                                                                                          \
		return quantile(v, r, q).hi * MILLIONTH;                                           \
	}                                                                                          \
	static void put_##name(struct buf *out, const struct view *v, const struct row *r)         \
	{                                                                                          \
		put_quantile(out, v, r, q);                                                        \
	}
QUANTILE(p50, 0.5)
QUANTILE(p90, 0.9)
QUANTILE(p99, 0.99)

/* Totals */

#define TOTAL(name, expression)                                                                    \
	static double number_##name(const struct view *v, const struct row *r)                     \
	{                                                                                          \
		(void)v;                                                                           \
		return (expression);                                                               \
	}
TOTAL(bytes, r->tally.alloc.bytes.sum)
TOTAL(bytes_lo, total_bytes(&r->tally.alloc).lo)
TOTAL(bytes_hi, total_bytes(&r->tally.alloc).hi)
TOTAL(objects, r->tally.alloc.objects.sum)
TOTAL(samples, (double)r->tally.alloc.n)
TOTAL(died, r->tally.died.bytes.sum)
TOTAL(alive, r->tally.alive.bytes.sum)

/* Names */

static void text_class(struct buf *out, const struct view *v, const struct row *r)
{
	if (r->class)
		text_clean(out, defs_class_name(&v->model->defs, r->class));
}

static void put_class(struct buf *out, const struct view *v, const struct row *r)
{
	if (r->by == BY_CLASS)
		short_class(out, slice_str(r->label));
	else if (r->by == BY_SITE)
		short_simple(out, defs_class_name(&v->model->defs, r->class));
}

static void text_place(struct buf *out, const struct view *v, const struct row *r)
{
	uint32_t frame;
	buf_put_str(out, r->context.frames ? "" : r->label);
	for (uint32_t i = 0; (frame = row_frame(r, v->model, i)); i++) {
		struct buf name = {0};
		if (r->by == BY_METHOD)
			buf_put_str(&name, r->label);
		else
			label_frame(&name, v->model, frame);
		buf_put_str(out, i ? " <- " : "");
		text_clean(out, buf_slice(&name));
		buf_release(&name);
	}
	if (r->context.callers)
		buf_printf(out, " <- %u callers", r->context.callers);
}

static void put_place(struct buf *out, const struct view *v, const struct row *r)
{
	if (r->by == BY_SITE || r->by == BY_METHOD)
		short_place(out, v->model, r, &v->look);
	else if (r->by != BY_CLASS)
		text_clean(out, slice_str(r->label));
}

static void text_why(struct buf *out, const struct view *v, const struct row *r)
{
	(void)v;
	buf_put_str(out, shape_text(r->shape));
}

static bool is_large(const struct view *v, const struct row *r)
{
	return row_too_large(r, v->model).bytes > r->tally.alloc.bytes.sum / 2;
}

enum doubt column_doubt(const struct view *v, const struct row *r)
{
	const struct evidence *e = evidence_of(v, r);
	if (!e->too_few)
		return DOUBT_NONE;
	if (is_large(v, r))
		return DOUBT_LARGE;
	if ((double)e->followed < ROW_SAMPLES_MIN)
		return DOUBT_FEW;
	return (double)e->seen < ROW_SAMPLES_MIN ? DOUBT_UNSEEN : DOUBT_UNEVEN;
}

static void put_doubt(struct buf *out, const struct view *v, const struct row *r, enum doubt doubt)
{
	const struct evidence *e = evidence_of(v, r);
	bool old = v->model->facts.deaths == DEATHS_OLD;
	char count[UNITS_MAX] = "none";
	if (doubt == DOUBT_LARGE) {
		buf_put_str(out, "too large to be followed");
		return;
	}
	text_count(out, e->followed, e->counted ? "object" : "sample",
		e->counted ? "objects" : "samples");
	if (doubt == DOUBT_FEW)
		buf_put_str(out, ", too few to say");
	if (doubt == DOUBT_UNEVEN)
		buf_put_str(out, ", but a few outweigh the rest");
	if (doubt != DOUBT_UNSEEN)
		return;
	if (e->seen)
		units_count(e->seen, count);
	buf_printf(out, ", %s of them seen by %s GC", count, old ? "an old" : "a");
}

static void put_shape(struct buf *out, const struct view *v, const struct row *r)
{
	if (r->shape == SHAPE_LONG_LIVED && number_share(v, r) >= PRETENURE_SHARE)
		buf_put_str(out, "pretenure");
	else if (r->shape != SHAPE_CHURN && r->shape != SHAPE_UNKNOWN)
		buf_put_str(out, shape_text(r->shape));
}

/* Of the row, as this view counts it, what its shares say nothing of. */
static double large_share(const struct view *v, const struct row *r)
{
	const struct amount large = row_too_large(r, v->model);
	const struct total *all = &r->tally.alloc;
	return view_counts(v) ? large.bytes / all->bytes.sum : large.objects / all->objects.sum;
}

static void put_rest(struct buf *out, const struct view *v, const struct row *r)
{
	size_t begin = out->len;
	double large = large_share(v, r);
	put_shape(out, v, r);
	if (!(large > LARGE_TOLD))
		return;
	buf_put_str(out, out->len > begin ? "; " : "");
	put_percent(out, &v->look, large, 0);
	buf_put_str(out, " too large to be followed");
}

/* Empty where there is nothing to look at. */
static void put_why(struct buf *out, const struct view *v, const struct row *r)
{
	enum doubt doubt = column_doubt(v, r);
	if (doubt != DOUBT_NONE)
		put_doubt(out, v, r, doubt);
	else
		put_rest(out, v, r);
}

static const struct column columns[] = {
#define COLUMN(name, csv, head1, head2, right, room, when, put, number, text)                      \
	{csv, {head1, head2}, right, ROOM_##room, WHEN_##when, put, number, text},
#include "report/column.def"
#undef COLUMN
};

const struct column *column_at(size_t i)
{
	return i < ARRAY_SIZE(columns) ? &columns[i] : NULL;
}

bool column_in(const struct column *c, const struct view *v)
{
	return (c->when & (view_counts(v) ? WHEN_GC : WHEN_FLOW)) != 0;
}

static const char *place_head(enum by by)
{
	static const char *const heads[BY_COUNT] = {[BY_SITE] = "SITE",
		[BY_CLASS] = "CLASS",
		[BY_METHOD] = "METHOD",
		[BY_PACKAGE] = "PACKAGE",
		[BY_THREAD] = "THREAD"};
	return heads[by];
}

const char *column_made_at(enum by by)
{
	return by == BY_SITE || by == BY_CLASS ? "MADE AT" : place_head(by);
}

const char *column_head(const struct column *c, const struct view *v, int line)
{
	enum by by = v->lifetimes->by;
	bool class_leads = by == BY_SITE || by == BY_CLASS;
	if (line == 0 && c->put == (class_leads ? put_class : put_place))
		return place_head(by);
	if (line == 1 && c->put == put_bars)
		return bars_head(&v->look);
	if (line == 1 && v->clock == CLOCK_FULL && c->put == put_many)
		return "15 old";
	if (line == 1 && v->clock == CLOCK_FULL && c->put == put_one)
		return "1 old GC";
	if (line == 1 && v->clock == CLOCK_FULL && c->put == put_dies)
		return "old GC 0";
	return c->head[line];
}
