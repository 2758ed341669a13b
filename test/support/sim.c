#include "support/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "stat/weight.h"

enum { RING = 1 << 12, NAME_ROOM = 512, COPIES = 64, SURVIVING = 100 << 20 };

/* An object in sight, and the collection that will find it dead. */
struct thing {
	uint64_t id, due;
	uint32_t age;
	bool untrack;
	double bytes; /* that it stands for */
};

struct world {
	const struct sim *s;
	sim_put *put;
	void *arg;
	struct rng rng;
	uint64_t time, alloc, young, full, number, ids;
	uint64_t died, untracked, tracked;
	struct map strings, methods, frames,
		threads; /* by hash of the name: names in tests are few */
	uint64_t next_string, next_method, next_frame;
	VEC(struct thing) rings[RING]; /* by due % RING */
	VEC(struct thing) old;         /* waiting for a whole collection */
	unsigned *pick;                /* site by lot */
	unsigned lots;
	/* By collection % COPIES: bytes that it copies to survivor spaces, and that it promotes. */
	double survivors[COPIES], promoted[COPIES], old_bytes;
	uint64_t heap, heap_alloc; /* in use after the last collection, and the clock then */
};

static int emit(struct world *w, const struct record *r)
{
	return w->put(w->arg, r);
}

/* 0: failed. */
static uint64_t string_id(struct world *w, const char *text, size_t len)
{
	uint64_t key = hash_bytes(text, len), *known = map_find(&w->strings, key);
	if (known)
		return *known;
	struct record r = {.kind = RECORD_string};
	r.string.id = ++w->next_string;
	r.string.text = slice(text, len);
	return map_put(&w->strings, key, w->next_string) || emit(w, &r) ? 0 : w->next_string;
}

/* "com.acme.Order.parse:12" */
static uint64_t method_id(struct world *w, const char *frame, uint64_t *line)
{
	const char *colon = strrchr(frame, ':');
	size_t len = colon ? (size_t)(colon - frame) : strlen(frame);
	*line = colon ? strtoull(colon + 1, NULL, 10) : 0;
	uint64_t key = hash_bytes(frame, len), *known = map_find(&w->methods, key);
	if (known)
		return *known;
	size_t dot = len;
	while (dot && frame[dot - 1] != '.')
		dot--;
	struct record r = {.kind = RECORD_method};
	r.method.class_name = string_id(w, frame, dot ? dot - 1 : 0);
	r.method.name = string_id(w, frame + dot, len - dot);
	r.method.id = ++w->next_method;
	return map_put(&w->methods, key, w->next_method) || emit(w, &r) ? 0 : w->next_method;
}

static uint64_t frame_id(struct world *w, const char *frame, uint64_t parent)
{
	uint64_t line, method = method_id(w, frame, &line);
	uint64_t key = hash64_pair(hash_bytes(frame, strlen(frame)), parent);
	uint64_t *known = map_find(&w->frames, key);
	if (known)
		return *known;
	struct record r = {.kind = RECORD_frame};
	r.frame.id = ++w->next_frame;
	r.frame.parent = parent;
	r.frame.method = method;
	r.frame.line = line;
	r.frame.bci = line ? (int64_t)line : -1;
	return map_put(&w->frames, key, w->next_frame) || emit(w, &r) ? 0 : w->next_frame;
}

static int define_site(struct world *w, unsigned i)
{
	const struct sim_site *site = &w->s->sites[i];
	struct record c = {.kind = RECORD_class}, r = {.kind = RECORD_site};
	unsigned depth = 0;
	while (depth < SIM_FRAMES && site->frames[depth])
		depth++;
	uint64_t frame = 0;
	while (depth && (frame = frame_id(w, site->frames[depth - 1], frame)))
		depth--;
	c.class.id = i + 1;
	c.class.name = string_id(w, site->class, strlen(site->class));
	r.site.id = i + 1;
	r.site.class = i + 1;
	for (unsigned k = i; k-- > 0;) /* the first of the same name */
		if (strcmp(w->s->sites[k].class, site->class) == 0)
			r.site.class = k + 1;
	r.site.frame = frame;
	int err = emit(w, &c);
	return err ? err : emit(w, &r);
}

