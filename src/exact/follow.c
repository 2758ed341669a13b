#include "exact/follow.h"

#include <string.h>

#include "base/error.h"
#include "exact/event_range.h"
#include "exact/pages.h"

enum { REGIONS_A_PIECE = 16, SLOTS_A_PIECE = 1 << 14 };
/* Objects that were born since the last collection, and have an identity hash by the program's
 * doing: beyond that they may be taken for dead ones that have the same. */
enum { UNBORN_ROOM = 1 << 16 };

static struct chunk *take_spare(struct chunk_pool *pool)
{
	return chunk_pool_take_gc(pool, EVENT_FORGOTTEN, 0);
}

int follow_init(struct follow *f, struct chunk_pool *pool, const struct follow_oracle *o,
	const struct follow_bounds *b, uint64_t young)
{
	memset(f, 0, sizeof(*f));
	f->pool = pool;
	f->oracle = *o;
	f->young = young;
	f->regions = b->regions;
	f->chunks = pages_map(pool->slab.count * sizeof(struct chunk *));
	f->fates = pages_map(b->regions);
	f->readable = pages_map(b->regions * sizeof(*f->readable));
	f->taken = pages_map(b->regions * sizeof(*f->taken));
	for (uint32_t i = 0; i < FOLLOW_WORKERS_MAX; i++)
		f->workers[i].out.pool = pool;
	f->spare = take_spare(pool);
	if (f->spare && f->chunks && f->fates && f->readable && f->taken &&
		!residents_init(&f->residents, b->residents, b->regions, b->base) &&
		!identities_init(&f->identities, b->identities))
		return ERR_NONE;
	follow_release(f);
	return ERR_NOMEM;
}

void follow_release(struct follow *f)
{
	if (f->residents.room)
		residents_release(&f->residents);
	if (f->identities.room)
		identities_release(&f->identities);
	chunk_pool_give(f->pool, f->spare);
	pages_unmap(f->chunks, f->pool->slab.count * sizeof(struct chunk *));
	pages_unmap(f->fates, f->regions);
	pages_unmap(f->readable, f->regions * sizeof(*f->readable));
	pages_unmap(f->taken, f->regions * sizeof(*f->taken));
	f->spare = NULL;
	f->chunks = NULL;
	f->fates = NULL;
	f->readable = NULL;
	f->taken = NULL;
}

/* What was born. */

void follow_births(struct follow *f, struct chunk *list, uint64_t dropped)
{
	f->dropped += dropped;
	for (; list; list = list->next) {
		if (f->births_last)
			f->births_last->next = list;
		else
			f->births = list;
		f->births_last = list;
		f->pending += list->events;
	}
}

void follow_log(struct follow *f, struct event_log *log)
{
	follow_births(f, event_log_take(log), log->dropped);
	log->dropped = 0;
}

static void lose_interval(struct follow *f)
{
	f->totals.lost_intervals += !f->lost;
	f->lost = true;
}

static void drop_births(struct follow *f)
{
	lose_interval(f);
	chunk_pool_give(f->pool, f->births);
	f->totals.lost += f->pending + f->dropped;
	f->births = f->births_last = NULL;
	f->pending = f->dropped = 0;
}

/* In an interval that lacks births none is told. */
static void begin(struct follow *f, enum follow_phase phase)
{
	f->phase = phase;
	f->lost = f->met = false;
	f->due = f->meets;
	if (f->dropped || (!f->spare && f->pending))
		drop_births(f);
	f->chunk_count = 0;
	for (struct chunk *c = f->births; c; c = c->next)
		f->chunks[f->chunk_count++] = c;
	atomic_store(&f->next, 0);
}

/* What became of one object. */

static void forget(struct follow_worker *w, uintptr_t address, uint64_t *why)
{
	gc_chunks_put(&w->out, EVENT_FORGOTTEN, 0, address, address + 8);
	w->sums.forgotten++;
	++*why;
}

static size_t region_index(const struct heap_regions *r, uintptr_t address)
{
	const struct region *at = heap_regions_find(r, address);
	return at ? (size_t)(at - r->at) : SIZE_MAX;
}

