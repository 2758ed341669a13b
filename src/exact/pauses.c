#include "exact/pauses.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "exact/birth_jumps.h"
#include "exact/pages.h"
#include "hotspot/heap_walk.h"
#include "hotspot/java_stack.h"

enum {
	THREADS_MAX = 16384,
	KIND_YOUNG = 0,
	KIND_MIXED = 1,
	KIND_FULL = 2,
	KIND_FOLLOWED = 4,
};

int pauses_init(struct pauses *p, struct births *b, const void *inside, struct diag *d)
{
	memset(p, 0, sizeof(*p));
	p->births = b;
	p->hash = 0x9e3779b97f4a7c15ull;
	int err = heap_layout_open(&p->layout, inside, d);
	if (!err)
		err = vm_objects_open(&p->objects, inside, d);
	if (!err)
		err = tlab_gaps_open(&p->gaps, inside, THREADS_MAX, d);
	if (err)
		return err;
	if (p->objects.compact && p->objects.klass_shift != BIRTHS_KLASS_SHIFT)
		return diag_set(
			d, ERR_UNSUPPORTED, "headers are compact in a way that is not known");
	struct vm_structs structs = vm_structs_of(inside);
	if (newborns_init(&p->newborns) || loaders_open(&p->loaders, &structs) ||
		heap_regions_init(&p->before, &p->layout) ||
		heap_regions_init(&p->after, &p->layout) ||
		heap_regions_init(&p->middle, &p->layout) ||
		heap_regions_init(&p->between, &p->layout) || census_init(&p->census) ||
		accounts_init(&p->accounts)) {
		pauses_release(p);
		return diag_set(d, ERR_NOMEM, "out of memory for the exact engine's tables");
	}
	p->part = &p->before;
	/* Only the spaces' bounds and the count of collections are of interest, so far. */
	if (p->layout.collector != HEAP_G1)
		heap_regions_read(&p->layout, &p->after);
	return ERR_NONE;
}

void pauses_number(struct pauses *p)
{
	p->census.first = p->heap.first = p->births->sites.first;
}

void pauses_release(struct pauses *p)
{
	newborns_release(&p->newborns);
	heap_regions_release(&p->before);
	heap_regions_release(&p->middle);
	heap_regions_release(&p->between);
	heap_regions_release(&p->after);
	tlab_gaps_release(&p->gaps);
	census_release(&p->census);
	loaders_release(&p->loaders);
	accounts_release(&p->accounts);
	heap_count_release(&p->heap);
}

/* Survivors. */

static const uint64_t most = BIRTH_AGES;

/*
 * The age that the VM has counted. One that jumped over its ages is made like any other first, of
 * age 0: it has served, and is not to be taken for one that has grown so old.
 */
static uint32_t age_of(struct pauses *p, uintptr_t address)
{
	uint32_t age = mark_age(&p->objects, object_mark(address));
	uint64_t *mark =
		age == CENSUS_AGES - 1 ? (uint64_t *)mark_home(&p->objects, address) : NULL;
	if (!mark || !birth_jumped(*mark))
		return age;
	*mark &= ~(uint64_t)BIRTH_JUMPED;
	return 0;
}

/* Where the mark of an object of ours is; NULL: nowhere, or nobody's. Nearly all are in place. */
static inline uint64_t *mark_in(const struct pauses *p, uintptr_t address)
{
	return (object_mark(address) & 7) == MARK_UNLOCKED
		       ? (uint64_t *)address
		       : (uint64_t *)mark_home(&p->objects, address);
}

static inline uint32_t site_in(uint64_t mark)
{
	return (uint32_t)(mark >> SITE_SHIFT);
}

/* The age that the VM has counted, of one that jumped 0 (age_of). */
static inline uint32_t age_in(uint64_t mark)
{
	return birth_jumped(mark) ? 0 : (uint32_t)(mark & most) >> 3;
}

/* One that jumped is like any other from now on. */
static inline uint64_t landed(uint64_t mark)
{
	return birth_jumped(mark) ? mark & ~(uint64_t)BIRTH_JUMPED : mark;
}

/* Left where it was, because it could not be moved: the VM has not counted its age on. Else the
 * next collection would find it as old as this one did. */
static inline uint64_t counted_on(uint64_t mark)
{
	return (mark & most) == most ? mark : mark + (1 << 3);
}

