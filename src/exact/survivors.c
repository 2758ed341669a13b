#include "exact/survivors.h"

#include "base/error.h"
#include "exact/aged_mark.h"
#include "exact/filler.h"
#include "hotspot/heap_walk.h"

static inline const struct vm_objects *objects(const struct survivors *s)
{
	return s->walk->objects;
}

/* Its first collection is behind it. */
static inline void meet(const struct survivors *s, uint32_t site, uintptr_t address)
{
	if (s->meets && site_is_of(s->census->first, site))
		follow_meet(s->meets, s->worker, s->region, site, address);
}

/* Its mark can't be read; it may have a site when it can again. */
static inline uint64_t read_mark(const struct survivors *s, const uint64_t *mark)
{
	s->census->unseen += !mark;
	return mark ? *mark : 0;
}

static inline void set_mark(uint64_t *mark, uint64_t was, uint64_t is)
{
	if (mark && is != was)
		*mark = is;
}

/*
 * What is left of a buffer that the collector copied into, no survivor. A copy has an age, but for
 * what was promoted at once: of that an array of int without a site is taken for one, too. Serial
 * has no such buffers.
 */
static inline bool is_rest(const struct survivors *s, uintptr_t address, uintptr_t klass)
{
	return object_mark(address) == MARK_UNLOCKED && s->walk->layout->collector != HEAP_SERIAL &&
	       filler_unnamed(objects(s), address, klass);
}

/* The stack of a virtual thread: the VM does not tell of the births of most, so that none is
 * counted, and none has lost its site. */
static inline bool is_stack(const struct survivors *s, uint64_t mark, uintptr_t klass)
{
	if (aged_site(mark) || !klass_is_chunk(objects(s), klass))
		return false;
	s->census->stacks++;
	return true;
}

/* Seen in the old generation, and young: our own (sentry.h), which never had a site. */
static inline bool is_sentry(uint64_t mark)
{
	return !aged_site(mark) && birth_seen_old(mark);
}

static inline bool is_ours_or_stack(const struct survivors *s, uint64_t mark, uintptr_t klass)
{
	return is_sentry(mark) || is_stack(s, mark, klass);
}

/* One of age 0 was left where it was, because it could not be moved: the VM has not counted its age
 * on. Else the next collection would find it as old as this one did. */
static inline void visit_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	const struct survivors *s = arg;
	if (is_rest(s, address, klass))
		return;
	uint64_t *mark = aged_mark(objects(s), address), was = read_mark(s, mark);
	uint32_t site = aged_site(was), age = aged_of(was);
	uint64_t is = aged_landed(was);
	if (is_ours_or_stack(s, was, klass))
		return;
	if (is != was)
		census_land(s->census, false);
	census_add(s->census, site, age ? age : 1, false, bytes);
	set_mark(mark, was, !age && site ? aged_on(is) : is);
	if (age <= 1)
		meet(s, site, address);
}

/* Where evacuation failed. Parallel of 26 leaves what it did move as it is, too. */
static inline void visit_stuck(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	const struct survivors *s = arg;
	if (mark_forwarded(object_mark(address)))
		return;
	uint64_t *mark = aged_mark(objects(s), address), was = read_mark(s, mark);
	uint32_t site = aged_site(was);
	uint64_t is = aged_landed(was);
	if (is_ours_or_stack(s, was, klass))
		return;
	census_add(s->census, site, aged_of(was) + 1, false, bytes);
	set_mark(mark, was, site ? aged_on(is) : is);
	if (!aged_of(was))
		meet(s, site, address);
}

static inline void visit_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	const struct survivors *s = arg;
	uint64_t *mark = aged_mark(objects(s), address), was = read_mark(s, mark);
	if (is_stack(s, was, klass) || aged_see_old(mark))
		return;
	if (birth_jumped(was))
		census_land(s->census, true);
	census_add(s->census, aged_site(was), aged_of(was) + 1, true, bytes);
	if (!aged_of(was))
		meet(s, aged_site(was), address);
}

static inline void visit_promoted(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	if (!is_rest(arg, address, klass))
		visit_old(arg, address, klass, bytes);
}

/* Walks of objects that one of these visits: each with the visit in its loop. */
struct look {
	heap_visit *visit; /* NULL: nothing is looked at */
	int (*walk)(struct survivors *s, uintptr_t from, uintptr_t to);
};

static int walk_young(struct survivors *s, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(objects(s), from, to, visit_young, s, NULL);
}

static int walk_stuck(struct survivors *s, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(objects(s), from, to, visit_stuck, s, NULL);
}

static int walk_old(struct survivors *s, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(objects(s), from, to, visit_old, s, NULL);
}

static int walk_promoted(struct survivors *s, uintptr_t from, uintptr_t to)
{
	return heap_walk_with(objects(s), from, to, visit_promoted, s, NULL);
}

/* Who looks at what stands in a region now and did not before. Of what G1 could not move the VM
 * makes the marks anew, so that some look like fillers. */
