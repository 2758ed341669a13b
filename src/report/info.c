#include "report/info.h"

#include <stdio.h>
#include <time.h>

#include "analyze/filling.h"
#include "base/error.h"
#include "base/units.h"
#include "report/exact_view.h"
#include "report/screen.h"
#include "report/story_view.h"

static struct slice fact(const struct view *v, const char *key)
{
	return facts_get(&v->model->facts, &v->model->defs.texts, key);
}

static void put_fact(struct buf *out, const struct view *v, const char *before, const char *key,
	const char *after)
{
	struct slice value = fact(v, key);
	if (!value.len)
		return;
	buf_put_str(out, before);
	text_clean(out, value);
	buf_put_str(out, after);
}

/* A fact that is a number, with its noun. */
static void put_count(struct buf *out, const struct view *v, const char *before, const char *key,
	const char *one, const char *many)
{
	put_fact(out, v, before, key, slice_equal(fact(v, key), slice_str("1")) ? one : many);
}

const char *info_ending(const struct model *m)
{
	static const char *const reasons[] = {[END_VM] = "until the program ended",
		[END_STOPPED] = "until it was stopped",
		[END_DURATION] = "until its time was over",
		[END_TROUBLE] = "until the agent met trouble"};
	if (m->damage.text[0])
		return "damaged: the rest can't be read";
	if (!m->complete)
		return "cut: it has no end";
	return m->end_reason < ARRAY_SIZE(reasons) ? reasons[m->end_reason] : "ended";
}

