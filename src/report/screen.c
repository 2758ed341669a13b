#include "report/screen.h"

#include <math.h>

#include "base/units.h"
#include "report/bars.h"
#include "report/column.h"
#include "report/exact_view.h"
#include "report/table.h"

static const char *dot(const struct view *v)
{
	return text_mark(&v->look, " · ", ", ");
}

static void put_fact(struct buf *out, const struct view *v, const char *key, const char *before)
{
	struct slice value = facts_get(&v->model->facts, &v->model->defs.texts, key);
	if (!value.len)
		return;
	buf_put_str(out, before);
	text_clean(out, value);
}

/* heap.max is bytes; powers of 1024 as -Xmx has them. */
static void put_heap(struct buf *out, const struct view *v)
{
	struct slice text = facts_get(&v->model->facts, &v->model->defs.texts, "heap.max");
	char number[24] = "";
	uint64_t bytes;
	if (!text.len || text.len >= sizeof(number))
		return;
	memcpy(number, text.at, text.len);
	if (units_parse_bytes(number, &bytes) || bytes < 1 << 20)
		return;
	bool giga = bytes % (1 << 30) == 0;
	buf_printf(out, " %llu %s", (unsigned long long)(bytes >> (giga ? 30 : 20)),
		giga ? "GB" : "MB");
}

void screen_gcs(struct buf *out, const struct model *m)
{
	const uint64_t *n = m->gcs.count;
	uint64_t stopped = n[GC_KIND_YOUNG] + n[GC_KIND_MIXED] + n[GC_KIND_FULL];
	char a[UNITS_MAX];
	if (m->gcs.untold) {
		buf_printf(out, "%s pauses of collections of unknown kind",
			units_count(stopped + n[GC_KIND_CONCURRENT], a));
		return;
	}
	if (stopped || !n[GC_KIND_CONCURRENT]) {
		buf_printf(out, "%s young", units_count(n[GC_KIND_YOUNG], a));
		if (n[GC_KIND_MIXED])
			buf_printf(out, ", %s mixed", units_count(n[GC_KIND_MIXED], a));
		buf_printf(out, ", %s full GC%s", units_count(n[GC_KIND_FULL], a),
			n[GC_KIND_FULL] == 1 ? "" : "s");
	}
	if (n[GC_KIND_CONCURRENT])
		buf_printf(out, "%s%s concurrent cycle%s", stopped ? ", " : "",
			units_count(n[GC_KIND_CONCURRENT], a),
			n[GC_KIND_CONCURRENT] == 1 ? "" : "s");
}

#define KNOWN_MOST 0.9 /* of it: then it stands for all */

/* "the known 36 % of " */
static void put_known(struct buf *out, const struct view *v)
{
	if (v->lifetimes->known >= KNOWN_MOST)
		return;
	buf_put_str(out, "the known ");
	put_percent(out, &v->look, v->lifetimes->known, 0);
	buf_put_str(out, " of ");
}

static void put_outlived(struct buf *out, const struct view *v)
{
	const struct curve *c = &v->lifetimes->outlived;
	struct curve_point p = curve_at(c, 1);
	if (!c->points.count || isnan(p.p)) {
		buf_put_str(
			out, v->model->facts.deaths == DEATHS_COLLECTION && !model_young(v->model)
				     ? "0 GCs observed: ages unknown"
				     : "how much of it outlived a GC is not known");
		return;
	}
	put_percent(out, &v->look, p.p, fmax(p.hi - p.p, p.p - p.lo));
	buf_put_str(out, p.p > 0 || p.hi - p.lo >= 0.0005 ? " of " : " nothing of ");
	put_known(out, v);
	buf_printf(out, "it outlived one %sGC", v->model->facts.deaths == DEATHS_OLD ? "old " : "");
}

void screen_line(struct buf *out, const struct look *look, struct buf *line)
{
	const char *text = buf_text(line);
	if (look->width && text_width(buf_slice(line)) > (size_t)look->width) {
		text_wrap(out, look, text, 0, 2);
	} else {
		buf_put_str(out, text);
		buf_put_u8(out, '\n');
	}
	out->failed = line->failed ? line->failed : out->failed;
	buf_release(line);
	*line = (struct buf){0};
}