static void add(struct follow *f, struct follow_worker *w, size_t region, const struct resident *o,
	uintptr_t from)
{
	if (!residents_add(&f->residents, &w->pen, region, o))
		forget(w, from, &w->sums.refused);
}

static void put_size(
	struct follow *f, struct follow_worker *w, const struct resident *o, uintptr_t header)
{
	uint64_t bytes = follow_bytes(f, o->site, header);
	if (bytes)
		gc_chunks_put(&w->out, EVENT_SIZES, o->site, o->address, bytes);
}

/* How large an array is: told once, when it is first seen to live. */
static MF_INLINE void tell_size(
	struct follow *f, struct follow_worker *w, const struct resident *o, uintptr_t header)
{
	if (!o->survived && f->oracle.bytes)
		put_size(f, w, o, header);
}

/* It outlived the collection: it is told where, and kept; or it is forgotten. Its header can be
 * read there: where it was, if that is all the same, since it was just looked at. */
static void survive(struct follow *f, struct follow_worker *w, const struct resident *o,
	uintptr_t now, uintptr_t header)
{
	const struct resident r = {
		now, o->site, o->survived + (o->survived < RESIDENT_SURVIVED_MAX)};
	if (f->watch)
		f->watch(f->watch_arg, o->site, o->address, now,
			step_clock_outlived(&f->clock, r.survived));
	if (!residents_add(&f->residents, &w->pen, region_index(f->after, now), &r)) {
		forget(w, o->address, &w->sums.refused);
		return;
	}
	tell_size(f, w, o, header);
	if (now == o->address) {
		gc_chunks_put(&w->out, EVENT_STAYS, o->site, now, 0);
		w->sums.stays++;
	} else {
		gc_chunks_put(&w->out, EVENT_MOVES, o->site, o->address, now);
		w->sums.moves++;
	}
}

/* Born where nothing was collected. */
static void stand(
	struct follow *f, struct follow_worker *w, size_t region, const struct resident *o)
{
	if (residents_add(&f->residents, &w->pen, region, o))
		tell_size(f, w, o, o->address);
	else
		forget(w, o->address, &w->sums.refused);
}

/* Of an old region that may be one that failed: what was moved out of it is known. */
static void suspect(
	struct follow *f, struct follow_worker *w, size_t region, const struct resident *o)
{
	uintptr_t now = f->oracle.where(f->oracle.arg, FATE_KEPT, o->site, o->address);
	if (now != o->address && now) {
		survive(f, w, o, now, now);
		return;
	}
	w->sums.doubtful++;
	add(f, w, region, o, o->address);
}

static void settle(
	struct follow *f, struct follow_worker *w, size_t region, const struct resident *o)
{
	enum region_fate fate = f->fates[region];
	if (fate == FATE_FREED) {
		w->sums.deaths++;
	} else if (o->address >= f->readable[region]) {
		w->sums.forgotten++; /* by a range for the whole piece */
		w->sums.unreadable++;
	} else {
		uintptr_t now = f->oracle.where(f->oracle.arg, fate, o->site, o->address);
		if (now == FOLLOW_UNKNOWN)
			forget(w, o->address, &w->sums.unsure);
		else if (now)
			survive(f, w, o, now, fate == FATE_EVACUATED ? o->address : now);
		else
			w->sums.deaths++;
	}
}

static bool is_collected(uint8_t fate)
{
	return fate == FATE_EVACUATED || fate == FATE_FAILED || fate == FATE_FREED;
}

/* Work: regions, then chunks of births. */

static void evacuate_block(
	struct follow *f, struct follow_worker *w, size_t region, const struct resident_block *b)
{
	bool collected = is_collected(f->fates[region]);
	for (uint64_t i = 0; i < b->used; i++) {
		struct resident o = resident_unpack(&f->residents, b->at[i]);
		follow_ahead(f, b, i);
		if (collected)
			settle(f, w, region, &o);
		else
			suspect(f, w, region, &o);
	}
}