/* "2026-11-21 08:00:05 UTC, 92.4 s, until the program ended" */
static void put_when(struct buf *out, const struct view *v)
{
	char text[64] = "", length[UNITS_MAX];
	time_t seconds = (time_t)(v->model->wall.v / 1000000000u);
	struct tm tm;
	if (v->model->wall.v && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC, ", &tm);
	buf_printf(out, "%s%s, %s", text, units_time((double)v->model->now.time, length),
		info_ending(v->model));
}

/* "the last 5m: from 12 s to 5 min 12 s; 1.2 GB in 31 002 blocks forgotten". */
static void put_cyclic(struct buf *out, const struct view *v)
{
	const struct begin *b = &v->model->begin;
	char from[UNITS_MAX], to[UNITS_MAX], bytes[UNITS_MAX], blocks[UNITS_MAX];
	put_fact(out, v, "the last ", "cyclic", "");
	if (!out->len)
		return;
	if (!b->forgotten.blocks) {
		buf_put_str(out, "; nothing is forgotten yet");
		return;
	}
	buf_printf(out, ": from %s to %s; %s in ", units_time((double)b->time, from),
		units_time((double)(b->time + v->model->now.time), to),
		units_bytes((double)b->forgotten.bytes, bytes));
	buf_printf(out, "%s blocks forgotten", units_count(b->forgotten.blocks, blocks));
}

static void put_program(struct buf *out, const struct view *v)
{
	char after[UNITS_MAX], from[32 + UNITS_MAX] = ", recorded from its ";
	put_fact(out, v, "", "command", "");
	put_fact(out, v, " (pid ", "pid", ")");
	if (v->model->facts.waited)
		snprintf(from, sizeof(from), ", recorded from %s after its ",
			units_time((double)v->model->facts.waited, after));
	put_fact(out, v, from, "start", "");
}

static void put_vm(struct buf *out, const struct view *v)
{
	put_fact(out, v, "JDK ", "jdk.version", "");
	put_fact(out, v, ", ", "vm.name", "");
	put_fact(out, v, ", ", "vm.vendor", "");
	put_count(out, v, ", ", "cpus", " CPU", " CPUs");
}

static void put_collector(struct buf *out, const struct view *v)
{
	const struct gcs *g = &v->model->gcs;
	char a[UNITS_MAX], b[UNITS_MAX];
	put_fact(out, v, "", "gc", ", ");
	screen_gcs(out, v->model);
	if (!g->list.count)
		return;
	buf_printf(out, "; pauses %s in all, %s at most", units_time((double)g->pause_total, a),
		units_time((double)g->pause_max, b));
	if (g->forced)
		buf_printf(out, "; %s asked for", units_count(g->forced, a));
}

static void put_heap(struct buf *out, const struct view *v)
{
	const struct standing *s = &v->model->standing;
	char a[UNITS_MAX], b[UNITS_MAX];
	if (s->heap_peak)
		buf_printf(out, "%s used at most", units_bytes((double)s->heap_peak, a));
	if (s->heap_peak && s->committed_peak)
		buf_printf(out, ", %s committed", units_bytes((double)s->committed_peak, b));
}

static void put_config(struct buf *out, const struct config_def *c)
{
	char a[UNITS_MAX];
	buf_put_str(out, c->interval ? "one sample in " : "every allocation");
	if (c->interval)
		text_count(out, c->interval, "byte", "bytes");
	if (c->walk > 1)
		buf_printf(out, ", 1 stack in %.0f walked", c->walk);
	if (c->track > 1)
		buf_printf(out, ", 1 life in %.0f followed", c->track);
	if (c->capacity)
		buf_printf(out, ", at most %s at once", units_count(c->capacity, a));
}

static void put_sampling(struct buf *out, const struct view *v)
{
	const struct facts *f = &v->model->facts;
	put_fact(out, v, "", "engine", " engine");
	put_count(out, v, ", stacks of ", "depth", " frame", " frames");
	if (f->turns.count) {
		buf_put_str(out, out->len ? "; " : "");
		put_config(out, facts_in_force(f));
	}
	if (f->turns.count > 1) {
		buf_put_str(out, " (at the end; changed ");
		text_count(out, f->turns.count - 1, "time", "times");
		buf_put_u8(out, ')');
	}
}

static void put_samples(struct buf *out, const struct view *v)
{
	char a[UNITS_MAX];
	buf_printf(out, "%s", units_count(view_samples(v->model), a));
	buf_printf(out, ", %s lost", units_count(view_lost(v->model), a));
}

/* "between collections they stand for 6.08 GB, and the heap filled by 6.12 GB". */
static void put_filling(struct buf *out, const struct view *v)
{
	char a[UNITS_MAX], b[UNITS_MAX];
	struct filling f = filling_of(v->model);
	if (!f.spans)
		return;
	buf_printf(out, "between collections they stand for %s, and the heap filled by %s",
		units_bytes(f.sampled, a), units_bytes(f.bytes, b));
}

static void put_lives(struct buf *out, const struct view *v)
{
	const struct tallies *t = &v->model->tallies;
	char a[UNITS_MAX];
	buf_printf(out, "%s followed: ", units_count(t->born, a));
	buf_printf(out, "%s died, ", units_count(t->died, a));
	buf_printf(out, "%s alive at the end, ", units_count(t->alive, a));
	buf_printf(out, "%s let go", units_count(t->untracked, a));
}

static void put_exact(struct buf *out, const struct view *v)
{
	exact_put_counts(out, v->model);
}

static void put_audit(struct buf *out, const struct view *v)
{
	exact_put_audit(out, v->model);
}

static void put_walks(struct buf *out, const struct view *v)
{
	exact_put_walks(out, v->model);
}

/* "1.2 M births … in 4.1 MB of events: 3.4 bytes an object". */
static void put_events(struct buf *out, const struct view *v)
{
	const struct passed *e = &v->model->events, *c = &v->model->checkpoints;
	uint64_t births = v->model->exact.births.objects;
	char a[UNITS_MAX], b[UNITS_MAX];
	if (!e->blocks)
		return;
	buf_printf(out, "%s events of single objects in %s", units_count(e->records, a),
		units_bytes((double)e->bytes, b));
	if (births)
		buf_printf(out, ": %.2g bytes an object born", (double)e->bytes / (double)births);
	if (c->blocks)
		buf_printf(out, "; checkpoints, %s", units_bytes((double)c->bytes, a));
}

/* "14 rounds · all promoted after 2 collections · 1 decision taken back". */
static void put_tenure(struct buf *out, const struct view *v)
{
	struct story story;
	if (story_find(&story, v->model)) {
		out->failed = ERR_NOMEM;
		return;
	}
	if (story.why == STORY_DONE)
		story_put_line(out, &v->look, &story);
	else if (story.why != STORY_UNASKED)
		story_put_why(out, &story);
	story_release(&story);
}

static void put_places(struct buf *out, const struct view *v)
{
	const struct defs *d = &v->model->defs;
	const struct {
		size_t count;
		const char *one, *many;
	} places[] = {
		{d->sites.count, "site", "sites"},
		{d->frames.count, "frame", "frames"},
		{d->methods.count, "method", "methods"},
		{d->classes.count, "class", "classes"},
		{d->threads.count, "thread", "threads"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		buf_put_str(out, i ? ", " : "");
		/* The first of each stands for what is not known. */
		text_count(out, places[i].count - 1, places[i].one, places[i].many);
	}
}

static void put_agent(struct buf *out, const struct view *v)
{
	char a[UNITS_MAX];
	put_fact(out, v, "version ", "agent.version", "");
	if (v->model->standing.agent_peak)
		buf_printf(out, "%s%s of memory at most", out->len ? ", " : "",
			units_bytes((double)v->model->standing.agent_peak, a));
}

static void put_file(struct buf *out, const struct view *v)
{
	buf_printf(out, "format %u.%u, ", v->model->major, v->model->minor);
	text_count(out, v->model->blocks, "block", "blocks");
	buf_put_str(out, ", ");
	text_count(out, v->model->records, "record", "records");
}

static const struct {
	const char *name;
	void (*put)(struct buf *out, const struct view *v);
} lines[] = {
	{"recorded", put_when},
	{"keeps", put_cyclic},
	{"program", put_program},
	{"VM", put_vm},
	{"collector", put_collector},
	{"heap", put_heap},
	{"sampling", put_sampling},
	{"samples", put_samples},
	{"", put_filling},
	{"lives", put_lives},
	{"exact", put_exact},
	{"", put_audit},
	{"", put_walks},
	{"events", put_events},
	{"tenure", put_tenure},
	{"places", put_places},
	{"agent", put_agent},
	{"file", put_file},
};

enum { NAME_WIDTH = 11 };

int info_put(struct buf *out, const struct view *v)
{
	text_tone(out, &v->look, TONE_BOLD, v->file);
	buf_put_u8(out, '\n');
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct buf value = {0};
		lines[i].put(&value, v);
		if (value.len) {
			buf_put_str(out, "  ");
			text_pad(out, slice_str(lines[i].name), NAME_WIDTH, false);
			text_wrap(out, &v->look, buf_text(&value), NAME_WIDTH + 2, NAME_WIDTH + 2);
		}
		out->failed = value.failed ? value.failed : out->failed;
		buf_release(&value);
	}
	if (v->notes->list.count)
		buf_put_u8(out, '\n');
	screen_notes(out, v);
	return out->failed;
}
