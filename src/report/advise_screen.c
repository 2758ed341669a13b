#include <math.h>
#include <string.h>

#include "analyze/path.h"
#include "base/units.h"
#include "report/advise_view.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/short.h"

enum { PATH_SHOWN = 4, INDENT = 4, LABEL = 8 };

static double alloc_bytes(const struct tally *t)
{
	return t->alloc.bytes.sum;
}

/* "2.1 ms/s" is a share of the time: it reads as one. */
static void put_time_share(struct buf *out, const struct advise_view *v, double ns_per_s)
{
	put_percent(out, &v->view.look, ns_per_s / 1e9, 0);
	buf_put_str(out, " of the time");
}

static void put_gc(struct buf *out, const struct advise_view *v, const struct finding *f)
{
	if (!isnan(f->gc)) {
		put_time_share(out, v, f->gc);
		buf_put_str(out, " in GC");
	} else if (!isnan(f->gc_most)) {
		buf_put_str(out, "at most ");
		put_time_share(out, v, f->gc_most);
		buf_put_str(out, " in GC");
	}
}

static void put_head(struct buf *out, const struct advise_view *v, size_t i)
{
	const struct finding *f = &v->advise->findings.at[i];
	struct buf title = {0}, cost = {0};
	char a[UNITS_MAX];
	buf_printf(&title, "%2zu  %s", i + 1, rule_title(f->rule));
	put_gc(&cost, v, f);
	if (!cost.len && f->bytes > 0)
		buf_printf(&cost, "%s/s", units_bytes(f->bytes, a));
	size_t line = out->len;
	const char *dot = text_mark(&v->view.look, " · ", " - ");
	text_tone(out, &v->view.look, TONE_BOLD, buf_text(&title));
	if (cost.len)
		line = text_join(out, &v->view.look, line, dot, buf_text(&cost), INDENT);
	text_join(out, &v->view.look, line, dot, sure_word(f->sure), INDENT);
	buf_put_u8(out, '\n');
	buf_release(&title);
	buf_release(&cost);
}

static void put_line(struct buf *out, const struct advise_view *v, struct buf *line)
{
	int width = v->view.look.width;
	text_blanks(out, INDENT);
	text_clip(out, buf_slice(line), width > INDENT ? (size_t)(width - INDENT) : SIZE_MAX,
		&v->view.look);
	buf_put_u8(out, '\n');
	buf_release(line);
}

/* Whether the path begins with the row's own frames: one that was split off may have another. */
static bool agrees(const struct path *p, const struct model *m, const struct row *r)
{
	uint32_t frame;
	for (uint32_t i = 0; (frame = row_frame(r, m, i)); i++)
		if (i >= p->count || m->defs.frames.at[p->frames[i]].location !=
					     m->defs.frames.at[frame].location)
			return false;
	return true;
}

/* The callers that most of it comes by, behind the row's own frames. */
static void put_callers(struct buf *out, const struct advise_view *v, const struct row *r)
{
	const struct model *m = v->view.model;
	struct path path = path_find(m, v->ledger, r->class, row_frame(r, m, 0), alloc_bytes);
	size_t i = r->context.frames;
	struct buf line = {0};
	/* The application's caller is on the line above already. */
	for (size_t k = i; r->caller && k < path.count; k++)
		if (path.frames[k] == r->caller)
			i = k + 1;
	if (!agrees(&path, m, r))
		return;
	for (size_t shown = 0; i < path.count && shown < PATH_SHOWN; i++, shown++) {
		buf_put_str(&line, shown ? " " : "  ");
		buf_put_str(&line, text_mark(&v->view.look, "← ", "<- "));
		short_frame(&line, m, path.frames[i], true);
	}
	if (line.len)
		put_line(out, v, &line);
}

static void put_place(struct buf *out, const struct advise_view *v, const struct row *r)
{
	struct buf line = {0};
	short_simple(&line, defs_class_name(&v->view.model->defs, r->class));
	buf_put_str(&line, " of ");
	short_place(&line, v->view.model, r, &v->view.look);
	put_line(out, v, &line);
	put_callers(out, v, r);
}

static void put_text(
	struct buf *out, const struct advise_view *v, const char *label, const char *text)
{
	struct buf clean = {0};
	if (!*text)
		return;
	text_blanks(out, INDENT);
	text_pad(out, slice_str(label), LABEL, false);
	text_clean(&clean, slice_str(text));
	text_wrap(out, &v->view.look, buf_text(&clean), INDENT + LABEL, INDENT + LABEL);
	buf_release(&clean);
}