static uintptr_t skip_to(const struct follow *f, size_t region)
{
	uintptr_t top = f->before->at[region].top, readable = f->readable[region];
	if (f->phase != FOLLOW_EVACUATION || f->fates[region] != FATE_EVACUATED ||
		region == f->kept || !f->oracle.skip)
		return 0;
	return readable < top ? readable : top;
}

/* Where it was born, most often where the one before was; SIZE_MAX: no object can be there. */
static size_t birth_region(struct follow *f, struct follow_worker *w, uintptr_t address)
{
	if (address >= w->bottom && address < w->top)
		return w->region;
	size_t i = region_index(f->before, address);
	if (i == SIZE_MAX || f->before->at[i].kind == REGION_FREE ||
		address >= f->before->at[i].top)
		return SIZE_MAX;
	w->region = i;
	w->bottom = f->before->at[i].bottom;
	w->top = f->before->at[i].top;
	w->skip = skip_to(f, i);
	return i;
}

static void evacuate_birth(struct follow *f, struct follow_worker *w, const struct resident *o)
{
	size_t region = birth_region(f, w, o->address);
	if (region == SIZE_MAX)
		forget(w, o->address, &w->sums.strays);
	else if (is_collected(f->fates[region]))
		settle(f, w, region, o);
	else
		stand(f, w, region, o);
}

/* Most are dead, and one call does for them until one is not. */
static void evacuate_births(struct follow *f, struct follow_worker *w, const struct chunk *chunk)
{
	struct chunk_cursor c = chunk_cursor(chunk);
	struct event e;
	while (chunk_cursor_next(&c, &e)) {
		const struct resident o = {e.address, (uint32_t)e.site, 0};
		evacuate_birth(f, w, &o);
		if (o.address >= w->bottom && o.address < w->skip)
			w->sums.deaths += f->oracle.skip(f->oracle.arg, &c, w->skip);
	}
	w->sums.births += chunk->events;
}

static void stamp(struct follow *f, struct follow_worker *w, const struct resident *o)
{
	if (!w->proposed)
		w->proposed = identities_propose(&f->identities);
	bool left = f->oracle.left && f->oracle.left(f->oracle.arg, o->site, o->address);
	uint32_t id = f->oracle.identify(f->oracle.arg, o->site, o->address, w->proposed);
	bool given = id == w->proposed;
	if (given)
		w->proposed = 0;
	if (id == FOLLOW_DEAD)
		w->sums.deaths++;
	else if (!id)
		forget(w, o->address, &w->sums.nameless);
	else if (!(given ? identities_put_given : identities_put)(&f->identities, id, o, left))
		forget(w, o->address, &w->sums.refused);
}

static void stamp_birth(struct follow *f, struct follow_worker *w, const struct resident *o)
{
	if (birth_region(f, w, o->address) == SIZE_MAX)
		forget(w, o->address, &w->sums.strays);
	else
		stamp(f, w, o);
}

static void stamp_births(struct follow *f, struct follow_worker *w, const struct chunk *chunk)
{
	struct chunk_cursor c = chunk_cursor(chunk);
	struct event e;
	while (chunk_cursor_next(&c, &e)) {
		const struct resident o = {e.address, (uint32_t)e.site, 0};
		stamp_birth(f, w, &o);
	}
	w->sums.births += chunk->events;
}

static void stamp_block(
	struct follow *f, struct follow_worker *w, size_t region, const struct resident_block *b)
{
	(void)region;
	for (uint64_t i = 0; i < b->used; i++) {
		struct resident o = resident_unpack(&f->residents, b->at[i]);
		follow_ahead(f, b, i);
		stamp(f, w, &o);
	}
}

static void compact_slot(struct follow *f, struct follow_worker *w, const struct identity *i)
{
	uintptr_t now = i->now;
	struct resident was = identity_was(i);
	bool unsure = now == IDENTITY_UNSURE || (now == IDENTITY_LOST && identity_left(i));
	if (now == IDENTITY_LOST && !unsure)
		w->sums.deaths++;
	else if (unsure)
		forget(w, was.address, &w->sums.unsure);
	else
		survive(f, w, &was, now, now);
}

