/* What the collector did before anything was changed and after, and what was foretold of that. */
#include <math.h>

#include "base/error.h"
#include "base/units.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/story_parts.h"
#include "report/table.h"

enum { OUTCOMES_SHOWN = 5 };

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

/* In a look nothing gets as old as it does without, and the longest of few pauses is short. */
static bool is_beyond_a_look(enum story_figure f)
{
	return f == STORY_PROMOTED || f == STORY_MOST;
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
	if (s->rest.rounds)
		put_value(cell, &v->view.look, row->unit, s->rest.value[f]);
	err = err ? err : table_next(t);
	if (s->after.rounds)
		put_value(cell, &v->view.look, row->unit, s->after.value[f]);
	err = err ? err : table_next(t);
	double without = story_without(s)->value[f];
	if (story_compared(s) && without > 0 && !(story_looked(s) && is_beyond_a_look(f)))
		story_put_change(cell, &v->view.look, s->after.value[f] / without);
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
	/* Most heaps have no full collections. */
	if (f == STORY_FULL)
		return s->before.value[f] > 0 || s->rest.value[f] > 0 || s->after.value[f] > 0;
	return s->before.n[f] || s->rest.n[f] || s->after.n[f];
}

static int put_table(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	struct table t = {0};
	struct buf before = {0}, rest = {0}, after = {0};
	int err = ERR_NONE;
	bool all = s->first == STORY_NEVER;
	table_column(&t, "", "", false, false);
	table_column(
		&t, all ? "MEASURED" : "BEFORE", rounds_text(&before, &s->before), true, false);
	table_column(&t, "AT REST", rounds_text(&rest, &s->rest), true, false);
	table_column(&t, "AFTER", rounds_text(&after, &s->after), true, false);
	table_column(&t, "CHANGE", "", true, false);
	for (enum story_figure f = 0; f < STORY_FIGURES && !err; f++)
		if (is_known(s, f))
			err = put_figure(&t, v, f);
	if (!err && (s->before.rounds || s->rest.rounds || s->after.rounds)) {
		buf_put_u8(out, '\n');
		err = table_put(&t, out, &v->view.look);
	}
	table_release(&t);
	buf_release(&before);
	buf_release(&rest);
	buf_release(&after);
	return err;
}

/* Why it is not from what was before, where there is that. */
static const char *not_before(const struct story *s)
{
	return s->before.rounds
		       ? ", for until anything was changed the program may have been starting"
		       : "";
}

static void put_idle(struct buf *text, const struct story *s)
{
	bool one = s->rest.rounds == 1;
	buf_put_str(text, "AT REST: the last ");
	text_count(text, s->rest.rounds, "round", "rounds");
	buf_printf(text,
		" before that change, with nothing in force, since all had been taken back. CHANGE "
		"is from %s%s.",
		one ? "it" : "these", not_before(s));
}

static void put_looks(struct buf *text, const struct story *s)
{
	const char *since = s->unfollowed
				    ? "rounds since that change in which what was in force then "
				      "was without effect, for a look"
				    : "rounds since the last change in which what is in force was "
				      "without effect, for a look";
	buf_printf(text,
		"AT REST: %s. CHANGE is from %s%s. What was old when %s began was promoted "
		"already%s: without tenure %s more is copied, and more of it promoted.",
		s->looked ? "the last look before that change, a round in which what was in force "
			    "then was without effect"
			  : since,
		s->looked ? "it" : "these", not_before(s), s->looked ? "it" : "they",
		s->brief ? ", and a look was over in fewer collections than a round has, as soon "
			   "as it was clear what is better"
			 : "",
		s->brief ? "far" : "somewhat");
}

static void put_rest(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	struct buf text = {0};
	if (!story_compared(s) || !story_rested(s))
		return;
	if (story_looked(s))
		put_looks(&text, s);
	else
		put_idle(&text, s);
	screen_sentence(out, &v->view, buf_text(&text));
	buf_release(&text);
}

#define AFTER(that)                                                                                \
	"AFTER: since the last change" that                                                        \
	", but for rounds in which older objects were still on their way. Medians over rounds; "   \
	"the median pause is that of all pauses in them."
#define BEFORE "BEFORE: until anything was changed. "
#define NO_BEFORE                                                                                  \
	"There is no before: the decisions of an earlier run were in force from the start on."
#define FOLLOWED      " that a round followed"
#define OF_UNTIL_THEN "AFTER is of what was in force until then."

