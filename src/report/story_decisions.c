/* What tenure decided: places that jump, moves of the threshold, and what was taken back. */
#include "base/error.h"
#include "base/units.h"
#include "report/short.h"
#include "report/story_parts.h"
#include "report/table.h"

enum { CALLERS_SHOWN = 3 };

/* "Order.flush:88 ← Server.loop:120" */
static void put_stack(struct buf *out, const struct story_view *v, uint32_t site)
{
	const struct model *m = v->view.model;
	const char *arrow = text_mark(&v->view.look, " ← ", " <- ");
	uint32_t frame = m->defs.sites.at[site].frame;
	short_frame(out, m, frame, true);
	for (int i = 0; frame && i < CALLERS_SHOWN; i++) {
		frame = m->defs.frames.at[frame].parent;
		if (!frame)
			return;
		buf_put_str(out, arrow);
		short_frame(out, m, frame, true);
	}
}

static int put_place(struct table *t, const struct story_view *v, const struct story_place *p)
{
	const struct model *m = v->view.model;
	char a[UNITS_MAX];
	struct buf *cell = table_cell(t);
	/* Of what a decisions' file says nothing is foretold. */
	if (p->gain)
		buf_printf(cell, "%s/s", units_bytes((double)p->gain, a));
	else
		buf_put_str(cell, text_mark(&v->view.look, "–", "-"));
	int err = table_next(t);
	buf_put_str(cell, units_time((double)p->time, a));
	err = err ? err : table_next(t);
	short_simple(cell, defs_class_name(&m->defs, m->defs.sites.at[p->site].class));
	err = err ? err : table_next(t);
	put_stack(cell, v, p->site);
	return err ? err : table_next(t);
}

static size_t shown(const struct story_view *v, size_t count)
{
	return v->limit && v->limit < count ? v->limit : count;
}

static void put_more(struct buf *out, size_t count)
{
	if (count)
		buf_printf(out, "  %zu more (--limit 0 to show)\n", count);
}

static int put_places(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	struct table t = {0};
	int err = ERR_NONE;
	size_t count = shown(v, s->in_force);
	if (!count)
		return ERR_NONE;
	buf_put_u8(out, '\n');
	text_wrap(out, &v->view.look,
		s->acts ? "Objects made here that one collection finds alive go to the old "
			  "generation with their first copy, and are not copied again and again:"
			: "Objects made here that one collection finds alive would go to the old "
			  "generation with their first copy; it was only learnt, nothing was "
			  "changed:",
		0, 0);
	table_column(&t, "SAVES", "copying", true, false);
	table_column(&t, "SINCE", "", true, false);
	table_column(&t, "CLASS", "", false, false);
	table_gives(&t, TABLE_NAME_LEAST);
	table_column(&t, "MADE AT", "", false, true);
	for (size_t i = 0; i < count && !err; i++)
		err = put_place(&t, v, &s->places.at[i]);
	err = err ? err : table_put(&t, out, &v->view.look);
	table_release(&t);
	put_more(out, s->in_force - count);
	return err;
}

/* ---- moves of the threshold, and the young generation's size ---- */

static void put_moved(struct buf *out, const struct story *s, const struct tenure_decision *d)
{
	const char *would = s->acts ? "" : "would be ";
	char a[UNITS_MAX];
	if (d->action == TENURE_TAKE_BACK)
		buf_put_str(out, "taken back");
	else if (!d->value)
		buf_printf(out, "%sat their first copy", would);
	else
		buf_printf(out, "%safter %s collection%s", would, units_count(d->value, a),
			d->value == 1 ? "" : "s");
	if (d->action == TENURE_TAKE && d->gain)
		buf_printf(
			out, ", foretold to save %s/s of copying", units_bytes((double)d->gain, a));
}

static void put_reasoned(
	struct buf *out, const struct story_view *v, struct buf *line, uint32_t reason)
{
	struct slice text = texts_get(&v->story->model->defs.texts, reason);
	if (text.len) {
		buf_put_str(line, "; ");
		text_clean(line, text);
	}
	text_blanks(out, 2);
	text_wrap(out, &v->view.look, buf_text(line), 2, 4);
	buf_release(line);
}

static void put_moves(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	size_t count = shown(v, s->moves.count), from = s->moves.count - count;
	if (!count)
		return;
	buf_put_str(out, "\nWhen all objects that are still alive go to the old generation:\n");
	for (size_t i = from; i < s->moves.count; i++) {
		const struct tenure_decision *d = &s->model->tenure.decisions.at[s->moves.at[i]];
		struct buf line = {0};
		char a[UNITS_MAX];
		buf_printf(&line, "at %s: ", units_time((double)d->time, a));
		put_moved(&line, s, d);
		put_reasoned(out, v, &line, d->reason);
	}
	put_more(out, from);
}

static void put_size(struct buf *out, const struct tenure_decision *d)
{
	if (d->action == TENURE_TAKE_BACK)
		buf_put_str(out, "taken back");
	else if (d->value)
		buf_printf(out, "%.3g times as large as it was", (double)d->value / 100);
	else
		buf_put_str(out, "as large as it was said to be");
}

static void put_young(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	if (s->young.count)
		buf_put_str(out, "\nThe young generation:\n");
	for (size_t i = 0; i < s->young.count; i++) {
		const struct tenure_decision *d = &s->model->tenure.decisions.at[s->young.at[i]];
		struct buf line = {0};
		char a[UNITS_MAX];
		buf_printf(&line, "at %s: ", units_time((double)d->time, a));
		put_size(&line, d);
		put_reasoned(out, v, &line, d->reason);
	}
}

/* "HashMap$Node of HashMap.newNode:1901"; of a decisions file's place that was never met the reason
 * has the names. */
static void put_made(struct buf *line, const struct story_view *v, uint32_t site)
{
	const struct model *m = v->story->model;
	if (!m->defs.sites.at[site].frame) {
		buf_put_str(line, "a place of the decisions file");
		return;
	}
	short_simple(line, defs_class_name(&m->defs, m->defs.sites.at[site].class));
	buf_put_str(line, " of ");
	put_stack(line, v, site);
}

static void put_taken_back(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	size_t all = s->places.count - s->in_force, count = shown(v, all);
	if (!count)
		return;
	buf_put_str(out, s->nowhere < all ? "\nTaken back:\n"
					  : "\nOf the decisions file, without effect:\n");
	for (size_t i = s->in_force; i < s->in_force + count; i++) {
		const struct story_place *p = &s->places.at[i];
		struct buf line = {0};
		char a[UNITS_MAX];
		buf_printf(&line, "at %s: ", units_time((double)p->time, a));
		put_made(&line, v, p->site);
		put_reasoned(out, v, &line, p->reason);
	}
	put_more(out, all - count);
}

int story_put_decisions(struct buf *out, const struct story_view *v)
{
	int err = put_places(out, v);
	put_moves(out, v);
	put_young(out, v);
	put_taken_back(out, v);
	return err;
}