static void compact_slots(struct follow *f, struct follow_worker *w, uint64_t from)
{
	uint64_t places = identities_places(&f->identities);
	for (uint64_t i = from; i < from + SLOTS_A_PIECE && i < places; i++) {
		const struct identity *found = identities_at(&f->identities, i);
		if (found && !identity_other(found))
			compact_slot(f, w, found);
	}
}

static size_t region_pieces(const struct follow *f)
{
	return (f->before->count + REGIONS_A_PIECE - 1) / REGIONS_A_PIECE;
}

/* Blocks of it, until none is left. */
static void work_region(struct follow *f, struct follow_worker *w, size_t region)
{
	bool stamps = f->phase == FOLLOW_STAMPING;
	struct resident_block *b;
	while ((b = resident_list_take(&f->taken[region])) != NULL) {
		(stamps ? stamp_block : evacuate_block)(f, w, region, b);
		residents_give(&f->residents, b);
	}
}

/* Of Serial and Parallel one region has nearly all: several workers are at it at once. */
static bool regions_shared(const struct follow *f)
{
	return f->before->count <= REGIONS_A_PIECE;
}

static void work_regions(struct follow *f, struct follow_worker *w, size_t from, size_t end)
{
	bool shared = regions_shared(f);
	for (size_t i = from; i < end && i < f->before->count; i++)
		if (shared || f->taken[i].first)
			work_region(f, w, i);
}

static void work_piece(struct follow *f, struct follow_worker *w, size_t piece)
{
	bool stamps = f->phase == FOLLOW_STAMPING;
	size_t regions = region_pieces(f);
	if (piece >= regions)
		(stamps ? stamp_births : evacuate_births)(f, w, f->chunks[piece - regions]);
	else
		work_regions(f, w, piece * REGIONS_A_PIECE, (piece + 1) * REGIONS_A_PIECE);
}

static void work_pieces(struct follow *f, struct follow_worker *w)
{
	size_t piece;
	while ((piece = atomic_fetch_add(&f->next, 1)) < f->pieces) {
		if (f->phase == FOLLOW_COMPACTION)
			compact_slots(f, w, (uint64_t)piece * SLOTS_A_PIECE);
		else
			work_piece(f, w, piece);
	}
}

void follow_work(struct follow *f, uint32_t worker)
{
	struct follow_worker *w = &f->workers[worker];
	w->bottom = w->top = w->skip = 0;
	work_pieces(f, w);
	if (f->phase != FOLLOW_COMPACTION && regions_shared(f))
		work_regions(f, w, 0, f->before->count);
	residents_rest(&f->residents, &w->pen);
}

/* Those that nobody was told of when they were born. */

void follow_meet(struct follow *f, uint32_t worker, size_t region, uint32_t site, uintptr_t address)
{
	struct follow_worker *w = &f->workers[worker];
	const struct resident o = {address, site, 1};
	if (f->lost) /* of an interval that lacks births none is told */
		return;
	uint64_t bytes = follow_bytes(f, site, address);
	w->sums.births++;
	if (!residents_add(&f->residents, &w->pen, region, &o)) {
		gc_chunks_put(&w->out, EVENT_PASSED, site, address, 0);
		w->sums.forgotten++;
		w->sums.refused++;
	} else if (bytes) {
		gc_chunks_put(&w->out, EVENT_MET_SIZED, site, address, bytes);
	} else {
		gc_chunks_put(&w->out, EVENT_MET, site, address, 0);
	}
}

void follow_rest(struct follow *f, uint32_t worker)
{
	residents_rest(&f->residents, &f->workers[worker].pen);
}

void follow_met(struct follow *f)
{
	f->met = true;
}

void follow_unmet(struct follow *f)
{
	f->due = false;
}

/* Steps. */

/* Up to where the region's objects can be told. */
static uintptr_t readable(struct follow *f, const struct heap_layout *h, size_t i)
{
	const struct region *was = &f->before->at[i];
	uintptr_t to = heap_region_readable(h, f->before, f->after, i);
	if (to >= was->top || f->fates[i] != FATE_EVACUATED || !f->oracle.kept ||
		!f->oracle.kept(f->oracle.arg, was->bottom, was->top))
		return to;
	f->kept = i;
	return was->top;
}

