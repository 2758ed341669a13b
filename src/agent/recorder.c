#include "agent/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "stat/weight.h"

enum {
	THREADS_MAX = 1 << 20,
	THREAD_ROOM = 128, /* bytes of a cyclic trace */
};

struct sieve recorder_sieve(const struct recorder *r)
{
	return configs_sieve(&r->configs);
}

uint64_t recorder_interval(const struct recorder *r, uint8_t spread)
{
	return configs_interval(&r->configs, spread);
}

struct ns recorder_now(const struct recorder *r)
{
	return clock_since(r->start);
}

void recorder_wake(const struct recorder *r)
{
	if (r->waker)
		waker_call(r->waker);
}

/* Once for each time that the writer looks. */
static void tell_writer(struct recorder *r)
{
	if (!atomic_exchange_explicit(&r->woken, true, memory_order_relaxed))
		recorder_wake(r);
}

static uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, memory_order_relaxed);
}

static int put(struct recorder *r, struct ns now, const struct record *record)
{
	return journal_put(&r->journal, now, record);
}

/* Each segment of a cyclic trace has all threads that there ever were, each in some ten bytes, and
 * perhaps a name of its own. */
static uint32_t threads_max(const struct options *o)
{
	uint64_t room = o->cyclic.bytes / THREAD_ROOM;
	if (!o->cyclic.bytes && !o->cyclic.ns)
		return UINT32_MAX;
	return o->cyclic.bytes && room < THREADS_MAX ? (uint32_t)room : THREADS_MAX;
}

int recorder_init(struct recorder *r, const struct options *o, uint32_t capacity, struct ns start,
	const struct waker *waker)
{
	memset(r, 0, sizeof(*r));
	r->waker = waker;
	r->start = start;
	if (journal_init(&r->journal, (struct ns){0}))
		return ERR_NOMEM;
	uint64_t held = mem_held(); /* before what is followed: names have what that leaves */
	r->journal.primer = o->cyclic.bytes || o->cyclic.ns ? &r->primer : NULL;
	if (live_init(&r->live, capacity, o->seed ? o->seed : clock_now().v)) {
		journal_release(&r->journal);
		return ERR_NOMEM;
	}
	pthread_mutex_init(&r->lock, NULL);
	catalog_init(&r->catalog, &r->journal, o->include, o->exclude, held + o->memory);
	r->catalog.threads_max = threads_max(o);
	configs_init(&r->configs, o, &r->journal, r->live.room, start);
	return ERR_NONE;
}

void recorder_begin(struct recorder *r, struct ns start)
{
	pthread_mutex_lock(&r->lock);
	r->start = start;
	configs_begin(&r->configs, start);
	pthread_mutex_unlock(&r->lock);
}

void recorder_release(struct recorder *r)
{
	if (!r->journal.current)
		return;
	catalog_release(&r->catalog);
	live_release(&r->live);
	journal_release(&r->journal);
	primer_release(&r->primer);
	pthread_mutex_destroy(&r->lock);
}

uint64_t recorder_first(const struct recorder *r)
{
	return configs_interval(&r->configs, r->configs.first);
}

void recorder_alone(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	configs_alone(&r->configs);
	pthread_mutex_unlock(&r->lock);
}

uint32_t recorder_config(struct recorder *r, uint64_t interval, const struct sieve *sieve)
{
	if (interval == recorder_interval(r, sieve->spread))
		return sieve->config;
	pthread_mutex_lock(&r->lock);
	uint32_t id = configs_of(&r->configs, interval, sieve);
	pthread_mutex_unlock(&r->lock);
	return id;
}

bool recorder_spaces(struct recorder *r, uint64_t *interval)
{
	if (!configs_want(&r->configs))
		return false;
	pthread_mutex_lock(&r->lock);
	bool mine = configs_tell(&r->configs, interval);
	pthread_mutex_unlock(&r->lock);
	return mine;
}

bool recorder_spaced(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	bool told = configs_told(&r->configs);
	pthread_mutex_unlock(&r->lock);
	return told;
}

void recorder_unspaced(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	configs_untold(&r->configs);
	pthread_mutex_unlock(&r->lock);
}

