#include "exact/heap_count.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"
#include "exact/site_table.h"

enum {
	OUR_AGE = 14, /* of what is stamped; at 15 it would be one that jumped (birth_mark.h) */
	AGE_SHIFT = 3,
	KIND_FOLLOWED = 4, /* of a collection, as in the trace */
	OURS = 0x2c6b1a5,  /* a hash; one is as good as another */
};

static const uint64_t ages = BIRTH_AGES;

int heap_count_ask(struct heap_count *h, bool forced, uint64_t stamps_most)
{
	h->rows = pages_map(SITE_NUMBERS * sizeof(*h->rows));
	h->classes = pages_map(HEAP_CLASSES * sizeof(*h->classes));
	h->names = pages_map(HEAP_NAMES);
	if (!h->rows || !h->classes || !h->names) {
		heap_count_release(h);
		return ERR_NOMEM;
	}
	h->forced = forced;
	h->stamps_most = stamps_most;
	h->others = (struct census_cell){0};
	h->names_used = h->class_count = 0;
	h->stamping = false;
	h->result = (struct heap_counted){0};
	atomic_store(&h->state, HEAP_COUNT_WANTED);
	return ERR_NONE;
}

bool heap_count_cancel(struct heap_count *h)
{
	int wanted = HEAP_COUNT_WANTED;
	if (atomic_compare_exchange_strong(&h->state, &wanted, HEAP_COUNT_BUSY))
		heap_count_release(h);
	return atomic_load(&h->state) == HEAP_COUNT_IDLE;
}

void heap_count_release(struct heap_count *h)
{
	pages_unmap(h->rows, SITE_NUMBERS * sizeof(*h->rows));
	pages_unmap(h->classes, HEAP_CLASSES * sizeof(*h->classes));
	pages_unmap(h->names, HEAP_NAMES);
	h->rows = NULL;
	h->classes = NULL;
	h->names = NULL;
	atomic_store(&h->state, HEAP_COUNT_IDLE);
}

static bool begin(struct heap_count *h)
{
	int wanted = HEAP_COUNT_WANTED;
	return atomic_compare_exchange_strong(&h->state, &wanted, HEAP_COUNT_BUSY);
}

static bool is_old(const struct region *r)
{
	return r->kind == REGION_OLD || r->kind == REGION_HUMONGOUS;
}

/* Stamps. */

static void set_age(uint64_t *mark, uint64_t age)
{
	*mark = (*mark & ~ages) | age << AGE_SHIFT;
}

static void visit_stamp(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct heap_count *h = arg;
	uintptr_t home = mark_home(h->objects, address);
	uint64_t *mark = (uint64_t *)home;
	(void)klass, (void)bytes;
	if (!home || *mark >> SITE_SHIFT == 0)
		return;
	*mark |= BIRTH_SEEN_OLD; /* so that nobody takes it for one that is promoted now */
	if ((*mark & ages) >= OUR_AGE << AGE_SHIFT)
		set_age(mark, OUR_AGE - 1);
	if (mark_hash(h->objects, *mark) || home != address) /* its lock keeps the mark */
		return;
	if (h->result.stamped == h->stamps_most) {
		h->result.unstamped++;
	} else {
		set_age(mark, OUR_AGE);
		*mark |= (uint64_t)OURS << h->objects->hash_shift;
		h->result.stamped++;
	}
}

static void take_back(const struct heap_count *h, uintptr_t address)
{
	uint64_t *mark = (uint64_t *)address;
	uint64_t ours = (uint64_t)OURS << h->objects->hash_shift;
	uint64_t hash = h->objects->hash_mask << h->objects->hash_shift;
	if ((*mark & 7) == MARK_UNLOCKED && (*mark & BIRTH_SEEN_OLD) &&
		(*mark & ages) == OUR_AGE << AGE_SHIFT && (*mark & hash) == ours)
		*mark &= ~(hash | ages);
}

