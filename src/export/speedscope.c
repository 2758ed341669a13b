#include "export/speedscope.h"

#include <math.h>

#include "base/error.h"
#include "export/digits.h"
#include "export/frames.h"
#include "report/quote.h"

enum { OLD_AGE = 15 };

static bool is_infant(const struct cell *c)
{
	return c->fate == CELL_DIED && !c->age;
}

static bool is_survivor(const struct cell *c)
{
	return c->age >= 1;
}

static bool is_old(const struct cell *c)
{
	return c->age >= OLD_AGE;
}

static bool is_alive(const struct cell *c)
{
	return c->fate == CELL_ALIVE;
}

/* The profiles; a null test: all that was allocated. Names: in collections, and in full ones where
 * only those tell of deaths. */
static const struct profile {
	const char *name, *name_full;
	bool (*holds)(const struct cell *c);
} profiles[] = {
	{"allocated", "allocated", NULL},
	{"died in GC 0", "died in full GC 0", is_infant},
	{"survived 1 GC or more", "survived 1 full GC or more", is_survivor},
	{"survived 15 GCs or more", "survived 15 full GCs or more", is_old},
	{"alive at the end", "alive at the end", is_alive},
};

struct scope {
	const struct speedscope_source *s;
	struct out *out;
	struct frames frames;
	double *bytes; /* owned; of each site, in the profile at hand */
	struct buf scratch;
};

/* 1, 0, or ERR_NOMEM. */
static int passes(struct scope *w, uint32_t site, uint32_t thread)
{
	int pass = where_account(w->s->where, w->s->model, site, thread, &w->scratch);
	return w->scratch.failed ? ERR_NOMEM : pass;
}

static int add(struct scope *w, uint32_t site, uint32_t thread, double bytes)
{
	int pass = passes(w, site, thread);
	if (pass > 0)
		w->bytes[site] += bytes;
	return pass < 0 ? pass : ERR_NONE;
}

static int sum_up(struct scope *w, const struct profile *p)
{
	const struct ledger *l = w->s->ledger;
	const struct cells *c = w->s->cells;
	int err = ERR_NONE;
	memset(w->bytes, 0, w->s->model->defs.sites.count * sizeof(*w->bytes));
	for (size_t i = 0; !p->holds && i < l->accounts.count && !err; i++) {
		const struct account *a = &l->accounts.at[i];
		err = add(w, a->site, a->thread, a->tally.alloc.bytes.sum);
	}
	for (size_t i = 0; p->holds && i < c->list.count && !err; i++) {
		const struct cell *cell = &c->list.at[i];
		if (p->holds(cell))
			err = add(w, cell->site, cell->thread, cell->bytes);
	}
	return err;
}

static int put_stack(struct scope *w, uint32_t site)
{
	uint32_t path[FRAMES_PATH_MAX];
	struct buf *text = &w->out->text;
	int64_t depth = frames_path(&w->frames, w->s->model, site, path);
	for (int64_t i = 0; i < depth; i++) {
		buf_put_str(text, i ? "," : "[");
		digits_count(text, path[i]);
	}
	buf_put_u8(text, ']');
	return depth < 0 ? (int)depth : out_step(w->out);
}

/* Below half a byte a stack is left out: a weight of 0 has no width. */
static bool counts(double bytes)
{
	return bytes >= 0.5;
}

static int put_stacks(struct scope *w, double *sum)
{
	const char *comma = "\n";
	int err = ERR_NONE;
	*sum = 0;
	for (uint32_t site = 0; site < w->s->model->defs.sites.count && !err; site++) {
		if (!counts(w->bytes[site]))
			continue;
		buf_put_str(&w->out->text, comma);
		err = put_stack(w, site);
		*sum += round(w->bytes[site]);
		comma = ",\n";
	}
	return err;
}

static int put_weights(struct scope *w)
{
	const char *comma = "";
	for (uint32_t site = 0; site < w->s->model->defs.sites.count; site++) {
		if (!counts(w->bytes[site]))
			continue;
		buf_put_str(&w->out->text, comma);
		digits_number(&w->out->text, round(w->bytes[site]), NULL);
		comma = ",";
	}
	return out_step(w->out);
}

static int put_profile(struct scope *w, const struct profile *p)
{
	struct buf *text = &w->out->text;
	bool full = w->s->model->facts.deaths == DEATHS_OLD;
	double sum;
	int err = sum_up(w, p);
	if (err)
		return err;
	buf_put_str(text, "{\"type\":\"sampled\",\"name\":");
	quote_json(text, slice_str(full ? p->name_full : p->name));
	buf_put_str(text, ",\"unit\":\"bytes\",\"startValue\":0,\"samples\":[");
	err = put_stacks(w, &sum);
	if (err)
		return err;
	buf_put_str(text, "],\"weights\":[");
	err = put_weights(w);
	buf_put_str(text, "],\"endValue\":");
	digits_number(text, sum, NULL);
	buf_put_u8(text, '}');
	return err;
}

static int put_frame(struct scope *w, size_t number)
{
	struct buf *text = &w->out->text;
	struct frame_text f = frames_text(&w->frames, w->s->model, number, &w->scratch);
	buf_put_str(text, number ? ",\n{\"name\":" : "\n{\"name\":");
	quote_json(text, f.name);
	if (f.file.len) {
		buf_put_str(text, ",\"file\":");
		quote_json(text, f.file);
	}
	if (f.line) {
		buf_put_str(text, ",\"line\":");
		digits_count(text, f.line);
	}
	buf_put_u8(text, '}');
	return w->scratch.failed ? ERR_NOMEM : out_step(w->out);
}

static int put_file(struct scope *w)
{
	struct buf *text = &w->out->text;
	int err = ERR_NONE;
	buf_put_str(text, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
			  "\"exporter\":\"mayfly@" MAYFLY_VERSION "\",\"name\":");
	quote_json(text, slice_str(w->s->name));
	buf_put_str(text, ",\"activeProfileIndex\":0,\"profiles\":[");
	for (size_t i = 0; i < ARRAY_SIZE(profiles) && !err; i++) {
		buf_put_str(text, i ? ",\n" : "\n");
		err = put_profile(w, &profiles[i]);
	}
	buf_put_str(text, "],\n\"shared\":{\"frames\":[");
	for (size_t i = 0; i < w->frames.list.count && !err; i++)
		err = put_frame(w, i);
	buf_put_str(text, "]}}\n");
	return err ? err : out_flush(w->out);
}

int speedscope_put(struct out *o, const struct speedscope_source *s)
{
	struct scope w = {.s = s, .out = o};
	w.bytes = mem_zalloc(s->model->defs.sites.count, sizeof(*w.bytes));
	int err = w.bytes ? put_file(&w) : ERR_NOMEM;
	mem_free(w.bytes);
	frames_release(&w.frames);
	buf_release(&w.scratch);
	return err;
}