static int define_collector(struct world *w, uint64_t id, const char *name, uint64_t role)
{
	struct record r = {.kind = RECORD_collector};
	r.collector.id = id;
	r.collector.name = string_id(w, name, strlen(name));
	r.collector.role = role;
	return emit(w, &r);
}

static int define_threads(struct world *w)
{
	int err = ERR_NONE;
	for (unsigned i = 0; i < w->s->threads && !err; i++) {
		char name[NAME_ROOM];
		snprintf(name, sizeof(name), "worker-%u", i + 1);
		struct record r = {.kind = RECORD_thread};
		r.thread.id = i + 1;
		r.thread.name = string_id(w, name, strlen(name));
		err = emit(w, &r);
	}
	return err;
}

static int begin(struct world *w)
{
	const struct sim *s = w->s;
	int err = ERR_NONE;
	for (const struct sim_text *f = s->facts; f && f->key && !err; f++) {
		struct record r = {.kind = RECORD_fact};
		r.fact.key = slice_str(f->key);
		r.fact.value = slice_str(f->value);
		err = emit(w, &r);
	}
	for (const char *const *n = s->notes; n && *n && !err; n++) {
		struct record r = {.kind = RECORD_note};
		r.note.text = slice_str(*n);
		err = emit(w, &r);
	}
	struct record c = {.kind = RECORD_config};
	c.config.id = 1;
	c.config.interval = s->interval;
	c.config.walk = s->walk ? s->walk : 1;
	c.config.track = s->track ? s->track : 1;
	err = err ? err : emit(w, &c);
	err = err ? err
		  : define_collector(
			    w, 1, "young collections", s->untold ? ROLE_UNKNOWN : s->young_role);
	err = err ? err : define_collector(w, 2, "whole collections", s->full_role);
	err = err ? err : define_threads(w);
	for (unsigned i = 0; i < s->count && !err; i++)
		err = define_site(w, i);
	return err;
}

static uint32_t draw_age(struct world *w, const struct sim_site *site)
{
	if (rng_below(&w->rng, 100) < site->infant)
		return 0;
	if (site->least == SIM_FOREVER)
		return SIM_FOREVER;
	return site->least + (uint32_t)rng_below(&w->rng, site->most - site->least + 1);
}

/* What the collections to come will copy of it. */
static void foresee(struct world *w, const struct thing *t)
{
	for (uint32_t k = 1; k <= t->age && k <= w->s->promote; k++)
		w->survivors[(w->number + k) % COPIES] += t->bytes;
	if (t->age > w->s->promote)
		w->promoted[(w->number + w->s->promote + 1) % COPIES] += t->bytes;
}

static int keep(struct world *w, const struct thing *t)
{
	if (t->due == UINT64_MAX)
		return ERR_NONE;
	return vec_push(&w->rings[t->due % RING], *t);
}

static int birth(struct world *w, unsigned i, uint64_t thread)
{
	uint32_t age = draw_age(w, &w->s->sites[i]);
	bool forever = age >= RING - 1 || !w->s->gc_bytes;
	struct thing t = {
		.id = ++w->ids, .due = forever ? UINT64_MAX : w->number + age + 1, .age = age};
	t.untrack = rng_below(&w->rng, 100) < w->s->untrack && !forever && age;
	if (t.untrack) /* after a collection that it survived */
		t.due = w->number + 1 + rng_below(&w->rng, age);
	uint64_t size = w->s->sites[i].size;
	t.bytes = (double)size * weight_poisson(size, w->s->interval) *
		  (double)(w->s->track ? w->s->track : 1);
	foresee(w, &t);
	struct record r = {.kind = RECORD_birth};
	r.birth = (struct record_birth){.time = w->time,
		.alloc = w->alloc,
		.object = t.id,
		.young = w->young,
		.full = w->full,
		.site = i + 1,
		.thread = thread,
		.size = w->s->sites[i].size,
		.config = 1};
	w->tracked++;
	if (w->s->truth)
		w->s->truth(w->arg, t.id, age);
	int err = emit(w, &r);
	return err ? err : keep(w, &t);
}