static void count_on(struct pauses *p, uintptr_t address)
{
	uint64_t *mark = (uint64_t *)mark_home(&p->objects, address);
	if (mark)
		*mark = counted_on(*mark);
}

static inline void set_mark(uint64_t *mark, uint64_t was, uint64_t is)
{
	if (mark && is != was)
		*mark = is;
}

static inline void visit_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t *mark = mark_in(p, address), was = mark ? *mark : 0, is = landed(was);
	uint32_t site = site_in(was), age = age_in(was);
	census_add(&p->census, site, age ? age : 1, false, bytes);
	set_mark(mark, was, !age && site ? counted_on(is) : is);
}

static inline void visit_stuck(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t *mark = mark_in(p, address), was = mark ? *mark : 0, is = landed(was);
	uint32_t site = site_in(was);
	census_add(&p->census, site, age_in(was) + 1, false, bytes);
	set_mark(mark, was, site ? counted_on(is) : is);
}

/* Whether the object was seen in the old generation before: then it was moved within it. From now
 * on it has been, and its age goes. */
static inline bool see_old(uint64_t *mark)
{
	if (!mark || birth_seen_old(*mark))
		return mark;
	*mark = (*mark & ~most) | BIRTH_SEEN_OLD;
	return false;
}

static inline void visit_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	(void)klass;
	uint64_t *mark = mark_in(p, address), was = mark ? *mark : 0;
	if (!see_old(mark))
		census_add(&p->census, site_in(was), age_in(was) + 1, true, bytes);
}

/* Walks of objects that one of these visits. */
struct look {
	heap_visit *visit; /* NULL: nothing is looked at */
	int (*walk)(struct pauses *p, uintptr_t from, uintptr_t to);
};

static int walk_young(struct pauses *p, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(&p->objects, from, to, visit_young, p, NULL);
}

static int walk_stuck(struct pauses *p, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(&p->objects, from, to, visit_stuck, p, NULL);
}

static int walk_old(struct pauses *p, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(&p->objects, from, to, visit_old, p, NULL);
}

/* Who looks at what stands in a region now and did not before. */
static struct look look_of(const struct region *is, enum region_fate fate)
{
	if (is->kind == REGION_OLD)
		return (struct look){visit_old, walk_old};
	if (fate == FATE_FAILED)
		return (struct look){visit_stuck, walk_stuck};
	return is->kind == REGION_SURVIVOR ? (struct look){visit_young, walk_young}
					   : (struct look){NULL, NULL};
}

/* 0: all of it could be read. Where the VM does not tell how far up there are objects, the last of
 * them may be one that is not written yet: no failure. */
static int look_region(struct pauses *p, enum heap_pause pause, size_t i)
{
	const struct region *was = &p->before.at[i], *is = &p->after.at[i];
	struct look look =
		look_of(is, heap_region_fate(&p->layout, pause, &p->before, &p->after, i));
	bool both_old = is->kind == REGION_OLD && was->kind == REGION_OLD, sure;
	uintptr_t from = both_old ? was->top : is->bottom;
	uintptr_t to = heap_region_written(&p->layout, pause, &p->before, &p->after, i, &sure);
	if (!look.visit || from >= to)
		return ERR_NONE;
	if (sure)
		return look.walk(p, from, to);
	heap_walk_checked(&p->objects, from, to, look.visit, p, NULL);
	return ERR_NONE;
}

/* Full collections. */

/* One more than the greatest is told by 0, until visit_full has seen it. */
static uint64_t older(uint64_t mark)
{
	return (mark & most) == most ? mark & ~most : mark + (1 << 3);
}

static void set_oldest(struct pauses *p, uintptr_t address)
{
	uint64_t *mark = (uint64_t *)mark_home(&p->objects, address);
	if (mark)
		*mark |= most;
}

static uint64_t next_hash(struct pauses *p)
{
	p->hash ^= p->hash << 13;
	p->hash ^= p->hash >> 7;
	p->hash ^= p->hash << 17;
	uint64_t hash = p->hash & p->objects.hash_mask;
	return hash ? hash : 1;
}

/* A mark that the collector will keep. That of an object that is locked is elsewhere, and is kept.
 */
