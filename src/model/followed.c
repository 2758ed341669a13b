#include "model/followed.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "trace/format.h"

enum { ARRAY_LEAST = 16 }; /* bytes: no array is smaller */

/* -- Checkpoints: found by headers, the last that will do -- */

struct blocks {
	VEC(struct block_info) list;
};

/* Births of a site. */
struct pending {
	uint64_t site, births;
};

/* A birth that an event tells of. */
struct told {
	uint32_t site, young;
};

struct reading {
	struct followed *f;
	struct reader *r;
	const struct model *m;
	const struct followed_moment *at;
	struct diag *d;
	uint64_t segments;                /* so far, of a trace whose begin was forgotten */
	uint64_t from;                    /* offset: blocks of events before it are passed over */
	bool over;                        /* those that come are later than the moment */
	const struct followed_walk *walk; /* NULL: there is one moment, `at` */
	size_t walked;                    /* moments that were visited */
	bool counted;                     /* births were, in a reading of their own */
	bool closed;                      /* all chunks of the interval that is open were read */
	bool ahead;                       /* only the records are read */
	/* Where survivors alone are told of, since the last account. */
	VEC(struct pending) pending;
	VEC(struct told) told;
	size_t settled;       /* of those that were told, the first: an account came */
	site_numbers told_of; /* scratch, all 0 */
	bool lost;            /* an interval was */
};

static bool is_damage(int err)
{
	return err == ERR_CORRUPT || err == ERR_LIMIT || err == ERR_FORMAT || err == ERR_TRUNCATED;
}

/* What the trace is to blame for ends the reading and is no error. */
static int end_reading(struct reading *g, int got, const struct diag *d)
{
	if (!is_damage(got))
		return got < 0 ? diag_set(g->d, got, "%s", d->text) : got;
	g->f->damage = *d;
	return 0;
}

static int list_checkpoints(struct reading *g, struct blocks *out)
{
	struct block_info b;
	struct diag d = {""};
	int got;
	while ((got = reader_peek_block(g->r, &b, &d)) > 0) {
		if (b.kind == BLOCK_CHECKPOINT && vec_push(&out->list, b))
			return ERR_NOMEM;
		got = reader_skip_block(g->r, &b, &d);
		if (got <= 0)
			break;
	}
	return is_damage(got) ? 0 : got;
}

/* 1: read, and its head is in *chunk. */
static int read_at(struct reading *g, const struct block_info *b, struct event_chunk *chunk)
{
	struct event_reader e;
	struct diag d = {""};
	reader_seek(g->r, b);
	int got = reader_next_block(g->r, &d);
	if (got <= 0)
		return is_damage(got) ? 0 : got;
	if (event_reader_begin(&e, buf_slice(&g->r->raw), NULL) || !event_stands(e.chunk.kind))
		return 0;
	*chunk = e.chunk;
	return 1;
}

/* The chunks of one checkpoint, which end with the block before `end`: 1: it is whole, and of
 * before the moment; 0: not so; <0: an error. *n: how many there are, at least one. */
static int measure(struct reading *g, const struct blocks *b, size_t end, size_t *n)
{
	struct event_chunk last = {0}, c = {0};
	uint64_t objects = 0;
	for (*n = 0; *n < end; ++*n) {
		const struct block_info *block = &b->list.at[end - 1 - *n];
		int got = read_at(g, block, &c);
		if (got < 0)
			return got;
		if (*n && (!got || c.interval != last.interval))
			break;
		if (!got)
			return *n = 1, 0;
		last = c;
		objects += block->records;
	}
	return objects == last.thread && last.young < g->at->young;
}

static int begin_with(struct reading *g, const struct block_info *b, size_t count)
{
	struct event_chunk c = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < count && !err; i++) {
		int got = read_at(g, &b[i], &c);
		err = got < 0 ? got : heap_image_begin(&g->f->image, buf_slice(&g->r->raw));
	}
	g->from = b->offset;
	g->f->checkpoint = c.interval + 1;
	return err;
}

/* How many of the blocks are of before the moment: their clocks rise along the file. */
static int count_before(struct reading *g, const struct blocks *b, size_t *out)
{
	struct event_chunk c;
	size_t lo = 0, hi = b->list.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		int got = read_at(g, &b->list.at[middle], &c);
		if (got < 0)
			return got;
		if (got && c.young < g->at->young)
			lo = middle + 1;
		else
			hi = middle;
	}
	*out = lo;
	return ERR_NONE;
}

