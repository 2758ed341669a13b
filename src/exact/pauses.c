#include "exact/pauses.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "exact/pages.h"
#include "hotspot/heap_walk.h"

enum {
	SEEN_OLD = 1 << 7, /* in the mark: it was counted when it was promoted */
	AUDITS_FIRST = 4,  /* collections that are audited whatever it costs */
	AUDIT_NS = 6,      /* an object's price, about; */
	AUDIT_SHARE = 200, /* at most one part in so many of the time goes to it */
	KIND_YOUNG = 0,
	KIND_MIXED = 1,
	KIND_FULL = 2,
};

int pauses_init(struct pauses *p, struct births *b, const void *inside, struct diag *d)
{
	memset(p, 0, sizeof(*p));
	p->births = b;
	int err = heap_layout_open(&p->layout, inside, d);
	if (!err)
		err = vm_objects_open(&p->objects, inside, d);
	if (err)
		return err;
	p->taken = pages_map(SITES_MAX * sizeof(*p->taken));
	p->dirty = pages_map(SITES_MAX * sizeof(*p->dirty));
	if (!p->taken || !p->dirty || heap_regions_init(&p->before, &p->layout) ||
		heap_regions_init(&p->after, &p->layout) || census_init(&p->census) ||
		accounts_init(&p->accounts)) {
		pauses_release(p);
		return diag_set(d, ERR_NOMEM, "out of memory for the exact engine's tables");
	}
	return ERR_NONE;
}

void pauses_release(struct pauses *p)
{
	pages_unmap(p->taken, SITES_MAX * sizeof(*p->taken));
	pages_unmap(p->dirty, SITES_MAX * sizeof(*p->dirty));
	heap_regions_release(&p->before);
	heap_regions_release(&p->after);
	census_release(&p->census);
	accounts_release(&p->accounts);
	p->taken = NULL;
	p->dirty = NULL;
}

/* Births. */

static void add(struct birth_sum *to, const struct birth_sum *s)
{
	to->objects += s->objects;
	to->bytes += s->bytes;
	to->outside_objects += s->outside_objects;
	to->outside_bytes += s->outside_bytes;
}

static void take(void *arg, const struct birth_sum *s)
{
	struct pauses *p = arg;
	if (!p->taken[s->site].objects)
		p->dirty[p->dirty_count++] = s->site;
	add(&p->taken[s->site], s);
	add(&p->sum, s);
}

static void clear_births(struct pauses *p)
{
	for (uint32_t i = 0; i < p->dirty_count; i++)
		p->taken[p->dirty[i]] = (struct birth_sum){0};
	p->dirty_count = 0;
	p->sum = (struct birth_sum){0};
}

/* Survivors. */

static void visit_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t mark = object_mark(address);
	uint32_t age = mark_age(&p->objects, mark);
	census_add(&p->census, mark_site(&p->objects, mark), age ? age : 1, false, bytes);
}

/* Left where it was, because it could not be moved. */
static void visit_stuck(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t mark = object_mark(address);
	census_add(&p->census, mark_site(&p->objects, mark), mark_age(&p->objects, mark) + 1, false,
		bytes);
}

static void visit_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t mark = object_mark(address);
	bool free = (mark & 7) == MARK_UNLOCKED;
	if (free && mark & SEEN_OLD)
		return; /* moved within the old generation */
	if (free)
		*(uint64_t *)address = mark | SEEN_OLD;
	census_add(&p->census, mark_site(&p->objects, mark), mark_age(&p->objects, mark) + 1, true,
		bytes);
}

/* Who looks at what stands in a region now and did not before; NULL: nothing does. */
static heap_visit *visitor(const struct region *is, enum region_fate fate)
{
	if (is->kind == REGION_OLD)
		return visit_old;
	if (fate == FATE_FAILED)
		return visit_stuck;
	return is->kind == REGION_SURVIVOR ? visit_young : NULL;
}

/* 0: all of it could be read. Where the VM does not tell how far up there are objects, the last of
 * them may be one that is not written yet: no failure. */
static int look_region(struct pauses *p, enum heap_pause pause, size_t i)
{
	const struct region *was = &p->before.at[i], *is = &p->after.at[i];
	heap_visit *visit =
		visitor(is, heap_region_fate(&p->layout, pause, &p->before, &p->after, i));
	bool both_old = is->kind == REGION_OLD && was->kind == REGION_OLD, sure;
	uintptr_t from = both_old ? was->top : is->bottom;
	uintptr_t to = heap_region_written(&p->layout, pause, &p->before, &p->after, i, &sure);
	if (!visit || from >= to)
		return ERR_NONE;
	if (sure)
		return heap_walk(&p->objects, from, to, visit, p, NULL);
	heap_walk_checked(&p->objects, from, to, visit, p, NULL);
	return ERR_NONE;
}

/* Regions in which evacuation failed; -1: something could not be read. */
static int64_t look(struct pauses *p, enum heap_pause pause)
{
	int64_t failed = 0;
	for (size_t i = 0; i < p->after.count; i++) {
		failed += heap_region_fate(&p->layout, pause, &p->before, &p->after, i) ==
			  FATE_FAILED;
		if (look_region(p, pause, i))
			return -1;
	}
	return failed;
}

/* The audit: what stood in eden when the pause began. */

struct audit {
	const struct vm_objects *objects;
	struct account_audit *sum;
};

/* An array of a class that fills gaps, and without a site: a filler. The program's own have theirs,
 * or are forwarded. */
