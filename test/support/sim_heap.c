#include "support/sim_heap.h"

#include <string.h>

#include "exact/follow.h"
#include "support/tap.h"

enum {
	SHIFT = 12,
	REGION = 1 << SHIFT,
	BUFFER = 512,
	EDEN_REGIONS = 14,
	LARGE = REGION / 2,
	EDEN_BYTES = 24576,
	SURVIVOR_BYTES = 6144,
	OLD_BYTES = 131072,
	TENURED = 4,
};

static bool one_in(struct sim_heap *h, uint32_t n)
{
	return n && rng_below(&h->rng, n) == 0;
}

static bool is_g1(const struct sim_heap *h)
{
	return h->layout.collector == HEAP_G1;
}

static void space(struct region *r, uintptr_t *at, uintptr_t bytes, enum region_kind kind)
{
	*r = (struct region){.bottom = *at, .top = *at, .end = *at + bytes, .kind = (uint8_t)kind};
	*at += bytes;
}

static void make_regions(struct sim_heap *h)
{
	uintptr_t at = SIM_BASE;
	h->now.at = h->at;
	h->now.room = SIM_REGIONS;
	h->now.count = is_g1(h) ? SIM_REGIONS : 4;
	if (is_g1(h)) {
		h->now.base = SIM_BASE;
		h->now.shift = SHIFT;
		for (size_t i = 0; i < SIM_REGIONS; i++)
			space(&h->at[i], &at, REGION, REGION_FREE);
		return;
	}
	space(&h->at[3], &at, OLD_BYTES, REGION_OLD);
	space(&h->at[0], &at, EDEN_BYTES, REGION_EDEN);
	space(&h->at[1], &at, SURVIVOR_BYTES, REGION_SURVIVOR);
	space(&h->at[2], &at, SURVIVOR_BYTES, REGION_SURVIVOR);
}

void sim_heap_init(struct sim_heap *h, const struct sim_rules *rules, uint64_t seed)
{
	memset(h, 0, sizeof(*h));
	h->rules = *rules;
	h->rng = rng_init(seed);
	h->layout.collector = rules->collector;
	make_regions(h);
}

void sim_heap_release(struct sim_heap *h)
{
	vec_release(&h->all);
	map_release(&h->here);
	map_release(&h->there);
}

/* The program. */

static size_t free_regions(struct sim_heap *h, size_t many)
{
	size_t start = rng_below(&h->rng, h->now.count), run = 0;
	for (size_t n = 0; n < h->now.count; n++) {
		size_t i = (start + n) % h->now.count;
		run = i == 0 ? 0 : run;
		run = h->at[i].kind == REGION_FREE ? run + 1 : 0;
		if (run == many)
			return i + 1 - many;
	}
	return SIZE_MAX;
}

static size_t count_kind(const struct sim_heap *h, enum region_kind kind)
{
	size_t count = 0;
	for (size_t i = 0; i < h->now.count; i++)
		count += h->at[i].kind == kind;
	return count;
}

static uintptr_t bump(struct region *r, uintptr_t bytes)
{
	if (r->end - r->top < bytes)
		return 0;
	r->top += bytes;
	return r->top - bytes;
}

static uintptr_t from_eden(struct sim_heap *h, uintptr_t bytes)
{
	for (size_t i = 0; i < h->now.count; i++) {
		uintptr_t at = h->at[i].kind == REGION_EDEN ? bump(&h->at[i], bytes) : 0;
		if (at)
			return at;
	}
	size_t fresh = is_g1(h) && count_kind(h, REGION_EDEN) < EDEN_REGIONS ? free_regions(h, 1)
									     : SIZE_MAX;
	if (fresh == SIZE_MAX)
		return 0;
	h->at[fresh].kind = REGION_EDEN;
	return bump(&h->at[fresh], bytes);
}

static uintptr_t large(struct sim_heap *h, uint32_t bytes)
{
	size_t many = (bytes + REGION - 1) / REGION, first;
	if (!is_g1(h))
		return h->at[3].end - h->at[3].top > OLD_BYTES / 2 ? bump(&h->at[3], bytes) : 0;
	first = free_regions(h, many);
	if (first == SIZE_MAX || count_kind(h, REGION_FREE) < 16)
		return 0;
	for (size_t i = 0; i < many; i++) {
		h->at[first + i].kind = i ? REGION_HUMONGOUS_REST : REGION_HUMONGOUS;
		h->at[first + i].top = h->at[first + i].end;
	}
	return h->at[first].bottom;
}