static int try_checkpoints(struct reading *g)
{
	struct blocks b = {0};
	size_t end = 0;
	int err = list_checkpoints(g, &b);
	err = err ? err : count_before(g, &b, &end);
	for (size_t n; end && !err; end -= n) {
		int got = measure(g, &b, end, &n);
		err = got < 0 ? got : ERR_NONE;
		if (got > 0)
			err = begin_with(g, &b.list.at[end - n], n);
		if (got > 0)
			break;
	}
	vec_release(&b.list);
	return err;
}

/* -- The rest, in the file's order -- */

static int reach_site(struct followed *f, uint64_t site)
{
	size_t more = site < f->counted.count ? 0 : (size_t)site + 1 - f->counted.count;
	if (more && (vec_reserve(&f->counted, more) || vec_reserve(&f->latest, more)))
		return ERR_NOMEM;
	for (; more; more--) {
		f->counted.at[f->counted.count++] = (struct quantity){0, 0};
		f->latest.at[f->latest.count++] = (struct latest_births){.young = 0};
	}
	return ERR_NONE;
}

static int count_births(struct reading *g, const struct record_site_births *s)
{
	struct followed *f = g->f;
	const struct quantity born = {s->objects, s->bytes};
	if (g->counted || s->young > g->at->young || s->site > f->image.site_ids)
		return ERR_NONE;
	if (reach_site(f, s->site))
		return ERR_NOMEM;
	struct latest_births *latest = &f->latest.at[s->site];
	if (s->young > latest->young)
		*latest = (struct latest_births){.young = s->young};
	quantity_add(&latest->born, born);
	quantity_add(&f->counted.at[s->site], born);
	f->births += s->objects;
	return ERR_NONE;
}

/* Of an object that no collection has looked at: what was born with it. All of that stands, unless
 * the last collection made no account. Else NULL. */
static struct latest_births *born_with(const struct followed *f, const struct image_object *o)
{
	if (o->told || o->site >= f->latest.count)
		return NULL;
	struct latest_births *latest = &f->latest.at[o->site];
	bool stands = latest->young > f->accounted && latest->young == o->young + 1;
	return stands && latest->born.objects ? latest : NULL;
}

static int size_latest(void *arg, uint64_t address, const struct image_object *o)
{
	struct latest_births *latest = born_with(arg, o);
	(void)address;
	if (latest && o->eighths)
		quantity_add(&latest->sized, (struct quantity){1, 8ull * o->eighths});
	return ERR_NONE;
}

/* -- Where survivors alone are told of: who was not looked at -- */

static int on_born(void *arg, const struct image_object *o)
{
	struct reading *g = arg;
	return vec_push(&g->told, ((struct told){o->site, o->young}));
}

/* What comes of them an account says. */
static int await_births(struct reading *g, const struct record_site_births *s)
{
	bool later = g->ahead || s->young > g->at->young || s->site > g->f->image.site_ids;
	return g->f->survivors && !later
		       ? vec_push(&g->pending, ((struct pending){s->site, s->objects}))
		       : ERR_NONE;
}

/* A number for each site. 0 or ERR_NOMEM. */
static int number_sites(site_numbers *n, uint64_t sites)
{
	while (n->count <= sites)
		if (vec_push(n, 0))
			return ERR_NOMEM;
	return ERR_NONE;
}

/* Where those end that are of before the clock: clocks rise along the file. */
static size_t told_before(const struct reading *g, uint64_t young)
{
	size_t end = g->settled;
	while (end < g->told.count && g->told.at[end].young < young)
		end++;
	return end;
}

/* They go when they are half of all, so that each that waits is moved a few times at most. */
static void drop_settled(struct reading *g, size_t end)
{
	size_t left = g->told.count - end;
	g->settled = end;
	if (end < left || !end)
		return;
	memmove(g->told.at, g->told.at + end, left * sizeof(*g->told.at));
	g->told.count = left;
	g->settled = 0;
}