static void put_finding(struct buf *out, const struct advise_view *v, size_t i)
{
	const struct finding *f = &v->advise->findings.at[i];
	buf_put_u8(out, '\n');
	put_head(out, v, i);
	if (f->row)
		put_place(out, v, f->row);
	put_text(out, v, "is", f->facts);
	put_text(out, v, "do", f->todo);
	put_text(out, v, "option", f->option);
	put_text(out, v, "then", f->outcome);
}

/* "GC takes 2.4 % of the time; copying 1 MB takes 1.2 ms (0.9 to 1.5)." */
static void put_cost(struct buf *out, const struct advise_view *v)
{
	const struct advise_run *r = &v->advise->run;
	char a[UNITS_MAX], b[UNITS_MAX], c[UNITS_MAX];
	buf_put_str(out, "GC pauses took ");
	put_percent(out, &v->view.look, r->seconds > 0 ? r->pause / r->seconds / 1e9 : 0, 0);
	buf_put_str(out, " of the time");
	if (r->cost_known) {
		buf_put_str(out, "; a young GC takes ");
		if (r->fixed > 0)
			buf_printf(out, "%s, and ", units_time(r->fixed, a));
		buf_printf(out, "%s (%s to %s) for each MB it copies",
			units_time(r->cost.value * 1e6, a), units_time(r->cost.lo * 1e6, b),
			units_time(r->cost.hi * 1e6, c));
	}
	buf_put_str(out, ".");
}

static void put_nothing(struct buf *out, const struct advise_view *v)
{
	const struct model *m = v->view.model;
	if (v->narrowed)
		buf_put_str(out, "Nothing found that was asked for. ");
	else if (!v->advise->run.alloc.n)
		buf_put_str(out, "Nothing to fix: nothing was sampled. ");
	else if (!m->gcs.list.count)
		buf_put_str(out, "Nothing to fix: no collection ran while it was recorded. ");
	else if (v->advise->run.collector != COLLECTOR_OTHER && !v->advise->run.ages_known)
		buf_printf(out,
			"Nothing to fix was found: %llu young GCs and what died in them are too "
			"little to go by. ",
			(unsigned long long)v->advise->run.young);
	else
		buf_put_str(out, "Nothing to fix: no place stands out by what it costs. ");
}

/* What was left out for being small. */
static void put_small(struct buf *out, const struct advise_view *v)
{
	if (!v->advise->small)
		return;
	buf_put_str(out, "\nleft out: ");
	text_count(out, v->advise->small, "finding", "findings");
	buf_printf(out, " worth less than %.2g %% of the time%s (--min 0 to show)\n",
		100 * v->least, v->advise->small > 1 ? " each" : "");
}

static void put_summary(struct buf *out, const struct advise_view *v)
{
	const struct advise *a = v->advise;
	struct buf text = {0};
	if (a->findings.count) {
		text_count(&text, a->findings.count + a->hidden, "finding", "findings");
		if (a->findings.count + a->hidden > 1)
			buf_put_str(&text, ", the costliest first; they overlap");
		buf_put_str(&text, ". ");
	} else {
		put_nothing(&text, v);
	}
	if (v->view.model->gcs.list.count)
		put_cost(&text, v);
	text_wrap(out, &v->view.look, buf_text(&text), 0, 0);
	buf_release(&text);
}

/* Whether events told of single objects. */
static bool has_endings(const struct advise_view *v)
{
	return v->ledger->endings && v->ledger->endings->told.objects;
}

int advise_screen_put(struct buf *out, const struct advise_view *v)
{
	screen_title(out, &v->view);
	screen_engine(out, &v->view,
		has_endings(v) ? ": what is allocated, copied, promoted or dies was counted; what "
				 "grows, callers and times are estimates from samples"
			       : ": what is allocated, copied, promoted or dies young was counted; "
				 "what is alive or dies old, callers and times are estimates from "
				 "samples");
	put_summary(out, v);
	for (size_t i = 0; i < v->advise->findings.count; i++)
		put_finding(out, v, i);
	if (v->advise->hidden)
		buf_printf(out, "\n%zu more (--limit to show)\n", v->advise->hidden);
	put_small(out, v);
	if (v->view.notes->list.count)
		buf_put_u8(out, '\n');
	screen_notes(out, &v->view);
	return out->failed ? ERR_NOMEM : ERR_NONE;
}