static uintptr_t place(struct sim_heap *h, struct sim_thread *t, uint32_t bytes)
{
	if (bytes >= LARGE)
		return large(h, bytes);
	if (t->end - t->at < bytes) {
		t->at = from_eden(h, BUFFER);
		t->end = t->at ? t->at + BUFFER : 0;
	}
	if (!t->at)
		return 0;
	t->at += bytes;
	return t->at - bytes;
}

static uint32_t some_hash(struct sim_heap *h)
{
	return (uint32_t)rng_below(&h->rng, 0x7fffffff) + 1;
}

bool sim_heap_outside(const struct sim_object *o)
{
	return o->bytes >= LARGE;
}

static void log_birth(struct sim_heap *h, struct sim_thread *t, const struct sim_object *o)
{
	struct sim_births *b = &h->births[o->site];
	bool outside = h->rules.survivors && sim_heap_outside(o);
	if (outside || !h->rules.survivors)
		event_log_put(&t->log, h->pool, o->site, o->address);
	h->born++;
	b->objects++;
	b->bytes += o->bytes;
	b->outside += outside;
	b->outside_bytes += outside ? o->bytes : 0;
}

uint32_t sim_heap_size(const struct sim_rules *rules, uint32_t site)
{
	return site % 3 ? (rules->compact ? 0 : 16) + site % 12 * 8 : 0;
}

static struct sim_object *make(struct sim_heap *h, struct sim_thread *t)
{
	uint32_t bytes = 16 + 8 * (uint32_t)rng_below(&h->rng, 20);
	uint32_t site = 2 + (uint32_t)rng_below(&h->rng, SIM_SITES);
	if (h->rules.fixed && sim_heap_size(&h->rules, site))
		bytes = sim_heap_size(&h->rules, site);
	else if (one_in(h, 150))
		bytes = LARGE + 8 * (uint32_t)rng_below(&h->rng, REGION / 4);
	uintptr_t at = place(h, t, bytes);
	if (!at)
		return NULL;
	struct sim_object o = {.address = at,
		.bytes = bytes,
		.site = site,
		.hash = one_in(h, 10) ? some_hash(h) : 0,
		.thread = t->log.thread,
		.young = h->young,
		.logged = h->pool != NULL,
		.followed = h->pool != NULL,
		.fresh = h->pool != NULL};
	if (vec_push(&h->all, o) || map_put(&h->here, at, h->all.count - 1))
		return NULL;
	return &h->all.at[h->all.count - 1];
}

/* Two with the same hash; their classes may be the same. */
static void pair(struct sim_heap *h)
{
	struct sim_object *a = &h->all.at[rng_below(&h->rng, h->all.count)];
	struct sim_object *b = &h->all.at[rng_below(&h->rng, h->all.count)];
	if (a != b && a->followed && b->followed && !a->hash && !b->hash)
		a->hash = b->hash = some_hash(h);
}

void sim_heap_run(struct sim_heap *h, uint32_t objects)
{
	while (objects--) {
		struct sim_thread *t = &h->threads[rng_below(&h->rng, SIM_THREADS)];
		if (!t->log.thread || one_in(h, 300)) /* another thread has it now */
			event_log_own(&t->log, ++h->thread_ids);
		const struct sim_object *o = make(h, t);
		if (!o)
			return;
		size_t first = (size_t)(o - h->all.at);
		/* Now and then two are told in the wrong order. */
		const struct sim_object *other = h->pool && one_in(h, 40) ? make(h, t) : NULL;
		if (other)
			log_birth(h, t, other);
		if (h->pool)
			log_birth(h, t, &h->all.at[first]);
		if (h->rules.twins && one_in(h, 20))
			pair(h);
	}
}

/* Collections. */

static void begin(struct sim_heap *h)
{
	if (!is_g1(h)) /* what Parallel gave back, it takes again */
		h->at[2].end = h->at[2].bottom + SURVIVOR_BYTES;
	h->before = h->now;
	h->before.at = h->before_at;
	memcpy(h->before_at, h->at, sizeof(h->at));
	map_release(&h->there);
	for (size_t i = 0; i < h->all.count; i++) {
		h->all.at[i].was = h->all.at[i].address;
		EXPECT_INT(0, map_put(&h->there, h->all.at[i].was, i));
	}
	for (size_t i = 0; i < SIM_THREADS; i++)
		h->threads[i].at = h->threads[i].end = 0;
	memset(h->failing, 0, sizeof(h->failing));
	memset(h->taken, 0, sizeof(h->taken));
	memset(h->target, 0, sizeof(h->target));
}