/* Of an interval that was lost those that nobody told of may have lived. */
static void veil_births(struct reading *g, const struct pending *p)
{
	struct followed *f = g->f;
	uint64_t *told = &g->told_of.at[p->site], known = *told < p->births ? *told : p->births;
	*told -= known;
	if (!g->lost)
		return;
	f->veiled.at[p->site] += p->births - known;
	f->veiled_births += p->births - known;
}

/* Births that were told of are this account's up to its clock, and are waited for no more. As much
 * work as there are of them: not as there are sites, for accounts may be many. */
static int settle_births(struct reading *g, uint64_t young)
{
	if (!g->f->survivors || g->ahead)
		return ERR_NONE;
	uint64_t sites = g->f->image.site_ids;
	size_t end = told_before(g, young);
	if (number_sites(&g->told_of, sites) || number_sites(&g->f->veiled, sites))
		return ERR_NOMEM;
	for (size_t i = g->settled; i < end; i++)
		g->told_of.at[g->told.at[i].site]++;
	for (size_t i = 0; i < g->pending.count; i++)
		veil_births(g, &g->pending.at[i]);
	for (size_t i = g->settled; i < end; i++)
		g->told_of.at[g->told.at[i].site] = 0;
	drop_settled(g, end);
	g->pending.count = 0;
	g->lost = false;
	return ERR_NONE;
}

/* What was born of a site in what was forgotten, by the segment that the rest begins with. */
static int count_forgotten(struct reading *g, const struct record_site_before *s)
{
	const struct record_site_births births = {
		.site = s->site, .objects = s->objects, .bytes = s->bytes};
	return g->segments == 1 ? count_births(g, &births) : ERR_NONE;
}

/* An account stands behind all chunks of the interval that its collection ended, which a gc record
 * doesn't: it is written at once, they when the writer comes to it. */
static bool closes(const struct reading *g, const struct record *r)
{
	return r->kind == RECORD_end ||
	       (r->kind == RECORD_exact_gc && r->exact_gc.young > g->f->image.young);
}

static int read_births_record(struct reading *g, const struct record *r)
{
	int err = ERR_NONE;
	if (r->kind == RECORD_site_births) {
		err = count_births(g, &r->site_births);
		return err ? err : await_births(g, &r->site_births);
	}
	g->lost |= r->kind == RECORD_lost && r->lost.what == LOST_INTERVALS;
	if (r->kind == RECORD_exact_gc) {
		if (r->exact_gc.young > g->f->accounted)
			g->f->accounted = r->exact_gc.young;
		return settle_births(g, r->exact_gc.young);
	}
	if (r->kind == RECORD_end) /* what is told of births since the last account */
		return settle_births(g, UINT64_MAX);
	return r->kind == RECORD_site_before ? count_forgotten(g, &r->site_before) : ERR_NONE;
}

static int read_records(struct reading *g, struct diag *d)
{
	struct record record;
	int got = 0, err = ERR_NONE;
	while (!err && (got = reader_next_in_block(g->r, &record, d)) > 0) {
		err = read_births_record(g, &record);
		g->segments += record.kind == RECORD_segment && g->r->forgotten.blocks;
		g->closed |= closes(g, &record);
	}
	return err ? err : got;
}

/* All moments up to a clock: what comes is later. The interval that is open has ended then. */
static int walk_to(struct reading *g, uint64_t young)
{
	const struct followed_walk *w = g->walk;
	struct heap_image *h = &g->f->image;
	int err = ERR_NONE;
	for (; g->walked < w->count && w->young[g->walked] <= young && !err; g->walked++) {
		err = heap_image_end(h);
		g->f->untold = h->waits || (g->f->first && g->f->first > w->young[g->walked]);
		err = err ? err : w->visit(w->arg, g->f, g->walked);
	}
	return err;
}

static int read_events(struct reading *g)
{
	struct event_reader e;
	struct slice payload = buf_slice(&g->r->raw);
	int err = event_reader_begin(&e, payload, NULL);
	bool told = !err || err == ERR_UNSUPPORTED;
	if (told && g->walk && (err = walk_to(g, e.chunk.young)))
		return err;
	if (told)
		g->over = g->walk ? g->walked == g->walk->count : e.chunk.young >= g->at->young;
	g->closed = g->over;
	return g->over ? ERR_NONE : heap_image_chunk(&g->f->image, payload);
}

