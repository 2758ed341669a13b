/* What the story came to, in a line or a sentence. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>

#include "base/compiler.h"
#include "base/units.h"
#include "report/column.h"
#include "report/story_parts.h"

static const char *dot(const struct look *look)
{
	return text_mark(look, " · ", ", ");
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

static void put_young(struct buf *out, const struct story *s)
{
	const struct tenure_decision *d =
		&s->model->tenure.decisions.at[s->young.at[s->young.count - 1]];
	buf_put_str(out, d->action == TENURE_TAKE
				 ? "the young generation as the decisions file says"
				 : "the young generation's size did not pay");
}

static void put_nowhere(struct buf *out, const struct story *s)
{
	text_count(out, s->nowhere, "place", "places");
	buf_put_str(out, " of the decisions file can't be moved");
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
	if (s->young.count) {
		buf_put_str(out, dot(look));
		put_young(out, s);
	}
	if (s->taken_back > s->nowhere) {
		buf_put_str(out, dot(look));
		if (!story_in_force(s) && !s->young.count)
			buf_put_str(out, "all is as it was: ");
		text_count(out, s->taken_back - s->nowhere, "decision", "decisions");
		buf_put_str(out, " taken back");
	}
	if (s->nowhere) {
		buf_put_str(out, dot(look));
		put_nowhere(out, s);
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
	if (s->asked == STORY_ASKED_APPLY) {
		buf_put_str(out, "Nothing was decided: only what the decisions file says was to be "
				 "done, and nothing of it was.");
		return;
	}
	buf_put_str(out, "Nothing was decided: in ");
	text_count(out, s->model->tenure.rounds.count, "round", "rounds");
	buf_put_str(out,
		" too little was to be gained by sending objects to the old generation sooner.");
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
		return;
	}
	if (s->nowhere) {
		buf_put_u8(out, ' ');
		put_nowhere(out, s);
		buf_put_u8(out, '.');
	}
}

static struct slice reason_of(const struct story *s, const struct tenure_decision *d)
{
	return d ? texts_get(&s->model->defs.texts, d->reason) : slice_str("");
}

/* A reason as a sentence. */
static void put_sentence(struct buf *out, struct slice reason)
{
	struct buf text = {0};
	if (!reason.len)
		return;
	text_clean(&text, reason);
	if (!text.failed && text.at[0] >= 'a' && text.at[0] <= 'z')
		text.at[0] = (uint8_t)(text.at[0] - 'a' + 'A');
	buf_put_str(out, out->len ? " " : "");
	buf_put(out, text.at, text.len);
	buf_put_u8(out, '.');
	buf_release(&text);
}

/* Where no object jumps, what is done is the flag's own work, be it a file that said so.
 * TENURE_UNBOUND: no flag does it. */
static uint64_t flag_of(const struct story *s)
{
	if (s->advice)
		return s->advice->value;
	return s->jumps ? TENURE_UNBOUND : s->threshold;
}

#define DEARER 1.05 /* times what the collector took, or copied, or stood still, before */
enum praise {
	PRAISE_FULL,
	PRAISE_FORETOLD,
	PRAISE_UNHELD,
	PRAISE_UNMEASURED,
	PRAISE_DEARER,
	PRAISE_COPIES,
	PRAISE_LONGER
};

static bool is_above_side(const struct story *s, const struct story_side *side, enum story_figure f)
{
	return s->after.value[f] / side->value[f] > DEARER;
}

/* Without, more is copied than in a brief look, and that takes more: what is above it need not be
 * above that. */
static bool is_above(const struct story *s, enum story_figure f)
{
	return is_above_side(s, story_without(s), f) &&
	       (!story_rested_briefly(s) || is_above_side(s, &s->before, f));
}

static enum praise praise_of(const struct story *s)
{
	if (!story_in_force(s))
		return PRAISE_FULL;
	if (!s->acts)
		return PRAISE_FORETOLD;
	if (!story_without(s)->rounds)
		return PRAISE_UNHELD;
	if (!s->after.rounds || s->unfollowed)
		return PRAISE_UNMEASURED;
	if (is_above(s, STORY_CPU))
		return PRAISE_DEARER;
	if (is_above(s, STORY_COPIED))
		return PRAISE_COPIES;
	/* Longer ones of which there are fewer may be a larger eden's. */
	return is_above(s, STORY_PAUSE) && is_above(s, STORY_SHARE) ? PRAISE_LONGER : PRAISE_FULL;
}

/* Nobody is to set for good what the figures above it speak against, or what has none. */
static void put_flag(struct buf *out, const struct story *s)
{
	static const struct {
		const char *does, *but, *speaks; /* against it, and what it is more than follows */
	} texts[] = {
		[PRAISE_FULL] = {"gives you this", ".", NULL},
		[PRAISE_FORETOLD] = {"would give you that", ".", NULL},
		[PRAISE_UNHELD] = {"does the same",
			", and what that gives can't be said: no round was without it.", NULL},
		[PRAISE_UNMEASURED] = {"does the same",
			", and what that gives is not known yet: no round was over since.", NULL},
		[PRAISE_DEARER] = {"does the same", "", "the collector took more CPU with it"},
		[PRAISE_COPIES] = {"does the same", "", "the collector copied more with it"},
		[PRAISE_LONGER] = {"does the same", "",
			"pauses were longer with it, and took more of the time,"},
	};
	uint64_t flag = flag_of(s);
	enum praise praise = praise_of(s);
	if (flag >= TENURE_UNBOUND)
		return;
	buf_printf(out, "-XX:MaxTenuringThreshold=%" PRIu64 " %s without mayfly%s", flag,
		texts[praise].does, texts[praise].but);
	if (texts[praise].speaks)
		buf_printf(out,
			", and %s than %s: measure it against a run without before you set it.",
			texts[praise].speaks, story_rested(s) ? "at rest" : "before");
}