static size_t region_of(const struct sim_heap *h, uintptr_t address)
{
	return (size_t)(heap_regions_find(&h->before, address) - h->before.at);
}

static bool is_young(uint8_t kind)
{
	return kind == REGION_EDEN || kind == REGION_SURVIVOR;
}

/* A free region as target, now and then another one than before. */
static uintptr_t to_region(struct sim_heap *h, bool old, uint32_t bytes)
{
	uint32_t *target = &h->target[old];
	uintptr_t at = *target && !one_in(h, 20) ? bump(&h->at[*target - 1], bytes) : 0;
	if (at)
		return at;
	size_t fresh = free_regions(h, 1);
	if (fresh == SIZE_MAX)
		return 0;
	*target = (uint32_t)fresh + 1;
	h->at[fresh].kind = old ? REGION_OLD : REGION_SURVIVOR;
	return bump(&h->at[fresh], bytes);
}

static uintptr_t target(struct sim_heap *h, const struct sim_object *o, size_t region)
{
	bool old = !is_young(h->before.at[region].kind) || o->survived >= TENURED || one_in(h, 20);
	if (is_g1(h))
		return to_region(h, old, o->bytes);
	struct region *to = h->before.at[1].top == h->before.at[1].bottom ? &h->at[1] : &h->at[2];
	uintptr_t at = old ? 0 : bump(to, o->bytes);
	return at ? at : bump(&h->at[3], o->bytes);
}

static void evacuate(struct sim_heap *h, struct sim_object *o, size_t region)
{
	bool dies = !one_in(h, o->survived ? 2 : 5);
	uintptr_t at = 0;
	if (h->failing[region] && one_in(h, 2)) {
		o->survived += is_young(h->before.at[region].kind);
		return;
	}
	if (!dies)
		at = target(h, o, region);
	if (!dies && !at) {
		h->failing[region] = true;
		o->survived += is_young(h->before.at[region].kind);
		return;
	}
	o->address = at;
	o->survived += at != 0;
}

/* Nobody can tell the dead of an old region that failed from those that stay: they stay. */
static void keep_old(struct sim_heap *h, struct sim_object *o, size_t region)
{
	if (!o->address && h->failing[region] && !is_young(h->before.at[region].kind))
		o->address = o->was;
}

static void each_taken(
	struct sim_heap *h, void (*visit)(struct sim_heap *h, struct sim_object *o, size_t region))
{
	for (size_t i = 0; i < h->all.count; i++) {
		size_t region = region_of(h, h->all.at[i].was);
		if (h->taken[region])
			visit(h, &h->all.at[i], region);
	}
}

static void drop(struct sim_heap *h, size_t region)
{
	for (size_t i = 0; i < h->all.count; i++)
		if (h->all.at[i].address && region_of(h, h->all.at[i].was) == region)
			h->all.at[i].address = 0;
	do {
		h->at[region].kind = REGION_FREE;
		h->at[region].top = h->at[region].bottom;
		region++;
	} while (region < h->now.count && h->at[region].kind == REGION_HUMONGOUS_REST);
}

static void drop_large(struct sim_heap *h, bool fresh_too)
{
	for (size_t i = 0; i < h->now.count; i++) {
		const struct sim_object *o = sim_heap_before(h, h->at[i].bottom);
		if (h->before.at[i].kind == REGION_HUMONGOUS && one_in(h, 3) &&
			(fresh_too || (o && !o->fresh)))
			drop(h, i);
	}
}

static void choose(struct sim_heap *h, bool mixed)
{
	bool fails = one_in(h, h->rules.fail);
	for (size_t i = 0; i < h->now.count; i++) {
		uint8_t kind = h->at[i].kind;
		h->taken[i] =
			is_young(kind) || (is_g1(h) && mixed && kind == REGION_OLD && one_in(h, 3));
		h->failing[i] = h->taken[i] && fails && (!is_g1(h) || one_in(h, 3));
	}
}