static void stamp(struct pauses *p, uintptr_t address, bool ages)
{
	uint64_t *mark = (uint64_t *)mark_home(&p->objects, address);
	if (!mark || *mark >> SITE_SHIFT == 0)
		return;
	if ((uintptr_t)mark == address && !mark_hash(&p->objects, *mark))
		*mark |= next_hash(p) << p->objects.hash_shift;
	if (ages)
		*mark = older(birth_jumped(*mark) ? *mark & ~(uint64_t)BIRTH_JUMPED : *mark);
}

static void visit_stamp(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass, (void)bytes;
	stamp(arg, address, true);
}

/* Copied in the young part of this very pause, which has counted its age on. */
static void visit_stamp_copied(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass, (void)bytes;
	stamp(arg, address, false);
}

/* Whether a young collection came before the full one in this pause. */
static bool collected_young(const struct pauses *p)
{
	for (size_t i = 0; i < p->part->count; i++)
		if (p->part->at[i].kind == REGION_EDEN &&
			p->part->at[i].top > p->part->at[i].bottom &&
			(p->middle.at[i].kind != REGION_EDEN ||
				p->middle.at[i].top == p->middle.at[i].bottom))
			return true;
	return false;
}

/* Those that stood in the young generation when the pause began, or since the full collection in
 * it, wherever they are now. */
static int visit_region(struct pauses *p, size_t i, heap_visit *visit)
{
	const struct heap_regions *since = p->stamped ? p->part : &p->before;
	const struct region *was = &since->at[i], *is = &p->middle.at[i];
	uintptr_t from = is->bottom;
	if (is->kind == REGION_OLD && was->kind == REGION_OLD)
		from = p->outdated && !p->began ? is->bottom : was->top;
	else if (is->kind != REGION_OLD && is->kind != REGION_EDEN && is->kind != REGION_SURVIVOR)
		return ERR_NONE;
	if (from >= is->top)
		return ERR_NONE;
	return heap_walk_around(&p->gaps, &p->objects, from, is->top, visit, p, NULL);
}

/* Whether what stands in the region are copies that the VM has counted on in this pause: all in
 * survivor regions, and where promotion failed those in the space that had been empty. */
static bool holds_copies(const struct pauses *p, size_t i, bool collected)
{
	const struct region *was = &p->part->at[i], *is = &p->middle.at[i];
	return is->kind == REGION_SURVIVOR &&
	       (collected || was->kind != REGION_SURVIVOR || was->top == was->bottom);
}

static int stamp_region(struct pauses *p, size_t i, bool collected)
{
	return visit_region(p, i, holds_copies(p, i, collected) ? visit_stamp_copied : visit_stamp);
}

/* Its site goes: what it has survived is not known any more. */
static void visit_strip(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	uint64_t *mark = (uint64_t *)mark_home(&p->objects, address);
	(void)klass, (void)bytes;
	if (mark)
		*mark &= (1ull << SITE_SHIFT) - 1;
}

/* The collection makes new marks, but for those with a hash: these must not be taken for what is
 * known. */
static void strip_young(struct pauses *p)
{
	if (p->objects.compact || tlab_gaps_read(&p->gaps))
		return;
	for (size_t i = 0; i < p->middle.count; i++)
		visit_region(p, i, visit_strip);
}

/* How the young generation stood before it is not known; it may have been as full as can be. */
static void guess_before(struct pauses *p)
{
	p->part = &p->before;
	p->before.count = p->after.count;
	for (size_t i = 0; i < p->after.count; i++) {
		p->before.at[i] = p->after.at[i];
		if (p->before.at[i].kind == REGION_EDEN)
			p->before.at[i].top = p->before.at[i].end;
	}
}

/* At the next collection's start, or where the next such one begins to mark. */
static void unseen_ends(struct pauses *p, const struct heap_regions *now)
{
	uint64_t young = p->tracing->follow.young;
	if (tlab_gaps_read(&p->gaps))
		tracing_forget(p->tracing, young);
	else
		tracing_full_ends(p->tracing, &p->middle, now, &p->gaps, young);
	p->unseen = p->collecting = false;
}

/* The second in a row: where a young one came with it, what was born since the first is lost. */
static void unseen_again(struct pauses *p, bool collected)
{
	if (!collected) {
		unseen_ends(p, &p->middle);
		return;
	}
	tracing_forget(p->tracing, p->tracing->follow.young);
	p->unseen = p->collecting = false;
}