void screen_title(struct buf *out, const struct view *v)
{
	struct buf line = {0};
	char a[UNITS_MAX];
	double seconds = view_seconds(v);
	text_tone(&line, &v->look, TONE_BOLD, v->file);
	buf_printf(&line, "   %s", units_time(seconds * 1e9, a));
	put_fact(&line, v, "jdk.version", v->look.utf8 ? " · JDK " : ", JDK ");
	put_fact(&line, v, "gc", dot(v));
	put_heap(&line, v);
	buf_put_str(&line, dot(v));
	screen_gcs(&line, v->model);
	screen_line(out, &v->look, &line);
}

static void put_engine(struct buf *out, const struct view *v)
{
	double objects = v->lifetimes->alloc.objects.sum;
	buf_printf(out, "exact engine%s", dot(v));
	text_count(out, (uint64_t)llround(objects), "object", "objects");
	buf_put_str(out, ", ");
}

void screen_engine(struct buf *out, const struct view *v, const char *what)
{
	struct buf line = {0};
	if (!v->model->exact.births.objects)
		return;
	buf_printf(&line, "exact engine%s", what);
	text_wrap(out, &v->look, buf_text(&line), 0, 2);
	buf_release(&line);
}

static void put_audit(struct buf *out, const struct view *v)
{
	struct buf line = {0};
	exact_put_audit(&line, v->model);
	if (line.len)
		screen_line(out, &v->look, &line);
}

void screen_head(struct buf *out, const struct view *v)
{
	struct buf line = {0};
	char a[UNITS_MAX];
	const struct model *m = v->model;
	double seconds = view_seconds_told(v), bytes = v->lifetimes->alloc.bytes.sum;
	screen_title(out, v);
	if (m->exact.births.objects)
		put_engine(&line, v);
	buf_printf(&line, "%s allocated", units_bytes(bytes, a));
	if (seconds > 0)
		buf_printf(&line, " (%s/s)", units_bytes(bytes / seconds, a));
	buf_put_str(&line, dot(v));
	text_count(&line, view_samples(m), "sample", "samples");
	buf_printf(&line, "%s%s lost%s", dot(v), units_count(view_lost(m), a), dot(v));
	put_outlived(&line, v);
	screen_line(out, &v->look, &line);
	put_audit(out, v);
}

enum { PLACE_LEAST = 20, WHY_LEAST = 11 }; /* columns of a narrow screen */

static void add_column(struct table *t, const struct view *v, const struct column *c)
{
	bool place = c->csv && strcmp(c->csv, "site") == 0;
	table_column(t, column_head(c, v, 0), column_head(c, v, 1), c->right, false);
	if (c->room == ROOM_GIVES)
		table_gives(t, place ? PLACE_LEAST : TABLE_NAME_LEAST);
	else if (c->room != ROOM_KEPT)
		table_spares(t, (int)c->room);
	if (c->room == ROOM_LAST)
		table_gives(t, WHY_LEAST);
}

static int put_row(struct table *t, const struct view *v, const struct row *r)
{
	const struct column *c;
	int err = ERR_NONE;
	for (size_t i = 0; (c = column_at(i)) && !err; i++) {
		if (!c->put || !column_in(c, v))
			continue;
		c->put(table_cell(t), v, r);
		err = table_next(t);
	}
	return err;
}

/* The bits of `out_of` are the rooms (enum column_room) whose column had none. */
static int put_rows(struct buf *out, const struct view *v, unsigned *out_of)
{
	struct table t = {0};
	const struct column *c;
	int err = ERR_NONE;
	for (size_t i = 0; (c = column_at(i)); i++)
		if (c->put && column_in(c, v))
			add_column(&t, v, c);
	for (size_t r = 0; r < v->lifetimes->rows.count && !err; r++)
		err = put_row(&t, v, &v->lifetimes->rows.at[r]);
	if (!err)
		err = table_put(&t, out, &v->look);
	for (size_t i = 0; i < t.count; i++)
		if (t.columns[i].left_out)
			*out_of |= 1u << t.columns[i].spare;
	table_release(&t);
	return err;
}

