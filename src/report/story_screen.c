#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/units.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/short.h"
#include "report/story_view.h"
#include "report/table.h"

enum { CALLERS_SHOWN = 3, OUTCOMES_SHOWN = 5 };

static struct slice text_of(const struct story *s, uint32_t number)
{
	return texts_get(&s->model->defs.texts, number);
}

/* ---- what it came to, in a line ---- */

static const char *dot(const struct look *look)
{
	return text_mark(look, " · ", ", ");
}

static bool in_force(const struct story *s)
{
	return s->jumps || s->threshold < TENURE_UNBOUND;
}

static void put_jumps(struct buf *out, const struct story *s)
{
	buf_put_str(out, "objects of ");
	text_count(out, s->jumps, "place", "places");
	buf_printf(out, " %spromoted at their first copy", s->acts ? "" : "would be ");
}

static void put_threshold(struct buf *out, const struct story *s)
{
	buf_printf(out, "all%s %spromoted ", s->jumps ? " others" : "", s->acts ? "" : "would be ");
	if (!s->threshold) {
		buf_put_str(out, "at their first copy");
		return;
	}
	buf_put_str(out, "after ");
	text_count(out, s->threshold, "collection", "collections");
}

void story_put_line(struct buf *out, const struct look *look, const struct story *s)
{
	text_count(out, s->model->tenure.rounds.count, "round", "rounds");
	if (s->jumps) {
		buf_put_str(out, dot(look));
		put_jumps(out, s);
	}
	if (s->threshold < TENURE_UNBOUND) {
		buf_put_str(out, dot(look));
		put_threshold(out, s);
	}
	if (s->taken_back) {
		buf_put_str(out, dot(look));
		if (!in_force(s))
			buf_put_str(out, "all is as it was: ");
		text_count(out, s->taken_back, "decision", "decisions");
		buf_put_str(out, " taken back");
	}
}

static void put_few(struct buf *out, const struct story *s)
{
	char a[UNITS_MAX];
	buf_printf(out,
		"Nothing was decided: too few collections so far, %zu of %d rounds of %s young "
		"collections.",
		s->model->tenure.rounds.count, STORY_ROUNDS_LEAST, units_count(s->round_length, a));
}

static void put_collector(struct buf *out, const struct story *s)
{
	buf_put_str(out, "Nothing was decided: ");
	text_clean(out, facts_get(&s->model->facts, &s->model->defs.texts, "gc"));
	buf_put_str(out, " does not copy objects from age to age, so there is nothing to spare it; "
			 "that is for G1, Parallel and Serial.");
}

static void put_nothing(struct buf *out, const struct story *s)
{
	buf_put_str(out, "Nothing was decided: in ");
	text_count(out, s->model->tenure.rounds.count, "round", "rounds");
	buf_put_str(out, " there was nothing to gain: too little is copied more than once.");
}

void story_put_why(struct buf *out, const struct story *s)
{
	switch (s->why) {
	case STORY_UNASKED:
		buf_put_str(out, "This was not recorded with tenure; `mayfly tenure` does that.");
		break;
	case STORY_OFF:
		buf_put_str(out, "Nothing was decided: ");
		text_clean(out, s->off);
		buf_put_u8(out, '.');
		break;
	case STORY_COLLECTOR:
		put_collector(out, s);
		break;
	case STORY_FEW:
		put_few(out, s);
		break;
	case STORY_ADVISED:
		buf_put_str(out, "Nothing was decided: an option of the VM does as well.");
		break;
	case STORY_NOTHING:
		put_nothing(out, s);
		break;
	case STORY_DONE:
	default:
		break;
	}
}

/* ---- before and after ---- */

static void put_value(struct buf *out, const struct look *look, enum story_unit unit, double value)
{
	char a[UNITS_MAX];
	if (isnan(value))
		buf_put_str(out, "?");
	else if (unit == STORY_IN_BYTES)
		buf_put_str(out, units_bytes(value, a));
	else if (unit == STORY_IN_NS)
		buf_put_str(out, units_time(value, a));
	else if (unit == STORY_IN_SHARES)
		put_percent(out, look, value, 0);
	else
		buf_printf(out, "%.*f", value < 99.5, value);
}

/* "−62 %", "×3.1": after over before. */
static void put_change(struct buf *out, const struct look *look, double ratio)
{
	double percent = 100 * (ratio - 1);
	if (!isfinite(ratio))
		return;
	if (ratio >= 3)
		buf_printf(out, "%s%.*f", text_mark(look, "×", "x"), ratio < 9.95, ratio);
	else if (fabs(percent) < 0.5)
		buf_put_str(out, text_mark(look, "±0 %", "+-0 %"));
	else
		buf_printf(out, "%s%.0f %%", percent < 0 ? text_mark(look, "−", "-") : "+",
			fabs(percent));
}

static bool compared(const struct story *s)
{
	return s->before.rounds && s->after.rounds;
}