/* A collection that no event tells of: of G1 there is none. */
static void unseen_begins(struct pauses *p)
{
	if (p->layout.collector == HEAP_G1 || !p->after.count ||
		heap_regions_read(&p->layout, &p->middle))
		return;
	guess_before(p);
	bool collected = collected_young(p);
	strip_young(p);
	p->outdated = true;
	if (!p->tracing)
		return;
	if (p->unseen)
		unseen_again(p, collected);
	p->collecting = p->unseen = true;
	tracing_full_begins(p->tracing, &p->before, &p->middle,
		collected ? TRACING_YOUNG_DONE : TRACING_YOUNG_NONE);
}

/* Serial and Parallel: whether a young collection has copied some, and could not copy all. */
static enum tracing_young young_part(const struct pauses *p, bool collected)
{
	if (collected)
		return TRACING_YOUNG_DONE;
	for (size_t i = 0; i < p->part->count && p->layout.collector != HEAP_G1; i++) {
		bool old = p->middle.at[i].kind == REGION_OLD;
		if (old ? p->middle.at[i].top > p->part->at[i].top
			: p->middle.at[i].top > p->middle.at[i].bottom && holds_copies(p, i, false))
			return TRACING_YOUNG_FAILED;
	}
	return TRACING_YOUNG_NONE;
}

/* The VM has counted it on in this pause, and may do so again. */
static void visit_back(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	uint64_t *mark = (uint64_t *)mark_home(&p->objects, address);
	(void)klass, (void)bytes;
	if (mark && *mark >> SITE_SHIFT != 0 && !birth_jumped(*mark))
		*mark = *mark & most ? *mark - (1 << 3) : *mark | most;
}

static bool is_young(const struct region *r)
{
	return r->kind == REGION_EDEN || r->kind == REGION_SURVIVOR;
}

/* After a full collection all are counted on, of a young one its copies. */
static int count_back(struct pauses *p, bool collected)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < p->middle.count && !err; i++)
		if (p->stamped ? is_young(&p->middle.at[i]) : holds_copies(p, i, collected))
			err = visit_region(p, i, visit_back);
	return err;
}

/* What follows is held to how the heap stands now. */
static void part_begins(struct pauses *p)
{
	struct heap_regions was = p->between;
	p->between = p->middle;
	p->middle = was;
	p->part = &p->between;
	p->parted = true;
}

static void follow_part(struct pauses *p, enum tracing_young young)
{
	p->behind |= young == TRACING_YOUNG_FAILED;
	p->collecting = true;
	if (p->tracing && !p->stamped && young == TRACING_YOUNG_DONE)
		tracing_part(p->tracing, p->part, &p->middle);
	p->collecting = false;
}

static void next_part(struct pauses *p)
{
	p->torn |= heap_regions_read(&p->layout, &p->middle) || tlab_gaps_read(&p->gaps);
	if (p->torn)
		return;
	bool collected = collected_young(p);
	follow_part(p, young_part(p, collected));
	p->torn = count_back(p, collected) != ERR_NONE;
	part_begins(p);
}

void pauses_young_begins(void *pauses)
{
	struct pauses *p = pauses;
	if (p->began && p->moved)
		next_part(p);
	p->moved = true;
}

/* Whether there may be young collections in this pause that were not caught. Of G1 the first one is
 * the last. */
static bool is_torn(const struct pauses *p)
{
	if (p->torn || p->parts || p->layout.collector == HEAP_G1)
		return p->torn;
	return p->stamped || p->middle.collections - p->before.collections > 1;
}

/* All that are young: one full collection right behind another adds nothing. */
static bool is_stamped(const struct pauses *p)
{
	return p->stamped && !p->parted && (p->parts || p->layout.collector == HEAP_G1);
}

static void stamp_all(struct pauses *p, bool copied)
{
	bool whole = true;
	for (size_t i = 0; i < p->middle.count; i++)
		whole &= stamp_region(p, i, copied) == ERR_NONE;
	p->stamped = whole; /* not all of them: none is counted */
}

void pauses_full_begins(void *pauses)
{
	struct pauses *p = pauses;
	if (!p->began)
		unseen_begins(p);
	if (!p->began || is_stamped(p) || heap_regions_read(&p->layout, &p->middle) ||
		tlab_gaps_read(&p->gaps))
		return;
	p->torn = is_torn(p);
	p->stamped &= !p->torn;
	if (p->torn)
		return;
	bool copied = collected_young(p);
	enum tracing_young young = young_part(p, copied);
	p->behind |= young == TRACING_YOUNG_FAILED;
	p->collecting = true;
	if (p->tracing && !p->stamped)
		tracing_full_begins(
			p->tracing, p->part, &p->middle, p->behind ? TRACING_YOUNG_FAILED : young);
	p->collecting = false;
	stamp_all(p, copied);
	p->moved = true;
	p->parted = false;
}

