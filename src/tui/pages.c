#include "tui/pages.h"

#include <string.h>

#include "base/error.h"
#include "report/advise_view.h"
#include "report/screen.h"
#include "tui/detail.h"
#include "tui/strip.h"

enum { NAMES = 10 };

static int put_detail(struct buf *out, const struct page *p)
{
	if (p->row)
		return detail_put(out, p->listing, p->sight, p->state, p->row, p->view.look.width);
	buf_put_str(out, "This row is no longer among those shown.\n");
	return out->failed;
}

/* What `mayfly advise` prints, but for its first line: that is on the screen already. */
static int put_advice(struct buf *out, const struct page *p)
{
	struct advise_view v = {.view = p->view,
		.advise = p->sight->advise,
		.ledger = p->sight->ledger,
		.least = ADVISE_LEAST};
	struct buf all = {0};
	v.view.notes = p->sight->advise_notes;
	int err = advise_screen_put(&all, &v);
	const char *text = buf_text(&all);
	text += strcspn(text, "\n");
	buf_put_str(out, *text ? text + 1 : text);
	buf_release(&all);
	return err ? err : out->failed;
}

static int put_notes(struct buf *out, const struct page *p)
{
	screen_legend(out, &p->view);
	screen_notes(out, &p->view);
	return out->failed;
}

static int put_help(struct buf *out, const struct page *p)
{
	for (int a = ACTION_NONE + 1; a < ACTIONS; a++) {
		buf_put_str(out, "  ");
		text_pad(out, slice_str(keys_names((enum action)a)), NAMES, false);
		text_wrap(out, &p->view.look, keys_help((enum action)a), 2 + NAMES, 2 + NAMES);
	}
	buf_put_str(out, "\n  GCs: ");
	for (int k = 0; k < GC_KINDS; k++)
		buf_printf(out, "%s%c %s", k ? ", " : "", strip_letter((enum gc_kind)k),
			strip_word((enum gc_kind)k));
	buf_put_str(out, "; above them their pauses, to the scale of the longest.\n");
	screen_sentence(out, &p->view,
		"All figures are of the whole recording so far, and those of mayfly report. The "
		"recorded program hands over what it has once a second.");
	return out->failed;
}

int pages_put(struct buf *out, const struct page *p)
{
	static int (*const puts[PAGES])(struct buf *, const struct page *) = {
		[PAGE_DETAIL] = put_detail,
		[PAGE_ADVICE] = put_advice,
		[PAGE_NOTES] = put_notes,
		[PAGE_HELP] = put_help,
	};
	return puts[p->state->page](out, p);
}