void story_put_result(struct buf *out, const struct look *look, const struct story *s)
{
	static const struct {
		enum story_figure figure;
		const char *what;
	} told[] = {{STORY_COPIED, "copied per GB allocated"}, {STORY_CPU, "collector CPU"},
		{STORY_PAUSE, "median pause"}};
	size_t before = out->len;
	if (!compared(s) || !in_force(s))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		enum story_figure f = told[i].figure;
		double ratio = s->after.value[f] / s->before.value[f];
		if (!(s->before.value[f] > 0) || !isfinite(ratio))
			continue;
		buf_printf(out, "%s%s ", out->len > before ? ", " : "", told[i].what);
		put_change(out, look, ratio);
	}
}

static int put_figure(struct table *t, const struct story_view *v, enum story_figure f)
{
	const struct story *s = v->story;
	const struct story_row *row = story_row(f);
	struct buf *cell = table_cell(t);
	buf_put_str(cell, row->what);
	int err = table_next(t);
	if (s->before.rounds)
		put_value(cell, &v->view.look, row->unit, s->before.value[f]);
	err = err ? err : table_next(t);
	if (s->after.rounds)
		put_value(cell, &v->view.look, row->unit, s->after.value[f]);
	err = err ? err : table_next(t);
	if (compared(s) && s->before.value[f] > 0)
		put_change(cell, &v->view.look, s->after.value[f] / s->before.value[f]);
	return err ? err : table_next(t);
}

/* "in 9 rounds" */
static const char *rounds_text(struct buf *b, const struct story_side *s)
{
	text_count(b, s->rounds, "round", "rounds");
	return buf_text(b);
}

static bool is_known(const struct story *s, enum story_figure f)
{
	return s->before.n[f] || s->after.n[f];
}

static int put_figures(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	struct table t = {0};
	struct buf before = {0}, after = {0};
	int err = ERR_NONE;
	bool all = s->first == STORY_NEVER;
	table_column(&t, "", "", false, false);
	table_column(
		&t, all ? "MEASURED" : "BEFORE", rounds_text(&before, &s->before), true, false);
	table_column(&t, "AFTER", rounds_text(&after, &s->after), true, false);
	table_column(&t, "CHANGE", "", true, false);
	for (enum story_figure f = 0; f < STORY_FIGURES && !err; f++)
		if (is_known(s, f))
			err = put_figure(&t, v, f);
	if (!err && (s->before.rounds || s->after.rounds)) {
		buf_put_u8(out, '\n');
		err = table_put(&t, out, &v->view.look);
	}
	table_release(&t);
	buf_release(&before);
	buf_release(&after);
	return err;
}

/* Why there is nothing to compare, or what is compared. */
static void put_sides(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	if (s->first == STORY_NEVER)
		return;
	if (!s->before.rounds && !s->after.rounds)
		screen_sentence(out, &v->view,
			"Nothing to compare: too few rounds were over when recording ended.");
	else if (!s->before.rounds)
		screen_sentence(out, &v->view,
			"There is no before: the decisions of an earlier run were in force from "
			"the start on.");
	else if (!s->after.rounds)
		screen_sentence(out, &v->view,
			"There is no after yet: the recording ended before a round had passed "
			"since the last change and older objects were through.");
	else
		screen_sentence(out, &v->view,
			"BEFORE: until anything was changed. AFTER: since the last change, but for "
			"rounds in which older objects were still on their way. Medians over "
			"rounds; the median pause is that of all pauses in them.");
	if (compared(s) && !in_force(s))
		screen_sentence(out, &v->view,
			"All was taken back: what differs after that is the program's own doing.");
}

/* ---- foretold, and seen ---- */

static void put_outcome(struct buf *out, const struct story_view *v, const struct tenure_outcome *o)
{
	struct buf line = {0};
	char a[UNITS_MAX], b[UNITS_MAX], c[UNITS_MAX];
	buf_printf(&line, "at %s: predicted %s/s copied, observed %s/s",
		units_time((double)o->time, c), units_bytes((double)o->predicted, a),
		units_bytes((double)o->observed, b));
	if (o->predicted) {
		buf_put_str(&line, " (");
		put_change(&line, &v->view.look, 1 + story_error(o));
		buf_put_u8(&line, ')');
	}
	text_blanks(out, 2);
	text_wrap(out, &v->view.look, buf_text(&line), 2, 4);
	buf_release(&line);
}

static void put_outcomes(struct buf *out, const struct story_view *v)
{
	const struct tenure *t = &v->story->model->tenure;
	size_t count = t->outcomes.count;
	size_t from = count > OUTCOMES_SHOWN ? count - OUTCOMES_SHOWN : 0;
	if (!count)
		return;
	buf_put_str(out, "\nWas it as predicted?\n");
	for (size_t i = from; i < count; i++)
		put_outcome(out, v, &t->outcomes.at[i]);
	if (from)
		buf_printf(out, "  %zu earlier ones (--json has them)\n", from);
}