/* Where the begin was forgotten, and the last checkpoint is not to be begun with, the first is. */
static bool awaits(const struct reading *g)
{
	return g->f->image.waits;
}

static bool wanted(const struct reading *g, const struct block_info *b)
{
	bool events = b->kind == BLOCK_EVENTS || b->kind == BLOCK_SIZES;
	return b->kind == BLOCK_RECORDS || (events && !g->over && b->offset >= g->from) ||
	       (b->kind == BLOCK_CHECKPOINT && awaits(g));
}

/* The one that was waited for. */
static int read_checkpoint(struct reading *g)
{
	struct heap_image *h = &g->f->image;
	int err = heap_image_compare(h, buf_slice(&g->r->raw));
	if (err || h->waits)
		return err;
	g->f->checkpoint = h->interval + 1;
	g->f->first = h->began_young + 1;
	g->f->untold = !g->walk && h->began_young >= g->at->young;
	return ERR_NONE;
}

/* One block: 1; 0 the end; <0. */
static int read_block(struct reading *g, struct diag *d)
{
	struct block_info b;
	int got = reader_peek_block(g->r, &b, d);
	if (got <= 0)
		return got;
	g->closed |= b.kind == BLOCK_CHECKPOINT; /* behind all chunks of its interval, too */
	if (!wanted(g, &b))
		return reader_skip_block(g->r, &b, d);
	got = reader_next_block(g->r, d);
	if (got <= 0)
		return got;
	int err = b.kind == BLOCK_RECORDS      ? read_records(g, d)
		  : b.kind == BLOCK_CHECKPOINT ? read_checkpoint(g)
					       : read_events(g);
	return err < 0 ? err : 1;
}

static int read_all(struct reading *g)
{
	struct diag d = {""};
	int got;
	while ((got = read_block(g, &d)) > 0) {
	}
	return end_reading(g, got, &d);
}

bool followed_survivors(const struct model *m)
{
	struct slice how = facts_get(&m->facts, &m->defs.texts, "exact");
	return slice_equal(how, slice_str("survivors"));
}

static void start(struct reading *g)
{
	*g->f = (struct followed){.image = {.site_ids = g->m->defs.site_ids.dense,
					  .thread_ids = g->m->defs.thread_ids.dense},
		.survivors = followed_survivors(g->m),
		.accounted = g->at->young == UINT64_MAX ? 0 : UINT64_MAX};
	g->f->image.born = g->f->survivors ? on_born : NULL;
	g->f->image.born_arg = g;
}

static int read_to_the_end(struct reading *g)
{
	struct followed *f = g->f;
	if (g->r->forgotten.blocks && !f->checkpoint) {
		heap_image_await(&f->image);
		f->untold = true;
	}
	int err = read_all(g);
	if (err)
		return err;
	err = g->closed ? heap_image_end(&f->image) : heap_image_abandon(&f->image, &f->cut);
	bool end = g->at->young == UINT64_MAX && !(g->walk && g->walk->sizeless);
	return err || !end ? err : heap_image_each(&f->image, size_latest, f);
}

static int end_with(struct reading *g, int err)
{
	struct diag *d = g->d;
	bool told = d && d->text[0];
	vec_release(&g->pending);
	vec_release(&g->told);
	vec_release(&g->told_of);
	return err && !told ? diag_set(d, err, "%s", err_text(err)) : err;
}

int followed_read(struct followed *f, struct reader *r, const struct model *m,
	const struct followed_moment *at, struct diag *d)
{
	struct reading g = {.f = f, .r = r, .m = m, .at = at, .d = d};
	const struct block_info first = {.offset = r->next, .sequence = r->next_sequence};
	start(&g);
	int err = at->whole ? ERR_NONE : try_checkpoints(&g);
	reader_seek(r, &first);
	return end_with(&g, err ? err : read_to_the_end(&g));
}

/* Births of the whole trace: those of a moment may be told of behind events of later ones. */
static int read_births(struct reading *g)
{
	struct block_info b;
	struct diag d = {""};
	int err = ERR_NONE;
	g->ahead = true;
	while (!err && reader_peek_block(g->r, &b, &d) > 0) {
		bool records = b.kind == BLOCK_RECORDS;
		int got = records ? reader_next_block(g->r, &d) : reader_skip_block(g->r, &b, &d);
		if (got <= 0)
			break;
		err = records ? read_records(g, &d) : ERR_NONE;
	}
	g->counted = true;
	g->ahead = false;
	g->segments = 0;
	g->closed = false;
	/* Where it is damaged the second reading says so. */
	return err == ERR_NOMEM || err == ERR_IO ? err : ERR_NONE;
}