void screen_hidden(struct buf *out, const struct view *v, const char *limited_by)
{
	const struct lifetimes *l = v->lifetimes;
	char count[UNITS_MAX];
	if (!l->hidden)
		return;
	/* Rounded up, so that "under" is true. */
	double percent = ceil(1000 * l->hidden_largest + 1e-9) / 10;
	buf_printf(out, "  %s more %s, ", units_count(l->hidden, count),
		l->hidden == 1 ? by_row(l->by)->word : by_row(l->by)->plural);
	if (l->limited)
		buf_put_str(out, "together ");
	else
		buf_printf(out, "%sunder %.1f %%, together ", l->hidden == 1 ? "" : "each ",
			percent > 0.1 ? percent : 0.1);
	put_percent(out, &v->look, l->hidden_share, 0);
	buf_printf(out, " (%s to show)\n", l->limited ? limited_by : "--min");
}

void screen_nothing(struct buf *out, bool hidden, const char *why)
{
	buf_put_str(out, hidden ? "  Nothing reaches --min.\n" : why);
}

void screen_sentence(struct buf *out, const struct view *v, const char *text)
{
	struct buf clean = {0};
	text_clean(&clean, slice_str(text));
	text_blanks(out, 2);
	text_wrap(out, &v->look, buf_text(&clean), 2, 4);
	buf_release(&clean);
}

static bool any_doubt(const struct view *v, enum doubt doubt)
{
	for (size_t i = 0; i < v->lifetimes->rows.count; i++)
		if (column_doubt(v, &v->lifetimes->rows.at[i]) == doubt)
			return true;
	return false;
}

static bool any_pretenure(const struct view *v)
{
	for (size_t i = 0; i < v->lifetimes->rows.count; i++)
		if (v->lifetimes->rows.at[i].shape == SHAPE_LONG_LIVED)
			return true;
	return false;
}

/* Counted in headers, and lost from sight before the last age that is shown. */
static bool any_out_of_sight(const struct view *v)
{
	struct slice how = facts_get(&v->model->facts, &v->model->defs.texts, "exact");
	if (!slice_equal(how, slice_str("header")))
		return false;
	for (size_t i = 0; i < v->lifetimes->rows.count; i++) {
		const struct row *r = &v->lifetimes->rows.at[i];
		if (r->tally.counted.partial && counted_whole(&r->tally.counted) &&
			isnan(column_outlives(v, r, BARS - 1).p))
			return true;
	}
	return false;
}

static void put_flow_legend(struct buf *out, const struct view *v)
{
	screen_sentence(out, v,
		v->clock == CLOCK_BYTES
			? "DEAD BY: how much more the program had allocated when half, 90 %, 99 % "
			  "of its objects were dead."
			: "DEAD BY: how long after their birth half, 90 %, 99 % of its objects "
			  "were dead.");
	screen_sentence(out, v,
		"< and >: at most, at least; deaths are only seen at collections. ?: not known.");
}

static bool has_room(unsigned out_of, enum column_room room)
{
	return !(out_of & 1u << room);
}

static void put_survives(struct buf *out, const struct view *v, unsigned out_of)
{
	/* Only what young collections did is counted. */
	bool counted = v->model->exact.births.objects && v->clock == CLOCK_YOUNG;
	bool one = has_room(out_of, ROOM_SECOND);
	if (one)
		buf_printf(out, " SURVIVES: that outlived %s.",
			has_room(out_of, ROOM_FIRST) ? "1, or 15" : "it");
	buf_printf(out, " %s is 95 %% sure", text_mark(&v->look, "±", "+-"));
	if (counted && one)
		buf_put_str(out, ", and SURVIVES 1 GC as sure as DIES IN");
	buf_put_str(out, counted ? "; what has none was counted." : ".");
}