static struct look look_of(const struct region *is, enum region_fate fate)
{
	if (is->kind == REGION_OLD && fate == FATE_FAILED)
		return (struct look){visit_old, walk_old};
	if (is->kind == REGION_OLD)
		return (struct look){visit_promoted, walk_promoted};
	if (fate == FATE_FAILED)
		return (struct look){visit_stuck, walk_stuck};
	return is->kind == REGION_SURVIVOR ? (struct look){visit_young, walk_young}
					   : (struct look){NULL, NULL};
}

static struct look look_at(const struct survivors *s, size_t i)
{
	return look_of(&s->after->at[i],
		heap_region_fate(s->walk->layout, s->pause, s->before, s->after, i));
}

/* What stood there before is known. */
static uintptr_t first_new(const struct survivors *s, size_t i)
{
	const struct region *was = &s->before->at[i], *is = &s->after->at[i];
	bool both_old = is->kind == REGION_OLD && was->kind == REGION_OLD;
	return both_old ? was->top : is->bottom;
}

bool survivors_any(const struct survivors *s, size_t i)
{
	return first_new(s, i) < s->after->at[i].top && look_at(s, i).visit;
}

/* Where the VM does not tell how far up there are objects, the last of them may be one that is not
 * written yet: no failure. */
int survivors_look(struct survivors *s, size_t i)
{
	struct look look = look_at(s, i);
	bool sure;
	s->region = i;
	uintptr_t from = first_new(s, i);
	uintptr_t to =
		heap_region_written(s->walk->layout, s->pause, s->before, s->after, i, &sure);
	if (!look.visit || from >= to)
		return ERR_NONE;
	if (sure)
		return look.walk(s, from, to);
	s->census->unseen += heap_walk_checked(objects(s), from, to, look.visit, s, NULL) != 0;
	return ERR_NONE;
}

/* After a full collection. What has a site and was not seen being promoted was in the young
 * generation before. */

/* Whether the object has a site, and was not seen in the old generation before. */
static bool is_met(const struct survivors *s, uintptr_t address, uint32_t site, bool old)
{
	return site_is_of(s->census->first, site) &&
	       !(old && aged_see_old(aged_mark(objects(s), address)));
}

/* The oldest was told by 0. */
static void count_full(const struct survivors *s, uintptr_t address, size_t bytes, bool old)
{
	uint64_t mark = object_mark(address);
	uint32_t site = mark_site(objects(s), mark), age = mark_age(objects(s), mark);
	s->census->unseen += !mark_unlocked(objects(s), mark);
	if (s->remains && old && site_is_of(s->census->first, site))
		remains_met(s->remains, site);
	if (!is_met(s, address, site, old))
		return;
	uint64_t *home = age || old ? NULL : aged_home(objects(s), address);
	if (home)
		*home |= BIRTH_AGES;
	census_add(s->census, site, age ? age : CENSUS_AGES, old, bytes);
	if (age == 1)
		meet(s, site, address);
}

/* Some marks have been kept all the same. */
static void drop_full(const struct survivors *s, uintptr_t address, bool old)
{
	uint64_t mark = object_mark(address);
	if (is_met(s, address, mark_site(objects(s), mark), old) && !old &&
		(mark & 7) == MARK_UNLOCKED)
		*(uint64_t *)address = aged_bare(mark);
}

static void visit_full_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	count_full(arg, address, bytes, true);
}

static void visit_full_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass;
	count_full(arg, address, bytes, false);
}

static void visit_drop_old(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass, (void)bytes;
	drop_full(arg, address, true);
}

static void visit_drop_young(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	(void)klass, (void)bytes;
	drop_full(arg, address, false);
}

static heap_visit *full_visit(bool old, bool stamped)
{
	if (stamped)
		return old ? visit_full_old : visit_full_young;
	return old ? visit_drop_old : visit_drop_young;
}

/* Not all of G1's old regions were compacted: the VM's own walk leaves out what is dead. */
static int look_g1(struct survivors *s, size_t i, heap_visit *visit)
{
	uint64_t unread = 0;
	region_walk(s->walk, s->after, i, s->after->at[i].top, visit, s, &unread);
	return ERR_NONE;
}

int survivors_look_full(struct survivors *s, size_t i, bool stamped)
{
	const struct heap_layout *layout = s->walk->layout;
	const struct region *is = &s->after->at[i];
	bool old = is->kind == REGION_OLD, sure;
	heap_visit *visit = full_visit(old, stamped);
	s->region = i;
	if (!old && !region_is_young(is))
		return ERR_NONE;
	uintptr_t to = heap_region_written(layout, PAUSE_FULL, s->before, s->after, i, &sure);
	if (is->bottom >= to)
		return ERR_NONE;
	if (old && s->walk->g1 && layout->collector == HEAP_G1)
		return look_g1(s, i, visit);
	if (sure)
		return heap_walk(objects(s), is->bottom, to, visit, s, NULL);
	s->census->unseen += heap_walk_checked(objects(s), is->bottom, to, visit, s, NULL) != 0;
	return ERR_NONE;
}