/*
 * After it: what has a site and was not seen being promoted was in the young generation before.
 * Where the beginning was not caught, some marks have been kept all the same; their ages mean
 * nothing.
 */
static void visit_full(void *arg, uintptr_t address, uintptr_t bytes, bool old)
{
	struct pauses *p = arg;
	uint64_t mark = object_mark(address);
	uint32_t site = mark_site(&p->objects, mark), age = mark_age(&p->objects, mark);
	if (!site_is_of(p->census.first, site) || (old && see_old(mark_in(p, address))))
		return;
	if (p->stamped && !age && !old)
		set_oldest(p, address);
	if (p->stamped)
		census_add(&p->census, site, age ? age : CENSUS_AGES, old, bytes);
	else if (!old && (mark & 7) == MARK_UNLOCKED)
		*(uint64_t *)address = mark & ((1ull << SITE_SHIFT) - 1);
}

static void visit_full_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	visit_full(arg, address, bytes, true);
}

static void visit_full_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	visit_full(arg, address, bytes, false);
}

static void look_g1(struct pauses *p, size_t i, heap_visit *visit)
{
	const struct region_walk w = {&p->layout, &p->objects, p->g1_objects};
	uint64_t unread = 0;
	region_walk(&w, &p->after, i, p->after.at[i].top, visit, p, &unread);
}

static int look_full(struct pauses *p)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < p->after.count && !err; i++) {
		const struct region *is = &p->after.at[i];
		bool old = is->kind == REGION_OLD, sure;
		if (!old && is->kind != REGION_EDEN && is->kind != REGION_SURVIVOR)
			continue;
		uintptr_t to = heap_region_written(
			&p->layout, PAUSE_FULL, &p->before, &p->after, i, &sure);
		heap_visit *visit = old ? visit_full_old : visit_full_young;
		if (is->bottom >= to)
			continue;
		if (old && p->g1_objects && p->layout.collector == HEAP_G1)
			look_g1(p, i, visit); /* not all of it was compacted */
		else if (sure)
			err = heap_walk(&p->objects, is->bottom, to, visit, p, NULL);
		else
			heap_walk_checked(&p->objects, is->bottom, to, visit, p, NULL);
	}
	return err;
}

/* Objects followed one by one. */

static bool was_young(const struct pauses *p, uintptr_t address)
{
	const struct heap_regions *now = p->stamped ? &p->middle : &p->before;
	const struct region *r = heap_regions_find(now, address);
	if (!r || r->kind == REGION_EDEN || r->kind == REGION_SURVIVOR)
		return r != NULL;
	/* Before the young part of a full collection it was. */
	const struct region *was = &p->before.at[r - now->at];
	return p->stamped && r->kind == REGION_OLD &&
	       (was->kind != REGION_OLD || address >= was->top);
}

/* By its mark's age, as the visits above. In the young part of a full collection nobody is counted:
 * its end sees them all. */
static void count_followed(void *arg, uint32_t site, uintptr_t was, uintptr_t now)
{
	struct pauses *p = arg;
	const struct region *is = heap_regions_find(&p->after, now);
	if (p->collecting || !is || !was_young(p, was))
		return;
	uintptr_t klass = object_klass(&p->objects, now);
	size_t bytes = klass ? object_bytes(&p->objects, now, klass) : 0;
	uint32_t age = age_of(p, now);
	bool old = is->kind == REGION_OLD, stuck = now == was && !p->stamped;
	if (p->stamped)
		age = age ? age : CENSUS_AGES;
	else
		age = old || stuck ? age + 1 : age ? age : 1;
	census_add(&p->census, site, age, old, bytes);
	if (stuck && !old)
		count_on(p, now);
}

void pauses_trace(struct pauses *p, struct tracing *t)
{
	p->tracing = t;
	t->follow.watch = p->objects.compact ? count_followed : NULL;
	t->follow.watch_arg = p;
}