/* G1: what failed becomes old, the rest free or, here and there, eden again. */
static void end_regions(struct sim_heap *h)
{
	bool failed = false, told = false;
	for (size_t i = 0; i < h->now.count; i++) {
		failed |= h->failing[i];
		told |= h->failing[i] && is_young(h->before.at[i].kind);
	}
	for (size_t i = 0; i < h->now.count; i++) {
		if (!h->taken[i])
			continue;
		if (failed && !told && is_young(h->at[i].kind))
			told = h->failing[i] = true;
		if (h->failing[i]) {
			h->at[i].kind = REGION_OLD;
			continue;
		}
		h->at[i].kind = one_in(h, 4) ? REGION_EDEN : REGION_FREE;
		h->at[i].top = h->at[i].bottom;
	}
}

/* Serial, Parallel: where one space failed, all do, and only a full collection helps. */
static void end_spaces(struct sim_heap *h)
{
	h->crowded = h->failing[0] || h->failing[1] || h->failing[2];
	if (h->crowded)
		return;
	size_t from = h->before.at[1].top > h->before.at[1].bottom ? 1 : 2;
	bool made = h->before.at[0].top - h->at[0].bottom > 64 && one_in(h, 3);
	h->at[0].top = h->at[0].bottom + (made ? 64 : 0);
	h->at[from].top = h->at[from].bottom;
	if (from == 2 && h->layout.collector == HEAP_PARALLEL && one_in(h, 3))
		h->at[2].end = h->at[2].bottom +
			       ((h->before.at[2].top - h->before.at[2].bottom) / 2 & ~7ull);
}

static void index_now(struct sim_heap *h)
{
	map_release(&h->here);
	for (size_t i = 0; i < h->all.count; i++)
		if (h->all.at[i].address) {
			EXPECT(!map_find(&h->here, h->all.at[i].address));
			EXPECT_INT(0, map_put(&h->here, h->all.at[i].address, i));
		}
}

bool sim_heap_has_young(const struct sim_heap *h)
{
	for (size_t i = 0; i < h->now.count; i++)
		if (is_young(h->at[i].kind) && h->at[i].top > h->at[i].bottom)
			return true;
	return false;
}

void sim_heap_young(struct sim_heap *h, bool mixed)
{
	begin(h);
	h->now.collections++;
	choose(h, mixed);
	each_taken(h, evacuate);
	each_taken(h, keep_old);
	if (is_g1(h)) {
		end_regions(h);
		drop_large(h, true);
	} else {
		end_spaces(h);
	}
	index_now(h);
}

void sim_heap_cleanup(struct sim_heap *h)
{
	begin(h);
	drop_large(h, false);
	for (size_t i = 0; i < h->now.count; i++)
		if (h->at[i].kind == REGION_OLD && one_in(h, 6))
			drop(h, i);
	index_now(h);
}

void sim_heap_mark(struct sim_heap *h)
{
	begin(h);
}

static size_t full_order(const struct sim_heap *h, size_t n)
{
	static const size_t spaces[] = {3, 0, 1, 2};
	return is_g1(h) ? n : spaces[n];
}

/* Slides the living of one region to the first places that are free. */
static void slide(struct sim_heap *h, size_t region, size_t *to)
{
	uintptr_t end = h->before.at[region].top;
	for (uintptr_t at = h->before.at[region].bottom; at < end; at += 8) {
		struct sim_object *o = sim_heap_before(h, at);
		if (!o)
			continue;
		o->address = 0;
		if (o->filled || one_in(h, 4))
			continue;
		while (*to < h->now.count && !o->address) {
			struct region *r = &h->at[full_order(h, *to)];
			if (r->kind < REGION_HUMONGOUS && h->before.at[full_order(h, *to)].kind)
				o->address = bump(r, o->bytes);
			*to += !o->address;
		}
		o->survived += o->address != 0;
	}
}

static void slide_large(struct sim_heap *h, size_t region)
{
	struct sim_object *o = sim_heap_before(h, h->at[region].bottom);
	if (o && !one_in(h, 3))
		o->survived++;
	else
		drop(h, region);
}

void sim_heap_compact(struct sim_heap *h)
{
	size_t to = 0;
	h->now.full_collections++;
	h->crowded = false;
	for (size_t i = 0; i < h->now.count; i++)
		if (h->at[i].kind < REGION_HUMONGOUS)
			h->at[i].top = h->at[i].bottom;
	for (size_t n = 0; n < h->now.count; n++) {
		size_t i = full_order(h, n);
		if (h->before.at[i].kind == REGION_HUMONGOUS)
			slide_large(h, i);
		else if (h->before.at[i].kind < REGION_HUMONGOUS)
			slide(h, i, &to);
	}
	for (size_t i = 0; is_g1(h) && i < h->now.count; i++)
		if (h->at[i].kind < REGION_HUMONGOUS)
			h->at[i].kind = h->at[i].top > h->at[i].bottom ? REGION_OLD : REGION_FREE;
	index_now(h);
}