static bool read_fates(struct follow *f, const struct heap_layout *h, enum heap_pause pause)
{
	bool any = false;
	f->doubt = false;
	f->kept = SIZE_MAX;
	for (size_t i = 0; i < f->before->count; i++) {
		f->fates[i] = (uint8_t)heap_region_fate(h, pause, f->before, f->after, i);
		f->readable[i] = readable(f, h, i);
		any |= is_collected(f->fates[i]);
		f->doubt |= h->collector == HEAP_G1 && f->fates[i] == FATE_FAILED;
	}
	return any;
}

bool follow_evacuation(struct follow *f, const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after)
{
	f->before = before;
	f->after = after;
	if (!read_fates(f, h, pause) && !f->births && !f->dropped && f->spare)
		return false;
	begin(f, FOLLOW_EVACUATION);
	step_clock_tick(&f->clock);
	for (size_t i = 0; i < before->count; i++)
		if (is_collected(f->fates[i]) || (f->doubt && before->at[i].kind == REGION_OLD))
			f->taken[i].first = residents_detach(&f->residents, i);
	f->pieces = region_pieces(f) + f->chunk_count;
	return true;
}

void follow_stamping(struct follow *f, const struct heap_regions *before)
{
	f->before = before;
	begin(f, FOLLOW_STAMPING);
	uint64_t known = follow_alive(f) + f->pending;
	identities_begin(&f->identities, known + (f->meets ? known / 4 + UNBORN_ROOM : 0));
	for (size_t i = 0; i < before->count; i++)
		f->taken[i].first = residents_detach(&f->residents, i);
	f->pieces = region_pieces(f) + f->chunk_count;
}

void follow_unborn(struct follow *f, uint32_t hash, uint32_t site, uintptr_t address)
{
	const struct resident o = {address, site, 0};
	(void)identities_put_other(&f->identities, hash, &o);
}

void follow_found(struct follow *f, uint32_t hash, uintptr_t address)
{
	identities_found(&f->identities, hash, address, f->oracle.same, f->oracle.arg);
}

void follow_will_find(const struct follow *f, uint32_t hash)
{
	identities_ahead(&f->identities, hash);
}

void follow_compaction(struct follow *f, const struct heap_regions *after)
{
	f->after = after;
	f->phase = FOLLOW_COMPACTION;
	step_clock_tick(&f->clock);
	atomic_store(&f->next, 0);
	f->pieces = (size_t)(identities_places(&f->identities) / SLOTS_A_PIECE + 1);
}

/* What the workers have told of the step is taken back. */
static void retract(struct follow *f)
{
	for (uint32_t i = 0; i < FOLLOW_WORKERS_MAX; i++) {
		chunk_pool_give(f->pool, gc_chunks_take(&f->workers[i].out));
		f->workers[i].sums = (struct follow_totals){.births = 0};
	}
}

static void forget_all(struct follow *f)
{
	struct follow_totals *sums = &f->workers[0].sums;
	retract(f);
	residents_clear(&f->residents);
	gc_chunks_put(&f->workers[0].out, EVENT_FORGOTTEN, 0, 8, ADDRESS_LAST);
	sums->births = f->pending;
	sums->forgotten = sums->untold = follow_alive(f) + f->pending;
}

void follow_forget(struct follow *f)
{
	begin(f, FOLLOW_IDLE);
	forget_all(f);
}

void follow_lose(struct follow *f)
{
	begin(f, FOLLOW_IDLE);
	if (f->pending)
		drop_births(f);
	forget_all(f);
}

/* Its end: ranges, chunks. */

static void put_regions(struct follow *f, struct gc_chunks *out)
{
	struct event_range swept = {EVENT_SWEPT, 0, 0}, unreadable = {EVENT_FORGOTTEN, 0, 0};
	for (size_t i = 0; i < f->before->count; i++) {
		const struct region *r = &f->before->at[i];
		if (!is_collected(f->fates[i]))
			continue;
		event_range_grow(&swept, out, r->bottom, r->top);
		if (f->fates[i] != FATE_FREED && f->readable[i] < r->top)
			event_range_grow(&unreadable, out, f->readable[i], r->top);
	}
	event_range_put(&swept, out);
	event_range_put(&unreadable, out);
}