static void visit_take_back(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass, (void)bytes;
	take_back(arg, address);
}

static uint64_t walk_old(struct heap_count *h, const struct heap_sight *s,
	const struct heap_regions *r, heap_visit *visit)
{
	uint64_t unread = 0;
	for (size_t i = 0; i < r->count; i++)
		if (is_old(&r->at[i]))
			region_walk(&s->walk, r, i, r->at[i].top, visit, h, &unread);
	return unread;
}

void heap_count_start(struct heap_count *h, const struct heap_sight *s)
{
	uint64_t start = clock_now().v;
	if (!h->forced || h->known.meet || !region_walk_can(&s->walk) || !begin(h))
		return;
	h->objects = s->walk.objects;
	h->stamping = true;
	h->result.stamped = h->result.unstamped = 0;
	walk_old(h, s, s->before, visit_stamp);
	h->result.cost = clock_now().v - start;
}

/* Counts. */

static void add(struct census_cell *c, uint64_t bytes)
{
	c->objects++;
	c->bytes += bytes;
}

static struct census_cell *class_cell(struct heap_count *h, uintptr_t klass)
{
	uint32_t i = (uint32_t)(hash64(klass) >> 50); /* HEAP_CLASSES is 2 to the 14 */
	for (; h->classes[i].klass != klass; i = (i + 1) & (HEAP_CLASSES - 1)) {
		if (h->classes[i].klass)
			continue;
		if (h->class_count >= HEAP_CLASSES / 4 * 3)
			return &h->others;
		h->class_count++;
		h->classes[i].klass = klass;
		break;
	}
	return &h->classes[i].cell;
}

/* The row of its site; NULL: it will be told of, or has none, and is counted by its class. */
static struct heap_count_row *row_of(
	struct heap_count *h, uintptr_t address, uint64_t mark, uint64_t bytes)
{
	uint32_t site = mark_site(h->objects, mark);
	bool knows = h->known.meet;
	if (knows ? h->known.meet(h->known.arg, address) : site_is_of(h->first, site)) {
		add(&h->result.known, bytes);
		return knows ? NULL : &h->rows[site];
	}
	add(class_cell(h, object_klass(h->objects, address)), bytes);
	add(&h->result.unknown, bytes);
	return NULL;
}

static void count_young(struct heap_count *h, uintptr_t address, size_t bytes, uint32_t more)
{
	uint64_t mark = object_mark(address);
	struct heap_count_row *row = row_of(h, address, mark, bytes);
	bool jumped = birth_jumped(mark_unlocked(h->objects, mark));
	uint32_t age = jumped ? 1 : mark_age(h->objects, mark) + more;
	if (!age) /* through a full collection that was followed it stands for 16 (pauses.c) */
		age = h->result.kind == KIND_FOLLOWED ? CENSUS_AGES : 1;
	if (row)
		add(&row->young[age > CENSUS_AGES ? CENSUS_AGES - 1 : age - 1], bytes);
}

static void visit_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	count_young(arg, address, bytes, 0);
}

/* Left where it was, because it could not be moved; or moved, which Parallel of 26 leaves as it is.
 */
static void visit_stuck(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	if (!mark_forwarded(object_mark(address)))
		count_young(arg, address, bytes, 1);
}

static void visit_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct heap_count *h = arg;
	(void)klass;
	if (h->stamping)
		take_back(h, address);
	struct heap_count_row *row = row_of(h, address, object_mark(address), bytes);
	if (row)
		add(&row->old, bytes);
}

/* Bytes that could not be read. */
static uint64_t count_young_region(
	struct heap_count *h, const struct heap_sight *s, size_t i, uintptr_t top, bool sure)
{
	const struct region *is = &s->after->at[i];
	uintptr_t reached = is->bottom;
	bool stuck =
		heap_region_fate(s->walk.layout, s->pause, s->before, s->after, i) == FATE_FAILED;
	(sure ? heap_walk : heap_walk_checked)(
		h->objects, is->bottom, top, stuck ? visit_stuck : visit_young, h, &reached);
	return top - reached;
}