/* Regions in which evacuation failed; -1: something could not be read. */
static int64_t look(struct pauses *p, enum heap_pause pause)
{
	int64_t failed = 0;
	if (pause == PAUSE_FULL)
		return !p->objects.compact && look_full(p) ? -1 : 0;
	for (size_t i = 0; i < p->after.count; i++) {
		failed += heap_region_fate(&p->layout, pause, &p->before, &p->after, i) ==
			  FATE_FAILED;
		if (!p->objects.compact && look_region(p, pause, i))
			return -1;
	}
	return failed;
}

/* The account. */

static void put_row(struct pauses *p, const struct census_row *r)
{
	for (unsigned i = 0; i < CENSUS_AGES; i++) {
		accounts_count(&p->accounts, r->site, ACCOUNT_YOUNG, i + 1, r->young[i].objects,
			r->young[i].bytes);
		accounts_count(&p->accounts, r->site, ACCOUNT_PROMOTED, i + 1,
			r->promoted[i].objects, r->promoted[i].bytes);
	}
}

static void fill(const struct pauses *p, struct account *a)
{
	struct census_sums lived = census_sum(&p->census);
	a->births = p->newborns.sum.objects;
	a->birth_bytes = p->newborns.sum.bytes;
	a->survivors = lived.young.objects;
	a->survivor_bytes = lived.young.bytes;
	a->promoted = lived.promoted.objects;
	a->promoted_bytes = lived.promoted.bytes;
	a->unknown = p->census.unknown.objects;
	a->unknown_bytes = p->census.unknown.bytes;
}

static unsigned row_cells(const struct census_row *r)
{
	unsigned count = 0;
	for (unsigned i = 0; i < CENSUS_AGES; i++)
		count += (r->young[i].objects ? 1u : 0) + (r->promoted[i].objects ? 1u : 0);
	return count;
}

/* Cells that the account needs. */
static uint64_t cells(const struct pauses *p)
{
	uint64_t count = newborns_cells(&p->newborns);
	for (uint32_t i = 0; i < p->census.count; i++)
		count += row_cells(&p->census.rows[i]);
	return count;
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
	fill(p, a);
	newborns_tell(&p->newborns, &p->accounts);
	for (uint32_t i = 0; i < p->census.count; i++)
		put_row(p, &p->census.rows[i]);
	a->time = clock_now().v;
	a->cost = a->time - begin;
	accounts_put(&p->accounts, a);
	p->whole = true;
}

/* Classes that are unloaded, and code that is thrown away. */

static bool is_unloaded(void *arg, const struct exact_site *s)
{
	const struct pauses *p = arg;
	bool alive = loaders_alive(&p->loaders, s->loader) && loaders_alive(&p->loaders, s->home);
	for (int i = 0; i < SITE_HOMES && alive; i++)
		alive = loaders_alive(&p->loaders, s->callers[i]);
	return !alive || (s->many && p->loaders_sum != p->loaders.sum);
}

/* From 20 on code goes in the pauses that unload classes, before that at any time. Of methods that
 * are redefined what was before goes then, or a little later. */
static void forget_code(struct pauses *p, bool unloaded)
{
	if (!p->code.look)
		return;
	p->code_changes = java_code_changes();
	unsigned went = p->code.look(p->code.arg, unloaded);
	if (went)
		births_forget(p->births, p->code.replaced, p->code.arg);
	if (went & CODE_REDEFINED)
		births_unload(p->births);
}

static void forget_changed_code(struct pauses *p)
{
	if (p->code_changes != java_code_changes())
		forget_code(p, false);
}

/* Full collections unload them, and of G1 the end of a marking. */
static void forget_unloaded(struct pauses *p)
{
	bool read = loaders_read(&p->loaders);
	if (read) {
		if (births_forget(p->births, is_unloaded, p))
			births_unload(p->births);
		p->loaders_sum = p->loaders.sum;
	}
	forget_code(p, read);
}

/* Whether there was a collection that no event told of. G1's count tells of other things too. */
static bool is_missed(const struct pauses *p)
{
	return p->layout.collector != HEAP_G1 && p->after.count > 0 &&
	       p->before.collections != p->after.collections;
}

static void miss_one(struct pauses *p)
{
	skip(p);
	forget_unloaded(p);
	if (p->tracing && p->unseen)
		unseen_ends(p, &p->before);
	else if (p->tracing)
		tracing_forget(p->tracing, p->tracing->follow.young);
}