/* How fast the program is at this sample. */
static unsigned times(const struct sim *s, uint64_t sample)
{
	const struct sim_burst *b = &s->burst;
	return b->times && sample >= b->from && sample < b->to ? b->times : 1;
}

static int sample(struct world *w, unsigned fast)
{
	unsigned i = w->pick[rng_below(&w->rng, w->lots)];
	if (fast > 1 && rng_below(&w->rng, fast))
		i = w->s->burst.site;
	uint64_t thread = rng_below(&w->rng, w->s->threads) + 1;
	bool large = w->s->follow_max && w->s->sites[i].size > w->s->follow_max;
	if (!large && (!w->s->track || rng_below(&w->rng, w->s->track) == 0))
		return birth(w, i, thread);
	struct record r = {.kind = RECORD_alloc};
	r.alloc = (struct record_alloc){.time = w->time,
		.alloc = w->alloc,
		.site = i + 1,
		.thread = thread,
		.size = w->s->sites[i].size,
		.config = 1};
	return emit(w, &r);
}

static int gone(struct world *w, const struct thing *t)
{
	struct record r = {.kind = t->untrack ? RECORD_untrack : RECORD_death};
	if (t->untrack)
		r.untrack = (struct record_untrack){w->time, w->alloc, t->id, w->young, w->full, 0};
	else
		r.death = (struct record_death){w->time, w->alloc, t->id, w->young, w->full};
	w->untracked += t->untrack;
	w->died += !t->untrack;
	return emit(w, &r);
}

/* Tells what this collection found, and what is let go; what died old waits for one of the whole
 * heap. */
static int find_dead(struct world *w, bool whole)
{
	int err = ERR_NONE;
	size_t slot = w->number % RING;
	for (size_t i = 0; i < w->rings[slot].count && !err; i++) {
		const struct thing *t = &w->rings[slot].at[i];
		bool now = whole || t->untrack || (t->age <= w->s->promote && !w->s->old_only);
		err = now ? gone(w, t) : vec_push(&w->old, *t);
	}
	w->rings[slot].count = 0;
	for (size_t i = 0; whole && i < w->old.count && !err; i++)
		err = gone(w, &w->old.at[i]);
	if (whole)
		w->old.count = 0;
	return err;
}

/* What find_dead will take out of the old generation. */
static double old_dying(const struct world *w)
{
	double bytes = 0;
	size_t slot = w->number % RING;
	for (size_t i = 0; i < w->old.count; i++)
		bytes += w->old.at[i].bytes;
	for (size_t i = 0; i < w->rings[slot].count; i++)
		bytes += w->rings[slot].at[i].age > w->s->promote ? w->rings[slot].at[i].bytes : 0;
	return bytes;
}

/* Heap sizes, threshold and pause as a collector that copies would have them. */
static void set_copies(struct world *w, struct record_gc *gc, bool whole)
{
	const struct sim *s = w->s;
	double *survivors = &w->survivors[w->number % COPIES],
	       *promoted = &w->promoted[w->number % COPIES];
	double noise = 0.9 + 0.2 * rng_unit(&w->rng);
	w->old_bytes += *promoted - (whole ? old_dying(w) : 0);
	gc->old_after = (uint64_t)(w->old_bytes > 0 ? w->old_bytes : 0);
	gc->heap_after = gc->old_after + (uint64_t)*survivors;
	gc->tenuring = s->promote;
	gc->pause = (uint64_t)(noise * ((double)s->gc_ns + s->copy_ns * (*survivors + *promoted)));
	gc->end = gc->start + gc->pause;
	*survivors = *promoted = 0;
}

