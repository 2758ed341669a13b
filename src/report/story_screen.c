#include <string.h>

#include "base/error.h"
#include "report/screen.h"
#include "report/story_parts.h"

static void put_advice(struct buf *out, const struct story_view *v)
{
	struct buf line = {0};
	story_put_advice(&line, v->story);
	if (line.len)
		buf_put_u8(out, '\n');
	if (line.len)
		text_wrap(out, &v->view.look, buf_text(&line), 0, 0);
	buf_release(&line);
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
	int err = story_put_figures(out, v);
	put_advice(out, v);
	story_put_outcomes(out, v);
	err = err ? err : story_put_decisions(out, v);
	put_notes(out, v);
	return err ? err : out->failed;
}