static struct heap_sight sight(const struct pauses *p, enum heap_pause pause, uint64_t kind)
{
	return (struct heap_sight){.walk = {&p->layout, &p->objects, p->g1_objects},
		.before = &p->before,
		.after = &p->after,
		.pause = pause,
		.kind = kind};
}

void pauses_start(struct pauses *p)
{
	p->stamped = p->behind = p->moved = p->parted = p->torn = false;
	p->part = &p->before;
	p->began = heap_regions_read(&p->layout, &p->before) == ERR_NONE;
	if (p->began && is_missed(p))
		miss_one(p);
	struct heap_sight s = sight(p, PAUSE_OTHER, 0);
	if (p->began)
		heap_count_start(&p->heap, &s);
}

static uint64_t kind_of(const struct pauses *p, enum heap_pause pause)
{
	if (pause == PAUSE_FULL)
		return p->stamped ? KIND_FOLLOWED : KIND_FULL;
	return pause == PAUSE_MIXED ? KIND_MIXED : KIND_YOUNG;
}

/* What became of each object. */
static void trace(struct pauses *p, enum heap_pause pause, uint64_t young)
{
	if (pause == PAUSE_FULL)
		tracing_full_ends(p->tracing, &p->before, &p->after, NULL, young);
	else if (p->torn)
		tracing_forget(p->tracing, young);
	else
		tracing_pause(p->tracing, pause, p->part, &p->after, young);
}

/* One that was not seen, or can't be read. */
static void miss(struct pauses *p, uint64_t young)
{
	if (p->tracing)
		tracing_forget(p->tracing, young);
	skip(p);
}

static void finish(struct pauses *p, uint64_t young, uint64_t full)
{
	uint64_t begin = clock_now().v;
	if (!p->began || heap_regions_read(&p->layout, &p->after)) {
		heap_count_miss(&p->heap);
		miss(p, young);
		forget_unloaded(p);
		return;
	}
	p->outdated = false;
	enum heap_pause pause = heap_pause_kind(&p->layout, &p->before, &p->after);
	if (pause == PAUSE_FULL || pause == PAUSE_OTHER)
		forget_unloaded(p);
	else
		forget_changed_code(p);
	struct heap_sight s = sight(p, pause, kind_of(p, pause));
	p->began = false;
	if (heap_count_finish(&p->heap, &s, young, full))
		begin = clock_now().v; /* it tells its own cost */
	census_clear(&p->census);
	if (p->tracing)
		trace(p, pause, young);
	if (pause == PAUSE_OTHER)
		return;
	struct account a = {.young = young, .full = full, .kind = kind_of(p, pause)};
	births_take(p->births, newborns_add, &p->newborns);
	int64_t failed = look(p, pause);
	if (pause != PAUSE_FULL && failed == 0 && p->whole &&
		eden_audit_due(&p->audit, p->newborns.sum.objects, begin))
		eden_audit_make(&p->audit, &s, &p->newborns.sum, begin, &a.audit);
	a.failed = failed > 0 ? (uint64_t)failed : pause == PAUSE_FULL && p->behind;
	if (p->tracing) {
		a.interval = p->tracing->follow.interval;
		a.lost_intervals = p->tracing->follow.totals.lost_intervals;
	}
	if (failed < 0 || (p->objects.compact && p->tracing->follow.lost))
		skip(p);
	else
		put(p, &a, begin);
}

void pauses_finish(struct pauses *p, uint64_t young, uint64_t full)
{
	finish(p, young, full);
	births_doors_give(p->births);
	births_turn(p->births);
	if (p->tracing && !p->tracing->began && atomic_load(&p->tracing->wanted))
		tracing_begin(p->tracing);
}

void pauses_end(struct pauses *p, uint64_t young, uint64_t full)
{
	struct account a = {
		.young = young + 1, .full = full, .kind = ACCOUNT_END, .interval = UINT64_MAX};
	p->began = false;
	if (p->tracing && p->unseen) /* the heap can't be walked now: the program runs */
		tracing_forget(p->tracing, young);
	p->unseen = p->collecting = false;
	if (p->tracing) {
		tracing_end(p->tracing);
		a.lost_intervals = p->tracing->follow.totals.lost_intervals;
	}
	births_take(p->births, newborns_add, &p->newborns);
	census_clear(&p->census);
	put(p, &a, clock_now().v);
}