void recorder_clock(struct recorder *r, uint64_t size, uint64_t interval)
{
	double bytes = weight_bytes(size, interval);
	atomic_fetch_add_explicit(&r->alloc_bytes, (uint64_t)bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->samples, 1, memory_order_relaxed);
}

int recorder_exact(struct recorder *r, const struct record *record)
{
	pthread_mutex_lock(&r->lock);
	int err = journal_has_name_room(&r->journal) ? put(r, recorder_now(r), record) : ERR_FULL;
	pthread_mutex_unlock(&r->lock);
	return err;
}

bool recorder_tenure(struct recorder *r, const struct record *record)
{
	pthread_mutex_lock(&r->lock);
	bool told =
		journal_has_last_room(&r->journal) && put(r, recorder_now(r), record) == ERR_NONE;
	r->untold[LOST_DECISIONS].count += !told;
	pthread_mutex_unlock(&r->lock);
	return told;
}

static void lose(struct recorder *r, struct loss *untold, uint64_t size)
{
	r->lost++;
	untold->count++;
	untold->bytes += size;
}

void recorder_lose(struct recorder *r, uint64_t size, enum lost_reason why)
{
	pthread_mutex_lock(&r->lock);
	lose(r, why == LOST_MEMORY ? &r->starved : &r->untold[LOST_SAMPLES], size);
	pthread_mutex_unlock(&r->lock);
}

static int put_alloc(struct recorder *r, struct ns now, const struct sample *s, uint32_t site)
{
	struct record record = {.kind = RECORD_alloc};
	record.alloc = (struct record_alloc){.time = now.v,
		.alloc = load(&r->alloc_bytes),
		.site = site,
		.thread = s->thread,
		.size = s->size,
		.config = s->config};
	return put(r, now, &record);
}

static int put_birth(struct recorder *r, struct ns now, const struct sample *s, uint32_t site,
	struct object_id object)
{
	struct record record = {.kind = RECORD_birth};
	record.birth = (struct record_birth){.time = now.v,
		.alloc = load(&r->alloc_bytes),
		.object = object.v,
		.young = s->young,
		.full = s->full,
		.site = site,
		.thread = s->thread,
		.size = s->size,
		.config = s->config};
	return put(r, now, &record);
}

static void teach_birth(struct recorder *r, const struct sample *s, int64_t tag)
{
	struct lesson lesson = {.class_id = s->class_id,
		.stack = s->stack,
		.depth = s->depth,
		.size = s->size,
		.young = s->young,
		.weight = weight_bytes(s->size, s->interval) * (double)(1ull << s->shift)};
	if (r->learning)
		learning_birth(r->learning, live_slot_of(tag), &lesson);
}

/* Follows the object's life where a slot is free; the eviction that makes one comes before
 * (recorder_choose). */
static enum sample_outcome record_sample(
	struct recorder *r, const struct sample *s, uint64_t key, int64_t *tag)
{
	uint64_t unknown;
	struct catalog *c = &r->catalog;
	if (!journal_has_room(&r->journal))
		return OUTCOME_LOST;
	struct ns now = recorder_now(r);
	uint32_t site = stacks_find(&c->stacks, key);
	if (!site) {
		if (!s->asked && catalog_methods_to_ask(c, s->stack, s->depth,
					 METHOD_HELD_BY_SAMPLES, &unknown, 1))
			return OUTCOME_UNKNOWN;
		if (!catalog_wants(c, s->stack, s->depth))
			return OUTCOME_UNWANTED;
		site = catalog_site(c, now, s->class_id, s->stack, s->depth, s->cut);
	}
	if (!s->follow || live_is_full(&r->live))
		return put_alloc(r, now, s, site) ? OUTCOME_LOST : OUTCOME_RECORDED;
	struct object_id object;
	*tag = live_add(&r->live, &object);
	if (put_birth(r, now, s, site, object)) {
		live_remove(&r->live, *tag, &object);
		return OUTCOME_LOST;
	}
	r->tracked++;
	teach_birth(r, s, *tag);
	return OUTCOME_FOLLOWED;
}

void recorder_born(const struct recorder *r, struct sample *s)
{
	s->young = load(&r->young);
	s->full = load(&r->full);
}