static bool fills(const struct audit *a, uintptr_t address, uintptr_t klass)
{
	uint64_t mark = object_mark(address);
	return klass_may_fill(a->objects, klass) && (mark & 7) == MARK_UNLOCKED &&
	       mark >> SITE_SHIFT == 0;
}

static void visit_audit(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct audit *a = arg;
	if (fills(a, address, klass))
		return;
	a->sum->walked++;
	a->sum->walked_bytes += bytes;
}

static bool audit_due(const struct pauses *p, uint64_t now)
{
	return p->whole && (p->audits_all || p->audits < AUDITS_FIRST ||
				   p->sum.objects * AUDIT_NS * AUDIT_SHARE < now - p->audited_at);
}

static void audit(struct pauses *p, enum heap_pause pause, uint64_t now, struct account_audit *a)
{
	struct audit look = {&p->objects, a};
	for (size_t i = 0; i < p->before.count; i++) {
		const struct region *was = &p->before.at[i];
		if (was->kind != REGION_EDEN || was->top == was->bottom)
			continue;
		enum region_fate fate =
			heap_region_fate(&p->layout, pause, &p->before, &p->after, i);
		if (fate != FATE_EVACUATED ||
			heap_region_readable(&p->layout, &p->before, &p->after, i) < was->top ||
			heap_walk(&p->objects, was->bottom, was->top, visit_audit, &look, NULL)) {
			*a = (struct account_audit){0};
			return;
		}
	}
	a->seen = p->sum.objects - p->sum.outside_objects;
	a->seen_bytes = p->sum.bytes - p->sum.outside_bytes;
	p->audits++;
	p->audited_at = now;
}

/* The account. */

static void put_cell(struct pauses *p, uint32_t site, enum account_what what, unsigned survived,
	uint64_t objects, uint64_t bytes)
{
	if (objects)
		accounts_cell(&p->accounts, &(struct account_cell){site, (uint8_t)what,
						    (uint8_t)survived, objects, bytes});
}

static void put_births(struct pauses *p)
{
	for (uint32_t i = 0; i < p->dirty_count; i++) {
		uint32_t site = p->dirty[i];
		const struct birth_sum *s = &p->taken[site];
		put_cell(p, site, ACCOUNT_BIRTHS, 0, s->objects, s->bytes);
		put_cell(p, site, ACCOUNT_OUTSIDE, 0, s->outside_objects, s->outside_bytes);
	}
}

static void put_row(struct pauses *p, const struct census_row *r)
{
	for (unsigned i = 0; i < CENSUS_AGES; i++) {
		put_cell(p, r->site, ACCOUNT_YOUNG, i + 1, r->young[i].objects, r->young[i].bytes);
		put_cell(p, r->site, ACCOUNT_PROMOTED, i + 1, r->promoted[i].objects,
			r->promoted[i].bytes);
	}
}

static void fill(const struct pauses *p, struct account *a)
{
	a->births = p->sum.objects;
	a->birth_bytes = p->sum.bytes;
	a->survivors = p->census.young.objects;
	a->survivor_bytes = p->census.young.bytes;
	a->promoted = p->census.promoted.objects;
	a->promoted_bytes = p->census.promoted.bytes;
	a->unknown = p->census.unknown.objects;
	a->unknown_bytes = p->census.unknown.bytes;
}

/* Cells that an account of this can have at most. */
static uint64_t cells(const struct pauses *p)
{
	return p->dirty_count * 2ull + p->census.count * 2ull * CENSUS_AGES;
}

/* The births of a collection without an account stay for the next one, which can't be audited then.
 */
static void skip(struct pauses *p)
{
	p->unaccounted++;
	p->whole = false;
}

static void put(struct pauses *p, struct account *a, uint64_t begin)
{
	if (!accounts_room(&p->accounts, cells(p))) {
		skip(p);
		return;
	}
	put_births(p);
	for (uint32_t i = 0; i < p->census.count; i++)
		put_row(p, &p->census.rows[i]);
	fill(p, a);
	a->time = clock_now().v;
	a->cost = a->time - begin;
	accounts_put(&p->accounts, a);
	clear_births(p);
	p->whole = true;
}

void pauses_start(struct pauses *p)
{
	p->began = heap_regions_read(&p->layout, &p->before) == ERR_NONE;
}

static uint64_t kind_of(enum heap_pause pause)
{
	return pause == PAUSE_FULL ? KIND_FULL : pause == PAUSE_MIXED ? KIND_MIXED : KIND_YOUNG;
}

void pauses_finish(struct pauses *p, uint64_t young, uint64_t full)
{
	uint64_t begin = clock_now().v;
	if (!p->began || heap_regions_read(&p->layout, &p->after)) {
		skip(p);
		return;
	}
	enum heap_pause pause = heap_pause_kind(&p->layout, &p->before, &p->after);
	p->began = false;
	if (pause == PAUSE_OTHER)
		return;
	struct account a = {.young = young, .full = full, .kind = kind_of(pause)};
	births_take(p->births, take, p);
	census_clear(&p->census);
	int64_t failed = pause == PAUSE_FULL ? 0 : look(p, pause);
	if (pause != PAUSE_FULL && failed == 0 && audit_due(p, begin))
		audit(p, pause, begin, &a.audit);
	a.failed = failed > 0 ? (uint64_t)failed : 0;
	if (failed < 0)
		skip(p);
	else
		put(p, &a, begin);
}

void pauses_end(struct pauses *p, uint64_t young, uint64_t full)
{
	struct account a = {.young = young + 1, .full = full, .kind = ACCOUNT_END};
	births_take(p->births, take, p);
	census_clear(&p->census);
	put(p, &a, clock_now().v);
}