static void put_advice(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	struct buf line = {0};
	struct slice reason = s->advice ? text_of(s, s->advice->reason) : slice_str("");
	if (!reason.len)
		return;
	text_clean(&line, reason);
	buf_put_u8(&line, '.');
	buf_put_u8(out, '\n');
	text_wrap(out, &v->view.look, buf_text(&line), 0, 0);
	buf_release(&line);
}

/* ---- places ---- */

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
	table_column(&t, "MADE AT", "", false, true);
	for (size_t i = 0; i < count && !err; i++)
		err = put_place(&t, v, &s->places.at[i]);
	err = err ? err : table_put(&t, out, &v->view.look);
	table_release(&t);
	put_more(out, s->in_force - count);
	return err;
}

/* ---- moves of the threshold and the young generation ---- */

static void put_moved(struct buf *out, const struct story *s, const struct tenure_decision *d)
{
	const char *would = s->acts ? "" : "would be ";
	char a[UNITS_MAX];
	if (d->action == TENURE_TAKE_BACK)
		buf_put_str(out, "taken back");
	else if (d->lever == TENURE_YOUNG)
		buf_printf(out, "%syoung generation at %s %% of what it was", would,
			units_count(d->value, a));
	else
		buf_printf(out, "%safter %s collection%s", would, units_count(d->value, a),
			d->value == 1 ? "" : "s");
	if (d->action == TENURE_TAKE && d->gain)
		buf_printf(out, ", predicted to save %s/s of copying",
			units_bytes((double)d->gain, a));
}

static void put_reasoned(
	struct buf *out, const struct story_view *v, struct buf *line, uint32_t reason)
{
	struct slice text = text_of(v->story, reason);
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
	buf_put_str(out, "\nTaken back:\n");
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

void story_put_summary(struct buf *out, const struct look *look, const struct story *s)
{
	size_t before = out->len;
	story_put_why(out, s);
	if (out->len > before)
		return;
	story_put_result(out, look, s);
	if (out->len > before)
		buf_put_str(out, "; ");
	story_put_line(out, look, s);
}

static void put_wrapped(struct buf *out, const struct story_view *v, struct buf *line)
{
	if (line->len)
		text_wrap(out, &v->view.look, buf_text(line), 0, 0);
	buf_release(line);
	*line = (struct buf){0};
}

static void put_head(struct buf *out, const struct story_view *v)
{
	struct buf line = {0};
	story_put_why(&line, v->story);
	bool nothing = line.len > 0;
	put_wrapped(out, v, &line);
	if (nothing)
		return;
	story_put_result(&line, &v->view.look, v->story);
	put_wrapped(out, v, &line);
	story_put_line(&line, &v->view.look, v->story);
	put_wrapped(out, v, &line);
}

static void put_test(struct buf *out, const struct story_view *v)
{
	static const struct {
		const char *word, *text;
	} verdicts[] = {
		{"passed", "The self-test passed: what skips its ages is promoted by a young "
			   "collection"},
		{"failed", "The self-test failed, and nothing skips its ages any more: "},
		{"open", "The self-test came to no end: "},
	};
	const struct story *s = v->story;
	struct buf line = {0};
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		if (slice_equal(s->test, slice_str(verdicts[i].word)))
			buf_put_str(&line, verdicts[i].text);
	if (line.len) {
		text_clean(&line, s->test_why);
		buf_put_u8(&line, '.');
		text_wrap(out, &v->view.look, buf_text(&line), 0, 0);
	}
	buf_release(&line);
}

/* What the agent noted of what stands above is not said twice, nor what tenure does not ask. */
static bool is_told(const struct story *s, const char *note)
{
	static const char *const beside[] = {"tenure is off: ", "the self-test came to no end: ",
		"the self-test failed, ", "No collection of the old generation was seen: "};
	for (size_t i = 0; s->why != STORY_UNASKED && i < ARRAY_SIZE(beside); i++)
		if (strncmp(note, beside[i], strlen(beside[i])) == 0)
			return true;
	return false;
}

static void put_notes(struct buf *out, const struct story_view *v)
{
	const struct notes *all = v->view.notes;
	struct notes rest = {.list = {0}};
	struct view view = v->view;
	view.notes = &rest;
	for (size_t i = 0; i < all->list.count; i++)
		if (!is_told(v->story, all->list.at[i]) && notes_add(&rest, "%s", all->list.at[i]))
			out->failed = ERR_NOMEM;
	if (rest.list.count)
		buf_put_u8(out, '\n');
	screen_notes(out, &view);
	notes_release(&rest);
}

int story_screen_put(struct buf *out, const struct story_view *v)
{
	screen_title(out, &v->view);
	put_head(out, v);
	put_test(out, v);
	int err = put_figures(out, v);
	put_sides(out, v);
	put_advice(out, v);
	put_outcomes(out, v);
	err = err ? err : put_places(out, v);
	put_moves(out, v);
	put_taken_back(out, v);
	put_notes(out, v);
	return err ? err : out->failed;
}