enum sample_outcome recorder_sample(struct recorder *r, const struct sample *s, int64_t *tag)
{
	uint64_t key = stacks_key(s->class_id, s->stack, s->depth, s->cut);
	pthread_mutex_lock(&r->lock);
	enum sample_outcome outcome = record_sample(r, s, key, tag);
	if (outcome == OUTCOME_LOST)
		lose(r, &r->untold[LOST_SAMPLES], s->size);
	r->walked += outcome == OUTCOME_RECORDED || outcome == OUTCOME_FOLLOWED;
	if (outcome != OUTCOME_UNKNOWN)
		configs_walk(&r->configs, load(&r->samples), r->walked);
	bool full = r->journal.full_count > 0;
	pthread_mutex_unlock(&r->lock);
	if (full)
		tell_writer(r);
	return outcome;
}

void recorder_cpu(struct recorder *r, struct thread_cpu *own)
{
	cpu_share_ask(&r->configs.cpu, own, clock_now());
}

/* It was alive when we last knew of it. */
static void teach_parting(struct recorder *r, int64_t tag)
{
	if (r->learning)
		learner_let_go(r->learning->learner, live_slot_of(tag), load(&r->young));
}

static void put_untrack(struct recorder *r, struct object_id object, enum untrack_reason reason)
{
	struct ns now = recorder_now(r);
	struct record record = {.kind = RECORD_untrack};
	record.untrack = (struct record_untrack){.time = now.v,
		.alloc = load(&r->alloc_bytes),
		.object = object.v,
		.young = load(&r->young),
		.full = load(&r->full),
		.reason = reason};
	/* As with deaths: one that finds no room leaves an object that seems to live on. */
	if (put(r, now, &record) == ERR_NONE)
		r->untracked++;
	else
		r->untold[LOST_UNTRACKS].count++;
}

void recorder_untagged(struct recorder *r, int64_t tag)
{
	struct object_id object;
	pthread_mutex_lock(&r->lock);
	if (live_remove(&r->live, tag, &object)) {
		put_untrack(r, object, UNTRACK_TROUBLE);
		teach_parting(r, tag);
	}
	pthread_mutex_unlock(&r->lock);
}

void recorder_death(struct recorder *r, int64_t tag)
{
	struct object_id object;
	pthread_mutex_lock(&r->lock);
	if (live_remove(&r->live, tag, &object)) {
		struct ns now = recorder_now(r);
		struct record record = {.kind = RECORD_death};
		if (r->learning)
			learner_death(r->learning->learner, live_slot_of(tag), load(&r->young));
		record.death = (struct record_death){.time = now.v,
			.alloc = load(&r->alloc_bytes),
			.object = object.v,
			.young = load(&r->young),
			.full = load(&r->full)};
		/* Deaths may use the reserve; one that finds no room at all leaves an object that
		 * seems to live on. */
		if (put(r, now, &record) == ERR_NONE)
			r->died++;
		else
			r->untold[LOST_DEATHS].count++;
	}
	pthread_mutex_unlock(&r->lock);
}

uint32_t recorder_choose(struct recorder *r, int64_t tags[LIVE_BATCH])
{
	struct object_id objects[LIVE_BATCH];
	pthread_mutex_lock(&r->lock);
	/* One thread at a time; meanwhile the others use up the slots that are left. */
	uint32_t count =
		live_is_tight(&r->live) && !r->evicting ? live_choose(&r->live, tags, objects) : 0;
	r->evicting = r->evicting || count > 0;
	pthread_mutex_unlock(&r->lock);
	return count;
}

void recorder_evicted(struct recorder *r, const int64_t *chosen, uint32_t count,
	const int64_t *found, uint32_t found_count)
{
	struct object_id object;
	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < found_count; i++)
		if (live_evicted(&r->live, found[i], &object)) {
			put_untrack(r, object, UNTRACK_EVICTED);
			teach_parting(r, found[i]);
		}
	for (uint32_t i = 0; i < count; i++)
		live_keep(&r->live, chosen[i]);
	r->evicting = false;
	pthread_mutex_unlock(&r->lock);
}

static uint64_t since_start(const struct recorder *r, struct ns t)
{
	return t.v > r->start.v ? t.v - r->start.v : 0;
}