static void put_full(struct buf *out, const struct story *s)
{
	const struct story_side *without = story_without(s);
	const struct story_side *first = without->rounds ? without : &s->after;
	buf_printf(out, "%sull collections took %.0f %% of the time in pauses",
		s->full_heap ? "The heap is too full: f" : "F", 100 * first->value[STORY_FULL]);
	if (story_compared(s))
		buf_printf(out,
			" %s and %.0f %% %s, so that the figures tell little of what tenure did",
			story_rested(s) ? "at rest" : "before", 100 * s->after.value[STORY_FULL],
			story_rested(s) ? "with it" : "after");
	buf_put_u8(out, '.');
	if (s->full_heap)
		buf_put_str(out, " Give it a larger heap (-Xmx), or keep less: what is in it, and "
				 "who made that, mayfly heap tells.");
}

void story_put_advice(struct buf *out, const struct story *s)
{
	bool full = story_is_of_full(s);
	if (!full || !story_compared(s))
		put_flag(out, s);
	if (full && out->len)
		buf_put_u8(out, ' ');
	if (full)
		put_full(out, s);
	put_sentence(out, reason_of(s, s->young_advice));
}

void story_put_change(struct buf *out, const struct look *look, double ratio)
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

/* Said where much more fell than was foretold; whose doing that is, is known only where the
 * forecast had come true. */
#define OWN_DOING 0.15
static void put_spared(struct buf *out, const struct look *look, const struct story *s)
{
	double ratio = s->after.value[STORY_COPIED] / story_without(s)->value[STORY_COPIED];
	double spared = story_spared(s); /* by what was taken last */
	if (1 - ratio > spared + OWN_DOING && !s->unfollowed)
		buf_printf(out, " (%s%.0f %% foretold; %s)", text_mark(look, "−", "-"),
			100 * spared,
			story_came_true(s) ? "the rest is the program's own doing"
					   : "why it fell by more is not known");
}

/* A program's start is not what it does later. */
static void put_against(struct buf *out, const struct story *s)
{
	if (story_looked(s)) {
		buf_printf(out, ", against a %slook without it",
			story_rested_briefly(s) ? "short " : "");
		return;
	}
	bool rested = story_rested(s);
	size_t rounds = rested ? s->rest.rounds : s->before.rounds;
	buf_printf(out, ", against the %s ", rested ? "last" : "first");
	if (rounds == 1)
		buf_put_str(out, "round");
	else
		buf_printf(out, "%zu rounds", rounds);
	buf_put_str(out, rested ? " without it" : "");
}

/* What was only learnt has no after. All can't be spared: then that round was another. */
static void put_foretold(struct buf *out, const struct look *look, const struct story *s)
{
	double spared = story_spared(s);
	if (!(spared < 1))
		return;
	buf_put_str(out, "copied per GB allocated ");
	story_put_change(out, look, 1 - spared);
	buf_put_str(out, " foretold");
}

void story_put_result(struct buf *out, const struct look *look, const struct story *s)
{
	static const struct {
		enum story_figure figure;
		const char *what;
	} told[] = {{STORY_COPIED, "copied per GB allocated"}, {STORY_CPU, "collector CPU"},
		{STORY_PAUSE, "median pause"}};
	size_t before = out->len;
	if (!s->acts && story_in_force(s))
		put_foretold(out, look, s);
	if (!story_compared(s) || !story_in_force(s))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		enum story_figure f = told[i].figure;
		double without = story_without(s)->value[f], ratio = s->after.value[f] / without;
		if (!(without > 0) || !isfinite(ratio))
			continue;
		buf_printf(out, "%s%s ", out->len > before ? ", " : "", told[i].what);
		story_put_change(out, look, ratio);
		if (f == STORY_COPIED && ratio < 1 && story_rested_briefly(s))
			buf_put_str(out, " or more");
		if (f == STORY_COPIED)
			put_spared(out, look, s);
	}
	if (out->len > before)
		put_against(out, s);
	if (out->len > before && s->unfollowed)
		buf_put_str(out, ", with what was in force until the last round");
}

static void put_advice_behind(struct buf *out, const struct story *s)
{
	struct buf advice = {0};
	story_put_advice(&advice, s);
	const char *between = advice.len && isupper(advice.at[0]) ? ". " : "; ";
	if (advice.len)
		buf_printf(out, "%s%s", s->why == STORY_DONE ? between : " ", buf_text(&advice));
	buf_release(&advice);
}

void story_put_summary(struct buf *out, const struct look *look, const struct story *s)
{
	size_t before = out->len;
	story_put_why(out, s);
	if (out->len == before) {
		story_put_result(out, look, s);
		if (out->len > before)
			buf_put_str(out, "; ");
		story_put_line(out, look, s);
	}
	put_advice_behind(out, s);
}
