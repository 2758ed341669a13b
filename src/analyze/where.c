#include "analyze/where.h"

#include <fnmatch.h>
#include <string.h>

#include "base/error.h"

static const struct {
	const char *word;
	enum by by;
} keys[] = {
	[WHERE_CLASS] = {"class", BY_CLASS},
	[WHERE_SITE] = {"site", BY_SITE},
	[WHERE_METHOD] = {"method", BY_METHOD},
	[WHERE_PACKAGE] = {"package", BY_PACKAGE},
	[WHERE_THREAD] = {"thread", BY_THREAD},
	[WHERE_STACK] = {"stack", BY_COUNT},
	[WHERE_SHAPE] = {"shape", BY_COUNT},
};

/* Takes the meaning out of brackets and backslashes. */
static void escape(const char *glob, char *out)
{
	for (; *glob; glob++) {
		if (strchr("[]\\", *glob))
			*out++ = '\\';
		*out++ = *glob;
	}
	*out = '\0';
}

static bool is_shape(const struct where_term *t)
{
	for (int i = 0; i < SHAPES; i++)
		if (fnmatch(t->glob, shape_text((enum shape)i), 0) == 0)
			return true;
	return false;
}

int where_add(struct where *w, const char *text, struct diag *d)
{
	size_t len = strcspn(text, "=");
	size_t key = 0;
	while (key < ARRAY_SIZE(keys) &&
		(strlen(keys[key].word) != len || memcmp(keys[key].word, text, len) != 0))
		key++;
	if (text[len] != '=' || !text[len + 1] || key == ARRAY_SIZE(keys))
		return diag_set(d, ERR_FORMAT,
			"'%s' is no filter: write class=GLOB, site=, method=, package=, thread=, "
			"stack= or shape=",
			text);
	if (strlen(text + len + 1) >= WHERE_TEXT || w->count == WHERE_MAX)
		return diag_set(d, ERR_LIMIT,
			"too many or too long filters: at most %d of %d characters", WHERE_MAX,
			WHERE_TEXT - 1);
	struct where_term *term = &w->terms[w->count];
	term->key = (enum where_key)key;
	escape(text + len + 1, term->glob);
	if (key == WHERE_SHAPE && !is_shape(term))
		return diag_set(d, ERR_FORMAT,
			"'%s' is no shape: there are churn, mid-life, long-lived, immortal, "
			"bimodal and unknown",
			text + len + 1);
	w->count++;
	return ERR_NONE;
}

bool where_has(const struct where *w, enum where_key key)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->terms[i].key == key)
			return true;
	return false;
}

static bool any_frame(
	const struct where_term *t, const struct model *m, uint32_t frame, struct buf *scratch)
{
	for (; frame; frame = m->defs.frames.at[frame].parent) {
		buf_clear(scratch);
		label_frame(scratch, m, frame);
		if (fnmatch(t->glob, buf_text(scratch), 0) == 0)
			return true;
	}
	return false;
}

static bool holds(const struct where_term *t, const struct model *m, uint32_t site, uint32_t thread,
	struct buf *scratch)
{
	if (t->key == WHERE_SHAPE)
		return true;
	if (t->key == WHERE_STACK)
		return any_frame(t, m, m->defs.sites.at[site].frame, scratch);
	buf_clear(scratch);
	label_put(scratch, m, site, thread, keys[t->key].by);
	return fnmatch(t->glob, buf_text(scratch), 0) == 0;
}

bool where_account(const struct where *w, const struct model *m, uint32_t site, uint32_t thread,
	struct buf *scratch)
{
	for (size_t i = 0; i < w->count; i++)
		if (!holds(&w->terms[i], m, site, thread, scratch))
			return false;
	return true;
}

bool where_shape(const struct where *w, enum shape shape)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->terms[i].key == WHERE_SHAPE &&
			fnmatch(w->terms[i].glob, shape_text(shape), 0) != 0)
			return false;
	return true;
}