int followed_walk(struct followed *f, struct reader *r, const struct model *m,
	const struct followed_walk *w, struct diag *d)
{
	const struct followed_moment end = {
		.young = w->sizeless ? w->young[w->count - 1] : UINT64_MAX, .whole = true};
	struct reading g = {.f = f, .r = r, .m = m, .at = &end, .d = d, .walk = w};
	const struct block_info first = {.offset = r->next, .sequence = r->next_sequence};
	start(&g);
	f->image.gone = w->gone;
	f->image.gone_arg = w->arg;
	int err = w->sizeless ? ERR_NONE : read_births(&g);
	reader_seek(r, &first);
	err = err ? err : read_to_the_end(&g);
	return end_with(&g, err ? err : walk_to(&g, UINT64_MAX));
}

void followed_release(struct followed *f)
{
	heap_image_release(&f->image);
	vec_release(&f->counted);
	vec_release(&f->latest);
	vec_release(&f->veiled);
}

struct followed_moment followed_at(const struct model *m, ptrdiff_t gc)
{
	return (struct followed_moment){.young = gc == GCS_NONE ? 0 : m->gcs.list.at[gc].young};
}

/* -- Sizes -- */

/* Of a site that was told of nowhere before the moment those of the whole trace: the births of an
 * interval whose collection could not be accounted for are told with the next that can. */
static struct quantity counted_of(const struct followed *f, const struct model *m, uint32_t site)
{
	struct quantity q = {0, 0};
	if (site < f->counted.count)
		q = f->counted.at[site];
	return q.objects ? q : counts_births_of(&m->exact, site);
}

/* Of a site's arrays those that have a distance. */
static struct quantity sized(const struct followed *f, uint32_t site)
{
	if (site >= f->image.sites.count)
		return (struct quantity){0, 0};
	const struct image_site *s = &f->image.sites.at[site];
	return (struct quantity){s->sized, 8 * s->eighths};
}

/* Whether the distances leave as much of what was counted as the other arrays need at least. Else
 * some of them are from one buffer to another, and there's no telling which. */
static bool is_sound(struct quantity counted, struct quantity sized)
{
	struct quantity rest = quantity_less(counted, sized);
	return sized.objects <= counted.objects && sized.bytes <= counted.bytes &&
	       rest.bytes >= ARRAY_LEAST * rest.objects;
}

static uint64_t mean(struct quantity q, enum size_basis is, enum size_basis *basis)
{
	*basis = q.objects ? is : SIZE_UNKNOWN;
	return q.objects ? (uint64_t)llround((double)q.bytes / (double)q.objects) : 0;
}

uint64_t followed_size(const struct followed *f, const struct model *m,
	const struct image_object *o, enum size_basis *basis)
{
	const struct site_def *site = &m->defs.sites.at[o->site];
	if (o->told) {
		*basis = SIZE_TOLD;
		return 8ull * o->eighths;
	}
	if (!(m->defs.classes.at[site->class].flags & CLASS_ARRAY))
		return mean(counted_of(f, m, o->site), SIZE_CLASS, basis);
	const struct latest_births *latest = born_with(f, o);
	struct quantity all = latest ? latest->born : counted_of(f, m, o->site);
	struct quantity told = latest ? latest->sized : sized(f, o->site);
	bool sound = is_sound(all, told);
	if (sound && o->eighths) {
		*basis = SIZE_DISTANCE;
		return 8ull * o->eighths;
	}
	/* After a checkpoint it is not known which of those that are gone had a distance. */
	bool known = latest || !f->checkpoint;
	return mean(sound && known ? quantity_less(all, told) : all, SIZE_MEAN, basis);
}

uint64_t followed_lost(const struct followed *f)
{
	uint64_t told = f->image.totals.births;
	if (f->survivors)
		return f->veiled_births;
	return !f->checkpoint && f->births > told ? f->births - told : 0;
}
