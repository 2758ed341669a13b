#include "exact/stamps.h"

#include <string.h>

#include "base/error.h"
#include "exact/aged_mark.h"

enum { THREADS_MAX = 16384 };

int stamps_init(struct stamps *s, const struct heap_layout *layout,
	const struct vm_objects *objects, const struct heap_regions *before, const void *inside,
	struct diag *d)
{
	*s = (struct stamps){.layout = layout,
		.objects = objects,
		.before = before,
		.part = before,
		.hash = 0x9e3779b97f4a7c15ull};
	int err = tlab_gaps_open(&s->gaps, objects, inside, THREADS_MAX, d);
	if (!err)
		err = heap_regions_init(&s->now, layout);
	return err ? err : heap_regions_init(&s->between, layout);
}

void stamps_release(struct stamps *s)
{
	heap_regions_release(&s->now);
	heap_regions_release(&s->between);
	tlab_gaps_release(&s->gaps);
}

void stamps_start(struct stamps *s)
{
	s->done = s->moved = s->parted = s->failed = s->torn = false;
	s->part = s->before;
}

/* What has happened since the last one began. */

static bool is_full_eden(const struct region *r)
{
	return r->kind == REGION_EDEN && r->top > r->bottom;
}

bool stamps_collected(const struct stamps *s)
{
	for (size_t i = 0; i < s->part->count; i++)
		if (is_full_eden(&s->part->at[i]) && !is_full_eden(&s->now.at[i]))
			return true;
	return false;
}

/* Whether what stands in the region are copies that the VM has counted on since: all in survivor
 * regions, and where promotion failed those in the space that had been empty. */
static bool holds_copies(const struct stamps *s, size_t i, bool collected)
{
	const struct region *was = &s->part->at[i], *is = &s->now.at[i];
	return is->kind == REGION_SURVIVOR &&
	       (collected || was->kind != REGION_SURVIVOR || was->top == was->bottom);
}

/* Serial and Parallel: of a young generation that was not emptied some have been moved. */
static bool has_failed(const struct stamps *s)
{
	for (size_t i = 0; i < s->part->count && s->layout->collector != HEAP_G1; i++) {
		const struct region *was = &s->part->at[i], *is = &s->now.at[i];
		if (is->kind == REGION_OLD ? is->top > was->top
					   : is->top > is->bottom && holds_copies(s, i, false))
			return true;
	}
	return false;
}

/* One that failed is followed by none that moves more of the young generation. */
static enum stamps_young young_part(struct stamps *s)
{
	if (stamps_collected(s))
		return STAMPS_YOUNG_DONE;
	s->failed |= has_failed(s);
	return s->failed ? STAMPS_YOUNG_FAILED : STAMPS_YOUNG_NONE;
}

static bool look(struct stamps *s)
{
	return heap_regions_read(s->layout, &s->now) == ERR_NONE &&
	       tlab_gaps_read(&s->gaps) == ERR_NONE;
}

int stamps_visit(const struct stamps *s, size_t region, bool old, heap_visit *visit, void *arg)
{
	const struct region *was = s->done ? &s->part->at[region] : &s->before->at[region];
	const struct region *is = &s->now.at[region];
	bool stays = is->kind == REGION_OLD && was->kind == REGION_OLD && !old;
	uintptr_t from = stays ? was->top : is->bottom;
	if ((is->kind != REGION_OLD && !region_is_young(is)) || from >= is->top)
		return ERR_NONE;
	return heap_walk_around(&s->gaps, s->objects, from, is->top, visit, arg, NULL);
}

/* One collection behind another. */

/* The VM has counted it on in this pause, and may do so again. */
static void visit_back(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	const struct stamps *s = arg;
	uint64_t *mark = aged_age(s->objects, address);
	(void)klass, (void)bytes;
	if (mark && (!s->objects->sites || *mark >> SITE_SHIFT != 0) && !birth_jumped(*mark))
		*mark = aged_back(*mark);
}

/* After a full collection all are counted on, of a young one its copies. */
static int count_back(struct stamps *s)
{
	bool collected = stamps_collected(s);
	int err = ERR_NONE;
	for (size_t i = 0; i < s->now.count && !err; i++)
		if (s->done ? region_is_young(&s->now.at[i]) : holds_copies(s, i, collected))
			err = stamps_visit(s, i, false, visit_back, s);
	return err;
}

bool stamps_young_look(struct stamps *s, enum stamps_young *young)
{
	bool first = !s->moved;
	s->moved = true;
	if (first || s->torn)
		return false;
	s->torn = !look(s);
	if (!s->torn)
		*young = young_part(s);
	return !s->torn;
}

/* What follows is held to how the heap stands now. */
void stamps_young(struct stamps *s)
{
	struct heap_regions was = s->between;
	s->torn = count_back(s) != ERR_NONE;
	s->between = s->now;
	s->now = was;
	s->part = &s->between;
	s->parted = true;
}

/* The full one. */

static uint64_t next_hash(struct stamps *s)
{
	if (s->meets)
		return identities_propose(&s->meets->identities) & s->objects->hash_mask;
	s->hash ^= s->hash << 13;
	s->hash ^= s->hash >> 7;
	s->hash ^= s->hash << 17;
	uint64_t hash = s->hash & s->objects->hash_mask;
	return hash ? hash : 1;
}

/* Whether it is of an object that is known. Where not all have sites each that is followed has been
 * given an identity by now. */
static bool is_known(const struct stamps *s, uint64_t mark)
{
	return mark >> SITE_SHIFT != 0 || (!s->objects->sites && mark_hash(s->objects, mark));
}

/* A mark that the collector will keep. That of an object that is locked is elsewhere, and is kept.
 */
static void stamp(struct stamps *s, uintptr_t address, bool ages)
{
	uint64_t *mark = aged_home(s->objects, address);
	if (!mark || !is_known(s, *mark))
		return;
	uint32_t hash = mark_hash(s->objects, *mark);
	bool newborn = aged_of(*mark) == (ages ? 0 : 1);
	if (hash && newborn && s->meets)
		follow_unborn(s->meets, hash, aged_site(*mark), address);
	if ((uintptr_t)mark == address && !hash)
		*mark |= next_hash(s) << s->objects->hash_shift;
	if (ages)
		*mark = aged_full(aged_landed(*mark));
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

/* One full collection right behind another finds all stamped. */
static bool is_stamped(const struct stamps *s)
{
	return s->done && !s->parted && (s->parts || s->layout->collector == HEAP_G1);
}

/* Whether there may be young collections in this pause that were not told. Of G1 the first one is
 * the last. */
static bool is_torn(const struct stamps *s)
{
	if (s->torn || s->parts || s->layout->collector == HEAP_G1)
		return s->torn;
	return s->done || s->now.collections - s->before->collections > 1;
}

bool stamps_full_look(struct stamps *s, enum stamps_young *young)
{
	if (is_stamped(s) || !look(s))
		return false;
	s->torn = is_torn(s);
	s->done &= !s->torn;
	if (!s->torn)
		*young = young_part(s);
	return !s->torn;
}

/* Not all of them: none is counted. */
void stamps_full(struct stamps *s)
{
	bool collected = stamps_collected(s), whole = true;
	for (size_t i = 0; i < s->now.count; i++)
		whole &= !stamps_visit(s, i, false,
			holds_copies(s, i, collected) ? visit_stamp_copied : visit_stamp, s);
	s->done = whole;
	s->moved = true;
	s->parted = false;
}