void recorder_collection(struct recorder *r, const struct collection *c)
{
	pthread_mutex_lock(&r->lock);
	struct ns now = recorder_now(r);
	struct record record = {.kind = RECORD_gc};
	record.gc = c->gc;
	record.gc.start = since_start(r, c->begin);
	record.gc.end = since_start(r, c->end);
	record.gc.alloc = load(&r->alloc_bytes);
	record.gc.number = ++r->collections;
	record.gc.cause = catalog_string(&r->catalog, now, slice_str(c->cause));
	if (put(r, now, &record))
		r->untold[LOST_GCS].count++;
	if (r->learning)
		learning_collection(
			r->learning, &(struct lesson_gc){&record.gc, c->young, c->full, c->more,
					     c->failed, c->young_bytes, c->promoted, c->survivors});
	pthread_mutex_unlock(&r->lock);
}

void recorder_bound(struct recorder *r, uint64_t walks_per_second)
{
	pthread_mutex_lock(&r->lock);
	configs_bound(&r->configs, walks_per_second);
	pthread_mutex_unlock(&r->lock);
}

void recorder_pause_begins(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	if (r->learning)
		learning_begins(r->learning);
	pthread_mutex_unlock(&r->lock);
}

void recorder_pause(struct recorder *r, struct ns begin, struct ns end, uint64_t kind)
{
	pthread_mutex_lock(&r->lock);
	struct record record = {.kind = RECORD_pause};
	record.pause = (struct record_pause){
		.start = since_start(r, begin), .end = since_start(r, end), .kind = kind};
	put(r, recorder_now(r), &record);
	pthread_mutex_unlock(&r->lock);
}

void recorder_fact(struct recorder *r, const char *key, const char *value)
{
	struct record record = {.kind = RECORD_fact};
	size_t len = strlen(value);
	record.fact.key = slice_str(key);
	record.fact.value = slice(value, len < TEXT_MAX ? len : TEXT_MAX);
	pthread_mutex_lock(&r->lock);
	put(r, recorder_now(r), &record);
	pthread_mutex_unlock(&r->lock);
}

static void put_note(struct recorder *r, enum severity severity, const char *text)
{
	struct record record = {.kind = RECORD_note};
	struct ns now = recorder_now(r);
	record.note.time = now.v;
	record.note.severity = severity;
	record.note.text = slice_str(text);
	if (put(r, now, &record))
		r->untold[LOST_NOTES].count++;
}

void recorder_note(struct recorder *r, enum severity severity, const char *text)
{
	pthread_mutex_lock(&r->lock);
	put_note(r, severity, text);
	pthread_mutex_unlock(&r->lock);
}

static void tell_lost(struct recorder *r, struct ns now, struct loss *untold, enum lost_what what,
	enum lost_reason why)
{
	struct record record = {.kind = RECORD_lost};
	record.lost = (struct record_lost){.time = now.v,
		.what = what,
		.count = untold->count,
		.bytes = untold->bytes,
		.reason = why};
	if (untold->count && put(r, now, &record) == ERR_NONE)
		*untold = (struct loss){0};
}

static void tell_bounds(struct recorder *r)
{
	const struct catalog *c = &r->catalog;
	char text[160];
	if (c->full && !r->noted_full)
		put_note(r, NOTE_WARNING,
			"the agent's memory bound is met: new allocation sites are recorded as "
			"unknown (raise it with memory=SIZE)");
	if (c->threads_full && !r->noted_threads) {
		snprintf(text, sizeof(text),
			"a cyclic trace of this size has room for %u threads: what later ones "
			"allocate is told as of no thread",
			c->threads_max);
		put_note(r, NOTE_WARNING, text);
	}
	r->noted_full = c->full;
	r->noted_threads = c->threads_full;
}

/* What was lost since the last time, once there is room to say so. */
static void tell_losses(struct recorder *r, struct ns now)
{
	if (!journal_has_room(&r->journal))
		return;
	for (int what = 0; what < LOST_WHATS; what++)
		tell_lost(r, now, &r->untold[what], (enum lost_what)what, LOST_BUFFERS);
	tell_lost(r, now, &r->starved, LOST_SAMPLES, LOST_MEMORY);
	tell_bounds(r);
}