static int collect(struct world *w)
{
	const struct sim *s = w->s;
	w->number++;
	bool whole = !s->young_role || (s->full_every && w->number % s->full_every == 0);
	bool counts_young = !whole || s->full_role != ROLE_OLD_CONCURRENT;
	w->young += counts_young;
	w->full += whole;
	uint64_t pause = whole ? 20000000 : 3000000;
	struct record r = {.kind = RECORD_gc};
	r.gc = (struct record_gc){.start = w->time,
		.end = w->time + pause,
		.alloc = w->alloc,
		.number = w->number,
		.collector = whole ? 2 : 1,
		.young = w->young,
		.full = w->full,
		.pause = pause,
		.heap_after = SURVIVING,
		.heap_committed = 512u << 20};
	if (s->gc_ns)
		set_copies(w, &r.gc, whole);
	r.gc.heap_before = (w->heap ? w->heap : SURVIVING) + w->alloc - w->heap_alloc;
	w->heap = r.gc.heap_after;
	w->heap_alloc = w->alloc;
	w->time += r.gc.pause;
	int err = emit(w, &r);
	w->time += 200000;
	return err ? err : find_dead(w, whole);
}

static int tick(struct world *w, uint64_t samples)
{
	struct record r = {.kind = RECORD_tick};
	r.tick = (struct record_tick){.time = w->time,
		.alloc = w->alloc,
		.samples = samples + w->s->lost,
		.walked = samples,
		.tracked = w->tracked,
		.live = w->tracked - w->died - w->untracked,
		.lost = w->s->lost,
		.heap_used = 200u << 20,
		.heap_committed = 512u << 20,
		.agent_bytes = 3u << 20,
		.young = w->young,
		.full = w->full};
	return emit(w, &r);
}

static int end(struct world *w, uint64_t samples)
{
	struct record lost = {.kind = RECORD_lost}, r = {.kind = RECORD_end};
	lost.lost = (struct record_lost){.time = w->time, .count = w->s->lost};
	int err = w->s->lost ? emit(w, &lost) : ERR_NONE;
	r.end = (struct record_end){.time = w->time,
		.alloc = w->alloc,
		.samples = samples + w->s->lost,
		.walked = samples,
		.tracked = w->tracked,
		.died = w->died,
		.untracked = w->untracked,
		.alive = w->tracked - w->died - w->untracked,
		.lost = w->s->lost,
		.agent_bytes = 3u << 20};
	if (err || w->s->no_end)
		return err;
	return emit(w, &r);
}

static int live(struct world *w)
{
	const struct sim *s = w->s;
	uint64_t next_gc = s->gc_bytes, next_tick = 1000000000;
	int err = ERR_NONE;
	for (uint64_t i = 0; i < s->samples && !err; i++) {
		uint64_t step = 1 + rng_below(&w->rng, 2 * s->interval + 1);
		w->alloc += step;
		unsigned fast = times(s, i);
		w->time += (uint64_t)((double)step * 1e9 / (double)s->bytes_per_s / fast);
		if (s->gc_bytes && w->alloc >= next_gc) {
			next_gc += s->gc_bytes;
			err = collect(w);
		}
		if (!err && w->time >= next_tick) {
			next_tick += 1000000000;
			err = tick(w, i);
		}
		err = err ? err : sample(w, fast);
	}
	return err ? err : end(w, s->samples);
}

static int make_lots(struct world *w)
{
	for (unsigned i = 0; i < w->s->count; i++)
		w->lots += w->s->sites[i].rate;
	w->pick = mem_zalloc(w->lots + 1, sizeof(*w->pick));
	if (!w->pick)
		return ERR_NOMEM;
	unsigned lot = 0;
	for (unsigned i = 0; i < w->s->count; i++)
		for (unsigned k = 0; k < w->s->sites[i].rate; k++)
			w->pick[lot++] = i;
	return ERR_NONE;
}

int sim_run(const struct sim *given, sim_put *put, void *arg)
{
	struct sim s = *given;
	struct world *w = mem_zalloc(1, sizeof(*w));
	if (!w)
		return ERR_NOMEM;
	s.threads = s.threads ? s.threads : 1;
	*w = (struct world){.s = &s, .put = put, .arg = arg, .rng = rng_init(s.seed)};
	int err = make_lots(w);
	err = err ? err : begin(w);
	err = err ? err : live(w);
	for (size_t i = 0; i < RING; i++)
		vec_release(&w->rings[i]);
	vec_release(&w->old);
	map_release(&w->strings);
	map_release(&w->methods);
	map_release(&w->frames);
	map_release(&w->threads);
	mem_free(w->pick);
	mem_free(w);
	return err;
}