static void put_gc_legend(struct buf *out, const struct view *v, unsigned out_of)
{
	struct buf dies = {0}, shape = {0};
	buf_printf(&dies,
		"DIES IN GC 0: the share of its bytes that the first %s after their birth found "
		"dead.",
		v->clock == CLOCK_FULL ? "collection of the old generation" : "GC");
	put_survives(&dies, v, out_of);
	buf_printf(&shape,
		"SHAPE: at which age, in GCs survived, its bytes die; 15+: at 15 or later. %s?: "
		"not known.",
		text_mark(&v->look, "· and ", ""));
	screen_sentence(out, v, buf_text(&dies));
	screen_sentence(out, v, buf_text(&shape));
	if (v->clock == CLOCK_YOUNG && any_out_of_sight(v))
		screen_sentence(out, v,
			"Of what left the young generation only samples tell here: a recording "
			"with --exact=survivors follows each object.");
	buf_release(&dies);
	buf_release(&shape);
}

/* "No room for SURVIVES 15 GCs, RATE (a wider screen or --width 0 has them)." */
static void put_left_out(struct buf *out, const struct view *v, unsigned out_of)
{
	static const struct {
		enum column_room room;
		const char *what;
	} told[] = {{ROOM_SECOND, "SURVIVES"}, {ROOM_FIRST, "SURVIVES 15 GCs"},
		{ROOM_THIRD, "RATE"}, {ROOM_LAST, "what stands out"}};
	struct buf line = {0};
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		if (!has_room(out_of, told[i].room) &&
			(told[i].room != ROOM_FIRST || has_room(out_of, ROOM_SECOND)))
			buf_printf(&line, "%s%s", line.len ? ", " : "No room for ", told[i].what);
	if (line.len) {
		buf_put_str(&line, ": a wider screen shows it, or --width 0.");
		screen_sentence(out, v, buf_text(&line));
	}
	buf_release(&line);
}

static void put_legend(struct buf *out, const struct view *v, unsigned out_of)
{
	if (!v->lifetimes->rows.count)
		return;
	if (view_counts(v))
		put_gc_legend(out, v, out_of);
	else
		put_flow_legend(out, v);
	bool why = has_room(out_of, ROOM_LAST);
	if (why && any_doubt(v, DOUBT_UNSEEN))
		screen_sentence(out, v,
			"seen by a GC: allocated before one came; only of these it is known "
			"whether "
			"they live on.");
	if (why && any_doubt(v, DOUBT_UNEVEN))
		screen_sentence(out, v,
			view_counts(v)
				? "a few outweigh the rest: most of its bytes are in a few large "
				  "objects."
				: "a few outweigh the rest: most of its objects are small, and few "
				  "of these were sampled. --clock young tells of its bytes.");
	if (why && view_counts(v) && any_pretenure(v))
		screen_sentence(out, v,
			"pretenure: most of it is copied until it is old; it could be allocated "
			"there at once.");
	put_left_out(out, v, out_of);
}

void screen_legend(struct buf *out, const struct view *v)
{
	put_legend(out, v, 0);
}

void screen_notes(struct buf *out, const struct view *v)
{
	for (size_t i = 0; i < v->notes->list.count; i++) {
		struct buf line = {0};
		buf_printf(&line, "note: %s", v->notes->list.at[i]);
		screen_sentence(out, v, buf_text(&line));
		buf_release(&line);
	}
}

int screen_put(struct buf *out, const struct view *v)
{
	screen_head(out, v);
	buf_put_u8(out, '\n');
	int err = ERR_NONE;
	unsigned out_of = 0;
	if (v->lifetimes->rows.count)
		err = put_rows(out, v, &out_of);
	else
		screen_nothing(out, v->lifetimes->hidden,
			v->lifetimes->alloc.bytes.sum > 0 ? "  Nothing passes the filter.\n"
							  : "  No allocation was sampled.\n");
	screen_hidden(out, v, "--limit");
	if (v->lifetimes->rows.count || v->notes->list.count)
		buf_put_u8(out, '\n');
	put_legend(out, v, out_of);
	screen_notes(out, v);
	return err ? err : out->failed;
}