static void put_ranges(struct follow *f)
{
	struct gc_chunks *out = &f->workers[0].out;
	if (f->phase == FOLLOW_EVACUATION)
		put_regions(f, out);
	if (f->phase == FOLLOW_COMPACTION)
		gc_chunks_put(out, EVENT_SWEPT, 0, 8, ADDRESS_LAST);
	if (f->phase == FOLLOW_COMPACTION || f->phase == FOLLOW_STAMPING)
		identities_end(&f->identities);
}

/* What the workers have to tell, in one list; false: not all of it found room. */
static bool gather(struct follow *f, struct follow_totals *sums, struct chunk **list)
{
	bool whole = true;
	for (uint32_t i = 0; i < FOLLOW_WORKERS_MAX; i++) {
		struct follow_worker *w = &f->workers[i];
		whole &= !w->out.failed;
		for (struct chunk *c = gc_chunks_take(&w->out), *next; c; c = next) {
			next = c->next;
			c->next = *list;
			*list = c;
		}
		follow_totals_add(sums, &w->sums);
		w->sums = (struct follow_totals){.births = 0};
	}
	return whole;
}

static void hand(struct follow *f, struct chunk *list, uint32_t flags)
{
	for (struct chunk *c = list; c; c = c->next) {
		c->interval = f->interval;
		c->young = f->young;
		c->flags |= flags;
	}
	chunk_pool_hand(f->pool, list);
}

/* All is forgotten, and the trace is to say so. */
static void give_up(struct follow *f, struct chunk *list)
{
	chunk_pool_give(f->pool, list);
	if (f->pending)
		drop_births(f);
	residents_clear(&f->residents);
	f->totals.untold += follow_alive(f);
	f->totals.forgotten += follow_alive(f);
	gc_chunk_forget_all(f->spare);
	hand(f, f->spare, 0);
	f->spare = NULL;
}

void follow_end(struct follow *f, uint64_t young)
{
	struct follow_totals sums = {.births = 0};
	struct chunk *list = NULL;
	if (f->phase == FOLLOW_STAMPING) /* the collection's end was not seen */
		forget_all(f);
	put_ranges(f);

	bool whole = gather(f, &sums, &list);
	if (f->due && (!f->spare || !whole || !f->met))
		lose_interval(f);
	if (!f->spare) {
		chunk_pool_give(f->pool, list);
		residents_clear(&f->residents); /* what was met */
	} else if (whole) {
		hand(f, f->births, EVENTS_CLOSED);
		hand(f, list, 0);
		follow_totals_add(&f->totals, &sums);
	} else {
		give_up(f, list);
	}
	f->births = f->births_last = NULL;
	f->pending = f->dropped = 0;
	if (!f->spare)
		f->spare = take_spare(f->pool);
	f->phase = FOLLOW_IDLE;
	f->interval++;
	f->young_before = f->young;
	f->young = young;
	atomic_store(&f->pool->lost, false);
}

void follow_abandon(struct follow *f, bool amid)
{
	follow_lose(f);
	if (!amid)
		follow_unmet(f);
	follow_end(f, f->young);
	chunk_pool_give(f->pool, f->spare);
	f->spare = NULL;
	slab_clear(&f->residents.blocks);
}

uint64_t follow_need(const struct follow *f)
{
	uint64_t objects = (uint64_t)slab_held(&f->residents.blocks) * RESIDENT_BLOCK;
	return objects ? identities_bytes(objects) + objects * IDENTITY_VM_BYTES : 0;
}

void follow_untold(struct follow *f)
{
	f->totals.lost_intervals++;
}

void follow_tick(struct follow *f, uint64_t young)
{
	f->young = young;
}

void follow_close(struct follow *f)
{
	begin(f, FOLLOW_IDLE);
	f->totals.births += f->pending;
	hand(f, f->births, 0);
	f->births = f->births_last = NULL;
	f->pending = f->dropped = 0;
}