/* What AFTER is not of. */
static void put_end(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	if (s->unfollowed)
		screen_sentence(out, &v->view,
			story_in_force(s)
				? "Levers were moved once more after the last round: " OF_UNTIL_THEN
				: "All was taken back after the last round: " OF_UNTIL_THEN);
	else if (story_compared(s) && !story_in_force(s))
		screen_sentence(out, &v->view,
			"All was taken back: what differs after that is the program's own doing.");
}

/* Where nothing was moved since the start either, what is after needs no words. */
static void put_no_before(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	if (!s->last)
		screen_sentence(out, &v->view, NO_BEFORE);
	else
		screen_sentence(out, &v->view,
			s->unfollowed ? NO_BEFORE " " AFTER(FOLLOWED) : NO_BEFORE " " AFTER(""));
}

/* Why there is nothing to compare, or what is compared. */
static void put_sides(struct buf *out, const struct story_view *v)
{
	const struct story *s = v->story;
	if (s->first == STORY_NEVER)
		return;
	if (!s->before.rounds && !s->after.rounds && s->model->tenure.rounds.count)
		screen_sentence(out, &v->view,
			"Nothing to compare: the decisions of an earlier run were in force from "
			"the start on, and the recording ended before a round had passed since the "
			"last change and older objects were through.");
	else if (!s->before.rounds && !s->after.rounds)
		screen_sentence(out, &v->view,
			"Nothing to compare: too few rounds were over when recording ended.");
	else if (!s->before.rounds && !story_in_force(s) && !s->unfollowed)
		screen_sentence(out, &v->view,
			NO_BEFORE " All was taken back, and AFTER is of the rounds since, with "
				  "nothing in force.");
	else if (!s->before.rounds)
		put_no_before(out, v);
	else if (!s->after.rounds)
		screen_sentence(out, &v->view,
			"There is no after yet: the recording ended before a round had passed "
			"since the last change and older objects were through.");
	else
		screen_sentence(
			out, &v->view, s->unfollowed ? BEFORE AFTER(FOLLOWED) : BEFORE AFTER(""));
	put_rest(out, v);
	if (s->after.rounds)
		put_end(out, v);
}

int story_put_figures(struct buf *out, const struct story_view *v)
{
	int err = put_table(out, v);
	put_sides(out, v);
	return err;
}

static void put_outcome(struct buf *out, const struct story_view *v, const struct tenure_outcome *o)
{
	struct buf line = {0};
	char a[UNITS_MAX], b[UNITS_MAX], c[UNITS_MAX];
	buf_printf(&line, "at %s: foretold %s/s", units_time((double)o->time, c),
		units_bytes((double)o->predicted, a));
	if (o->predicted && o->margin)
		buf_printf(&line, " %s%.0f %%", text_mark(&v->view.look, "±", "+-"),
			100 * (double)o->margin / (double)o->predicted);
	buf_printf(&line, " copied, seen %s/s", units_bytes((double)o->observed, b));
	if (o->predicted) {
		buf_put_str(&line, " (");
		story_put_change(&line, &v->view.look, 1 + story_error(o));
		buf_put_u8(&line, ')');
	}
	text_blanks(out, 2);
	text_wrap(out, &v->view.look, buf_text(&line), 2, 4);
	buf_release(&line);
}

/* What the intervals are, if there are any. */
static void put_outcomes_head(struct buf *out, const struct story_view *v, size_t from)
{
	const struct tenure *t = &v->story->model->tenure;
	bool any = false;
	for (size_t i = from; i < t->outcomes.count; i++)
		any |= t->outcomes.at[i].predicted && t->outcomes.at[i].margin;
	buf_put_str(out, "\nWas it as foretold?");
	if (any)
		buf_printf(
			out, " (%s: 95 %%, by samples alone)", text_mark(&v->view.look, "±", "+-"));
	buf_put_u8(out, '\n');
}

void story_put_outcomes(struct buf *out, const struct story_view *v)
{
	const struct tenure *t = &v->story->model->tenure;
	size_t count = t->outcomes.count;
	size_t from = count > OUTCOMES_SHOWN ? count - OUTCOMES_SHOWN : 0;
	if (!count)
		return;
	put_outcomes_head(out, v, from);
	for (size_t i = from; i < count; i++)
		put_outcome(out, v, &t->outcomes.at[i]);
	if (from)
		buf_printf(out, "  %zu earlier ones (--json has them)\n", from);
}