void sim_heap_settle(struct sim_heap *h, bool collection)
{
	size_t kept = 0;
	for (size_t i = 0; i < h->all.count; i++) {
		struct sim_object o = h->all.at[i];
		o.fresh = o.fresh && !collection;
		if (o.address)
			h->all.at[kept++] = o;
	}
	h->all.count = kept;
	index_now(h);
}

/* The oracle. */

static struct sim_object *find(struct sim_heap *h, const struct map *m, uintptr_t address)
{
	const uint64_t *i = map_find(m, address);
	return i ? &h->all.at[*i] : NULL;
}

struct sim_object *sim_heap_before(struct sim_heap *h, uintptr_t address)
{
	return find(h, &h->there, address);
}

struct sim_object *sim_heap_at(struct sim_heap *h, uintptr_t address)
{
	return find(h, &h->here, address);
}

uintptr_t sim_heap_where(void *heap, enum region_fate fate, uint32_t site, uintptr_t address)
{
	const struct sim_object *o = sim_heap_before(heap, address);
	(void)site;
	if (fate == FATE_FREED || !o)
		return address; /* nobody may look: there is rubbish */
	return fate == FATE_KEPT && !o->address ? address : o->address;
}

static bool is_filled(const struct sim_heap *h, const struct sim_object *o, uintptr_t address)
{
	const struct region *r = heap_regions_find(&h->before, address);
	return o && r && r->kind == REGION_OLD && h->rules.filled &&
	       hash64(address + 1) % h->rules.filled == 0;
}

uint32_t sim_heap_identify(void *heap, uint32_t site, uintptr_t address, uint32_t proposed)
{
	(void)site;
	struct sim_heap *h = heap;
	struct sim_object *o = sim_heap_at(h, address);
	/* By the address, since several threads ask. */
	bool locked = h->rules.locked && hash64(address) % h->rules.locked == 0;
	if (is_filled(h, o, address)) {
		o->filled = true;
		return FOLLOW_DEAD;
	}
	if (!o || (locked && !o->hash))
		return 0;
	if (!o->hash)
		o->hash = proposed;
	return o->hash;
}

/* Nothing is to be asked there but of what was evacuated. */
static bool is_evacuated(const struct sim_heap *h, uintptr_t address)
{
	const struct region *r = heap_regions_find(&h->before, address);
	size_t i = r ? (size_t)(r - h->before.at) : SIM_REGIONS;
	return r && h->taken[i] && !h->failing[i];
}

/* Some of the dead, at random by their addresses: it may stop early. */
uint64_t sim_heap_skip(void *heap, struct chunk_cursor *c, uintptr_t top)
{
	enum { STOPS = 10 };
	struct chunk_cursor next = *c;
	struct event e;
	EXPECT(is_evacuated(heap, c->last << 3) && is_evacuated(heap, top - 8));
	for (uint64_t skipped = 0;; skipped++, *c = next) {
		uint64_t last = c->last;
		if (!chunk_cursor_next(&next, &e) || next.last <= last || e.address >= top ||
			hash64(e.address) % STOPS == 0 ||
			sim_heap_where(heap, FATE_EVACUATED, (uint32_t)e.site, e.address))
			return skipped;
	}
}

bool sim_heap_array(uint32_t site)
{
	return site % 3 == 0;
}

/* What was evacuated is as it was, but for the mark; elsewhere is what is there now. */
uint64_t sim_heap_bytes(void *heap, uint32_t site, uintptr_t address)
{
	const struct sim_object *was = sim_heap_before(heap, address);
	const struct sim_object *o = was && is_evacuated(heap, address) && was->site == site
					     ? was
					     : sim_heap_at(heap, address);
	EXPECT(o && o->site == site);
	return o && sim_heap_array(site) ? o->bytes : 0;
}

bool sim_heap_same(void *heap, uint32_t site, uintptr_t address)
{
	const struct sim_object *o = sim_heap_at(heap, address);
	return o && o->site % SIM_CLASSES == site % SIM_CLASSES;
}