static void put_tick(struct recorder *r, struct ns now, uint64_t heap_used, uint64_t heap_committed)
{
	struct record record = {.kind = RECORD_tick};
	record.tick = (struct record_tick){.time = now.v,
		.alloc = load(&r->alloc_bytes),
		.samples = load(&r->samples),
		.walked = r->walked,
		.tracked = r->tracked,
		.live = r->live.count,
		.lost = r->lost,
		.heap_used = heap_used,
		.heap_committed = heap_committed,
		.agent_bytes = footprint_bytes(&r->footprint),
		.young = load(&r->young),
		.full = load(&r->full)};
	put(r, now, &record);
}

void recorder_tick(struct recorder *r, uint64_t heap_used, uint64_t heap_committed)
{
	footprint_look(&r->footprint);
	pthread_mutex_lock(&r->lock);
	struct ns now = recorder_now(r);
	tell_losses(r, now);
	configs_tick(&r->configs, load(&r->samples), r->walked);
	catalog_tick(&r->catalog);
	put_tick(r, now, heap_used, heap_committed);
	pthread_mutex_unlock(&r->lock);
}

/* Stacks of which the VM did not tell each method. */
static void tell_parts(struct recorder *r)
{
	char text[192];
	if (!r->catalog.parts)
		return;
	snprintf(text, sizeof(text),
		"%" PRIu64 " sampled stacks are told up to a frame whose method the VM did not "
		"name, as may be where classes are redefined",
		r->catalog.parts);
	put_note(r, NOTE_INFO, text);
}

void recorder_end(struct recorder *r, enum end_reason reason)
{
	footprint_look_now(&r->footprint);
	pthread_mutex_lock(&r->lock);
	struct ns now = recorder_now(r);
	tell_losses(r, now);
	tell_parts(r);
	struct record record = {.kind = RECORD_end};
	record.end = (struct record_end){.time = now.v,
		.alloc = load(&r->alloc_bytes),
		.reason = reason,
		.samples = load(&r->samples),
		.walked = r->walked,
		.tracked = r->tracked,
		.died = r->died,
		.untracked = r->untracked,
		.alive = r->tracked - r->died - r->untracked,
		.lost = r->lost,
		.agent_bytes = footprint_most(&r->footprint)};
	put(r, now, &record);
	pthread_mutex_unlock(&r->lock);
}

struct recorder_counts recorder_counts(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	struct recorder_counts c = {.samples = load(&r->samples),
		.walked = r->walked,
		.tracked = r->tracked,
		.died = r->died,
		.untracked = r->untracked,
		.alive = r->live.count,
		.lost = r->lost};
	pthread_mutex_unlock(&r->lock);
	return c;
}

struct block *recorder_take(struct recorder *r, bool push)
{
	pthread_mutex_lock(&r->lock);
	if (push)
		journal_push(&r->journal, recorder_now(r));
	struct block *b = journal_take(&r->journal);
	if (!b)
		atomic_store_explicit(&r->woken, false, memory_order_relaxed);
	pthread_mutex_unlock(&r->lock);
	return b;
}

void recorder_give_back(struct recorder *r, struct block *b)
{
	pthread_mutex_lock(&r->lock);
	journal_give_back(&r->journal, b);
	pthread_mutex_unlock(&r->lock);
}

static void count_all(struct recorder *r, struct record_segment *out)
{
	*out = (struct record_segment){.time = recorder_now(r).v,
		.alloc = load(&r->alloc_bytes),
		.young = load(&r->young),
		.full = load(&r->full),
		.gcs = r->collections,
		.samples = load(&r->samples),
		.walked = r->walked,
		.tracked = r->tracked,
		.died = r->died,
		.untracked = r->untracked,
		.lost = r->lost - r->untold[LOST_SAMPLES].count - r->starved.count};
}

bool recorder_cut(struct recorder *r, struct record_segment *out, uint32_t *blocks)
{
	pthread_mutex_lock(&r->lock);
	journal_push(&r->journal, recorder_now(r));
	bool can = !r->journal.current->records && !r->primer.failed;
	count_all(r, out);
	*blocks = r->journal.full_count;
	pthread_mutex_unlock(&r->lock);
	return can;
}

bool recorder_primer(struct recorder *r, size_t i, struct block *out)
{
	pthread_mutex_lock(&r->lock);
	bool there = primer_copy(&r->primer, i, out);
	pthread_mutex_unlock(&r->lock);
	return there;
}