static void count_region(struct heap_count *h, const struct heap_sight *s, size_t i)
{
	const struct region *is = &s->after->at[i];
	uint64_t unread = 0;
	bool sure;
	if (is->kind == REGION_FREE)
		return;
	uintptr_t top =
		heap_region_written(s->walk.layout, s->pause, s->before, s->after, i, &sure);
	if (top <= is->bottom)
		return;
	h->result.used += top - is->bottom;
	if (is_old(is))
		region_walk(&s->walk, s->after, i, top, visit_old, h, &unread);
	else if (is->kind != REGION_HUMONGOUS_REST)
		unread = count_young_region(h, s, i, top, sure);
	if (unread)
		h->result.flags |= is_old(is) ? HEAP_OLD_UNREAD : HEAP_YOUNG_UNREAD;
	h->result.unread += unread;
}

static void name_classes(struct heap_count *h)
{
	h->names_used = 1; /* 0: no name */
	for (uint32_t i = 0; i < HEAP_CLASSES; i++) {
		struct heap_class *c = &h->classes[i];
		if (!c->klass || HEAP_NAMES - h->names_used < HEAP_NAME)
			continue;
		size_t len = klass_name(h->objects, c->klass, h->names + h->names_used, HEAP_NAME);
		c->name = h->names_used;
		h->names_used += (uint32_t)(len < HEAP_NAME ? len : HEAP_NAME - 1) + 1;
	}
}

void heap_count_tell(
	struct heap_count *h, uint32_t site, uint32_t survived, bool old, uint64_t bytes)
{
	uint32_t age = survived > CENSUS_AGES ? CENSUS_AGES : survived ? survived : 1;
	if (site_is_of(h->first, site))
		add(old ? &h->rows[site].old : &h->rows[site].young[age - 1], bytes);
}

static void count(struct heap_count *h, const struct heap_sight *s, uint64_t young, uint64_t full)
{
	bool kept = (h->stamping || h->known.meet) && s->kind == KIND_FOLLOWED;
	bool lost = s->pause == PAUSE_FULL && !kept;
	h->result.young = young;
	h->result.full = full;
	h->result.kind = s->kind;
	h->result.flags = (h->forced ? HEAP_FORCED : 0) |
			  (s->pause != PAUSE_FULL ? HEAP_GARBAGE : 0) |
			  (lost ? HEAP_SITES_LOST : 0);
	if (h->known.begin)
		h->known.begin(h->known.arg);
	for (size_t i = 0; i < s->after->count; i++)
		count_region(h, s, i);
	if (h->known.end)
		h->known.end(h->known.arg, s->after, h);
	name_classes(h);
}

/* The forced collection is still to come: this was another one. */
static void wait_on(struct heap_count *h, const struct heap_sight *s)
{
	if (h->stamping)
		walk_old(h, s, s->after, visit_take_back);
	h->stamping = false;
	atomic_store(&h->state, HEAP_COUNT_WANTED);
}

bool heap_count_finish(
	struct heap_count *h, const struct heap_sight *s, uint64_t young, uint64_t full)
{
	uint64_t start = clock_now().v;
	bool fits = h->forced ? s->pause == PAUSE_FULL : s->pause != PAUSE_OTHER;
	if (!h->stamping && (!fits || !begin(h)))
		return false;
	if (!fits) {
		wait_on(h, s);
		return true;
	}
	h->objects = s->walk.objects;
	count(h, s, young, full);
	h->result.time = clock_now().v;
	h->result.cost += h->result.time - start;
	h->stamping = false;
	atomic_store(&h->state, HEAP_COUNT_READY);
	return true;
}

void heap_count_miss(struct heap_count *h)
{
	if (!h->stamping)
		return;
	h->stamping = false;
	atomic_store(&h->state, HEAP_COUNT_WANTED);
}
