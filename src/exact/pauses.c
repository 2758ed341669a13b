#include "exact/pauses.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "exact/aged_mark.h"
#include "exact/audits.h"
#include "exact/birth_jumps.h"
#include "exact/heap_followed.h"
#include "exact/survivors.h"
#include "hotspot/heap_walk.h"

enum {
	KIND_YOUNG = 0,
	KIND_MIXED = 1,
	KIND_FULL = 2,
	KIND_OTHER = 3,
	KIND_FOLLOWED = 4,
};

int pauses_init(
	struct pauses *p, struct births *b, const void *inside, uint32_t helpers, struct diag *d)
{
	memset(p, 0, sizeof(*p));
	p->births = b;
	p->relief.stamps = &p->stamps;
	int err = heap_layout_open(&p->layout, inside, d);
	if (!err)
		err = vm_objects_open(&p->objects, inside, d);
	if (err)
		return err;
	if (p->objects.compact && p->objects.klass_shift != BIRTHS_KLASS_SHIFT)
		return diag_set(
			d, ERR_UNSUPPORTED, "headers are compact in a way that is not known");
	crew_start(&p->crew, helpers);
	p->audit.crew = &p->crew;
	err = stamps_init(&p->stamps, &p->layout, &p->objects, &p->before, inside, d);
	if (err || newborns_init(&p->newborns) || remains_init(&p->remains) ||
		unloading_init(&p->unloading, b, inside) ||
		heap_regions_init(&p->before, &p->layout) ||
		heap_regions_init(&p->after, &p->layout) || census_init(&p->census) ||
		headcount_init(&p->headcount, &p->crew) || accounts_init(&p->accounts)) {
		pauses_release(p);
		return err && *d->text ? err
				       : diag_set(d, ERR_NOMEM,
						 "out of memory for the exact engine's tables");
	}
	pauses_again(p);
	return ERR_NONE;
}

/* Only the spaces' bounds and the count of collections are of interest, so far. A full collection
 * may have been seen to begin, and not its end. */
void pauses_again(struct pauses *p)
{
	if (p->unseen)
		tracing_forget(p->tracing, p->tracing->follow.young);
	p->unseen = p->collecting = p->outdated = false;
	if (p->layout.collector != HEAP_G1)
		heap_regions_read(&p->layout, &p->after);
	eden_audit_begin(&p->audit, &p->layout, &p->after);
}

void pauses_number(struct pauses *p)
{
	p->census.first = p->heap.first = p->births->sites.first;
}

void pauses_release(struct pauses *p)
{
	newborns_release(&p->newborns);
	remains_release(&p->remains);
	heap_regions_release(&p->before);
	heap_regions_release(&p->after);
	stamps_release(&p->stamps);
	headcount_release(&p->headcount);
	crew_stop(&p->crew);
	census_release(&p->census);
	unloading_release(&p->unloading);
	accounts_release(&p->accounts);
	heap_count_release(&p->heap);
}

/* Full collections. */

/* Its site goes: what it has survived is not known any more. */
static void visit_strip(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct pauses *p = arg;
	uint64_t *mark = aged_home(&p->objects, address);
	(void)klass, (void)bytes;
	if (mark)
		*mark = aged_bare(*mark);
}

/* The collection makes new marks, but for those with a hash: these must not be taken for what is
 * known. */
static void strip_young(struct pauses *p)
{
	if (!p->objects.sites || tlab_gaps_read(&p->stamps.gaps))
		return;
	for (size_t i = 0; i < p->stamps.now.count; i++)
		stamps_visit(&p->stamps, i, p->outdated, visit_strip, p);
}

/* How the young generation stood before it is not known; it may have been as full as can be. */
static void guess_before(struct pauses *p)
{
	stamps_start(&p->stamps);
	p->before.count = p->after.count;
	for (size_t i = 0; i < p->after.count; i++) {
		p->before.at[i] = p->after.at[i];
		if (p->before.at[i].kind == REGION_EDEN)
			p->before.at[i].top = p->before.at[i].end;
	}
}

/* At the next collection's start, where the next such one begins, or in between; young: the clock
 * after it. */
static void unseen_ends(struct pauses *p, const struct heap_regions *now, uint64_t young)
{
	if (tlab_gaps_read(&p->stamps.gaps))
		tracing_forget(p->tracing, young);
	else
		tracing_full_ends(p->tracing, &p->stamps.now, now, &p->stamps.gaps, young);
	p->unseen = p->collecting = false;
}

/* The second in a row: where a young one came with it, what was born since the first is lost. */
static void unseen_again(struct pauses *p, bool collected)
{
	uint64_t young = p->tracing->follow.young + 1;
	if (!collected) {
		unseen_ends(p, &p->stamps.now, young);
		return;
	}
	tracing_forget(p->tracing, young);
	p->unseen = p->collecting = false;
}

/* Whether it can be followed, and what its young part did. */
static bool unseen_young(struct pauses *p, enum stamps_young *young)
{
	if (p->caught) {
		stamps_start(&p->stamps);
		return stamps_full_look(&p->stamps, young);
	}
	guess_before(p);
	*young = stamps_collected(&p->stamps) ? STAMPS_YOUNG_DONE : STAMPS_YOUNG_NONE;
	return true;
}

/* A collection that no event tells of: of G1 there is none. */
static void unseen_begins(struct pauses *p)
{
	enum stamps_young young;
	if (p->layout.collector == HEAP_G1 || !p->after.count ||
		heap_regions_read(&p->layout, &p->stamps.now) || !unseen_young(p, &young))
		return;
	strip_young(p);
	p->outdated = true;
	if (p->tracing && p->unseen)
		unseen_again(p, young == STAMPS_YOUNG_DONE);
	p->caught = false;
	if (!p->tracing)
		return;
	p->collecting = p->unseen = true;
	tracing_full_begins(p->tracing, &p->before, &p->stamps.now, young);
}

/* What the young part has moved behind which another one begins. */
static void unseen_part(struct pauses *p)
{
	if (heap_regions_read(&p->layout, &p->stamps.now))
		return;
	p->collecting = true;
	tracing_part(p->tracing, &p->before, &p->stamps.now);
	p->collecting = false;
}

/* The young part of one that no event tells of. What one before it has left can be looked at now,
 * and not any more when this one begins to mark. */
static void unseen_young_begins(struct pauses *p)
{
	if (!p->tracing || p->layout.collector == HEAP_G1 || !p->after.count)
		return;
	if (p->caught)
		unseen_part(p);
	if (heap_regions_read(&p->layout, &p->before))
		return;
	if (p->unseen)
		unseen_ends(p, &p->before, p->tracing->follow.young + 1);
	p->caught = true;
}

/* Single objects that the collection has moved behind which one begins. */
static void follow_young(struct pauses *p, enum stamps_young young)
{
	p->collecting = true;
	if (p->tracing && !p->stamps.done && young == STAMPS_YOUNG_DONE)
		tracing_part(p->tracing, p->stamps.part, &p->stamps.now);
	p->collecting = false;
}

static void young_begins(struct pauses *p)
{
	enum stamps_young young;
	if (!p->began)
		unseen_young_begins(p);
	if (!p->began || !stamps_young_look(&p->stamps, &young))
		return;
	follow_young(p, young);
	stamps_young(&p->stamps);
}

/* Full collections leave nothing there. */
static void shrinks(struct pauses *p)
{
	if (p->began && p->tracing && !p->stamps.done && !p->stamps.torn)
		tracing_shrinks(p->tracing, p->stamps.part);
}

static void follow_full(struct pauses *p, enum stamps_young young)
{
	p->collecting = true;
	if (p->tracing && !p->stamps.done)
		tracing_full_begins(p->tracing, p->stamps.part, &p->stamps.now, young);
	p->collecting = false;
}

static void full_begins(struct pauses *p)
{
	enum stamps_young young;
	if (!p->began)
		unseen_begins(p);
	if (!p->began || !stamps_full_look(&p->stamps, &young))
		return;
	if (!relief_full_begins(&p->relief, young))
		return;
	follow_full(p, young);
	stamps_full(&p->stamps);
}

/* Time in a pause that is ours. */
static void in_pause(struct pauses *p, void (*what)(struct pauses *))
{
	uint64_t begin = clock_now().v;
	what(p);
	p->own += clock_now().v - begin;
}

void pauses_young_begins(void *pauses)
{
	in_pause(pauses, young_begins);
}

void pauses_shrinks(void *pauses)
{
	in_pause(pauses, shrinks);
}

void pauses_full_begins(void *pauses)
{
	in_pause(pauses, full_begins);
}

/* Objects followed one by one. */

static bool was_young(const struct pauses *p, uintptr_t address)
{
	bool stamped = p->stamps.done;
	const struct heap_regions *now = stamped ? &p->stamps.now : &p->before;
	const struct region *r = heap_regions_find(now, address);
	if (!r || region_is_young(r))
		return r != NULL;
	/* Before the young part of a full collection it was. */
	const struct region *was = &p->before.at[r - now->at];
	return stamped && r->kind == REGION_OLD && (was->kind != REGION_OLD || address >= was->top);
}

/* What the object has survived; where it was left in its place the VM has not counted that on. One
 * that jumped is like any other from now on. */
static unsigned survived(struct pauses *p, uintptr_t address, bool left, bool old)
{
	uint64_t *mark = aged_age(&p->objects, address);
	unsigned age = mark_age(&p->objects, object_mark(address));
	if (mark && birth_jumped(*mark)) {
		census_land(&p->census, old);
		*mark = aged_landed(*mark), age = 0;
	}
	if (p->stamps.done)
		return age ? age : CENSUS_AGES;
	return left ? age + 1 : age ? age : 1;
}

static void count_on(struct pauses *p, uintptr_t address)
{
	uint64_t *mark = aged_age(&p->objects, address);
	if (mark)
		*mark = aged_on(*mark);
}

/* Through the full collection the greatest was told by 0, from which the next one would count on.
 */
static void keep_greatest(struct pauses *p, uintptr_t address)
{
	uint64_t *mark = aged_age(&p->objects, address);
	if (mark)
		*mark |= BIRTH_AGES;
}

/* An age that is not lost with a bias. */
static unsigned at_least(const struct pauses *p, unsigned age, uint32_t outlived)
{
	if (!p->objects.biased || age >= outlived)
		return age;
	return outlived < CENSUS_AGES ? outlived : CENSUS_AGES;
}

/* By its mark's age, as survivors.h does. In the young part of a full collection nobody is counted:
 * its end sees them all. */
static void count_followed(
	void *arg, uint32_t site, uintptr_t was, uintptr_t now, uint32_t outlived)
{
	struct pauses *p = arg;
	const struct region *is = heap_regions_find(&p->after, now);
	if (p->collecting || !is || !was_young(p, was))
		return;
	uintptr_t klass = object_klass(&p->objects, now);
	size_t bytes = klass ? object_bytes(&p->objects, now, klass) : 0;
	bool old = is->kind == REGION_OLD, stuck = now == was && !p->stamps.done;
	unsigned age = survived(p, now, old || stuck, old);
	census_add(&p->census, site, at_least(p, age, outlived), old, bytes);
	if (stuck && !old)
		count_on(p, now);
	if (p->stamps.done && age == CENSUS_AGES && !old)
		keep_greatest(p, now);
}

/* Whether numbers are given again: nobody follows single objects by them. */
static bool spares(const struct pauses *p)
{
	return p->objects.sites && !p->tracing;
}

/* Not all was seen of a collection. */
static void doubt(struct pauses *p)
{
	if (spares(p))
		remains_doubt(&p->remains, &p->births->sites);
}

/* Who lives on; where not all have a site they were counted as they were followed. meets: is told
 * of those that have outlived their first collection, or NULL. 0 or ERR_CORRUPT. */
static int look_all(struct pauses *p, struct follow *meets)
{
	struct survivors s = {&p->sight.walk, &p->before, &p->after, p->sight.pause, &p->census,
		meets, NULL, 0, 0};
	int err = ERR_NONE;
	if (!p->objects.sites)
		return ERR_NONE;
	if (p->sight.pause != PAUSE_FULL)
		return headcount_take(&p->headcount, &s);
	if (spares(p) && p->stamps.done) {
		remains_look(&p->remains, &p->births->sites);
		s.remains = &p->remains;
	}
	for (size_t i = 0; i < p->after.count && !err; i++)
		err = survivors_look_full(&s, i, p->stamps.done);
	if (meets)
		follow_rest(meets, 0);
	return err;
}

static int look(struct pauses *p, struct follow *meets)
{
	if (!p->looked)
		p->look_err = look_all(p, meets);
	p->looked = true;
	return p->look_err;
}

/* Regions in which evacuation failed; of a full collection: whether a young one did before it. */
static uint64_t failures(const struct pauses *p, enum heap_pause pause)
{
	uint64_t failed = 0;
	if (pause == PAUSE_FULL)
		return p->stamps.failed;
	for (size_t i = 0; i < p->after.count; i++)
		failed += heap_region_fate(&p->layout, pause, &p->before, &p->after, i) ==
			  FATE_FAILED;
	return failed;
}

/* Whether an object of which it is not known which site made it may have been born just now: where
 * evacuation failed the VM makes the marks of what it could not move anew, before 24. */
static bool has_unnamed(const struct pauses *p)
{
	bool unnamed = p->census.unknown.objects && !p->objects.keeps_marks;
	return failures(p, p->sight.pause) && (p->sight.pause == PAUSE_FULL || unnamed);
}

/* Within the step of the collection that ends. Where sites are gone those that have one left are
 * not like the others, and none is met. */
static bool meet(void *arg)
{
	struct pauses *p = arg;
	return p->ends && !p->walked && look(p, &p->tracing->follow) == ERR_NONE && !has_unnamed(p);
}

void pauses_trace(struct pauses *p, struct tracing *t)
{
	p->tracing = p->relief.tracing = t;
	/* Who is met behind a full collection is not to be taken for one that died in it. */
	p->stamps.meets = t->follow.meets ? &t->follow : NULL;
	t->meet = t->follow.meets ? meet : NULL;
	t->meet_arg = p;
	t->crew = &p->crew;
	t->follow.watch = p->objects.sites ? NULL : count_followed;
	t->follow.watch_arg = p;
	t->follow.clock.part = &p->collecting;
	if (!p->objects.sites)
		p->heap.known = heap_followed(t);
}

/* Where evacuation failed, or all was collected, nothing is shown. */
static void see_landings(struct pauses *p, enum heap_pause pause, uint64_t failed)
{
	enum landing is = census_landing(&p->census);
	if (pause != PAUSE_FULL && !failed && is != LANDING_OPEN)
		atomic_fetch_add(&p->landings[is], 1);
}

/* The account. */

static void fill(struct pauses *p, struct account *a)
{
	struct census_sums lived = census_sum(&p->census);
	a->births = p->newborns.sum.objects;
	a->birth_bytes = p->newborns.sum.bytes;
	a->survivors = lived.young.objects;
	a->survivor_bytes = lived.young.bytes;
	a->promoted = lived.promoted.objects;
	a->promoted_bytes = lived.promoted.bytes;
	relief_lived(&p->relief, lived.young.objects + lived.promoted.objects,
		lived.promoted.objects, a->kind == KIND_FOLLOWED);
	/* Where births had ended before, most of these are younger than that, and never had a
	 * site. */
	if (!p->counted)
		return;
	a->unknown = p->census.unknown.objects;
	a->unknown_bytes = p->census.unknown.bytes;
}

/* The births of a collection without an account stay for the next one, which can't be audited then.
 */
static void skip(struct pauses *p)
{
	p->unaccounted++;
	p->whole = false;
}

/* With the births that were taken: later ones are the next account's. */
static void tell_walks(struct pauses *p, struct account_walks *w)
{
	struct walk_totals sum;
	births_walked(p->births, &sum);
	w->walks = sum.walks;
	w->refused = sum.refused;
	for (int i = 0; i < STACK_ENDS; i++)
		w->ends[i] = sum.ends[i];
}

/* Whether it found room. */
static bool put(struct pauses *p, struct account *a, uint64_t begin)
{
	if (!accounts_room(&p->accounts, newborns_cells(&p->newborns) + census_cells(&p->census))) {
		skip(p);
		return false;
	}
	fill(p, a);
	if (p->births->every)
		tell_walks(p, &a->walks);
	if (spares(p))
		remains_tell(&p->remains, &p->newborns, &p->census, p->accounts.written + 1);
	newborns_tell(&p->newborns, &p->accounts);
	census_tell(&p->census, &p->accounts);
	a->flags = p->walked && p->objects.sites ? ACCOUNT_WALKED : 0;
	a->time = clock_now().v;
	a->cost = a->time - begin;
	accounts_put(&p->accounts, a);
	p->whole = true;
	p->walked = false;
	return true;
}

/* G1 tells of all, and its count of other things too. */
uint64_t pauses_missed(const struct pauses *p)
{
	const volatile uint32_t *now = heap_collections(&p->layout);
	if (p->layout.collector == HEAP_G1 || !p->after.count || now[0] == p->after.collections)
		return 0;
	uint32_t full = now[1] - p->after.full_collections;
	return full ? full : 1;
}

/* The births since the last account are of before it and behind it. */
static void miss_some(struct pauses *p, uint64_t missed)
{
	p->untold += missed;
	p->whole = false;
	doubt(p);
	unloading_look_late(&p->unloading);
	if (p->tracing && p->unseen)
		unseen_ends(p, &p->before, p->young);
	else if (p->tracing)
		tracing_lose(p->tracing, p->young);
}

static struct heap_sight sight(const struct pauses *p, enum heap_pause pause, uint64_t kind)
{
	return (struct heap_sight){.walk = {&p->layout, &p->objects, p->g1_objects},
		.before = &p->before,
		.after = &p->after,
		.pause = pause,
		.kind = kind};
}

void pauses_start(struct pauses *p, uint64_t young)
{
	stamps_start(&p->stamps);
	p->young = young;
	p->counted = atomic_load(&births_on) != BIRTHS_OFF;
	if (p->tracing)
		tracing_start(p->tracing, young);
	p->began = heap_regions_read(&p->layout, &p->before) == ERR_NONE;
	p->caught = false;
	uint64_t missed = p->began ? pauses_missed(p) : 0;
	births_again(p->births, missed || !p->began);
	if (missed)
		miss_some(p, missed);
	/* A full collection makes marks anew, too. */
	p->walked |= p->began && !missed && sentry_gone(&p->sentry);
	struct heap_sight s = sight(p, PAUSE_OTHER, 0);
	if (p->began)
		heap_count_start(&p->heap, &s);
}

static bool had_young(const struct pauses *p)
{
	for (size_t i = 0; i < p->before.count; i++)
		if (region_is_young(&p->before.at[i]))
			return true;
	return false;
}

/* In a full heap G1 evacuates though there is no young region: the clock alone tells of that. */
static enum heap_pause pause_of(const struct pauses *p, uint64_t young)
{
	enum heap_pause pause = heap_pause_kind(&p->layout, &p->before, &p->after);
	bool nothing = pause == PAUSE_OTHER && young > p->young && !had_young(p);
	return nothing ? PAUSE_YOUNG : pause;
}

static uint64_t kind_of(const struct pauses *p, enum heap_pause pause)
{
	static const uint64_t kinds[] = {[PAUSE_OTHER] = KIND_OTHER,
		[PAUSE_YOUNG] = KIND_YOUNG,
		[PAUSE_MIXED] = KIND_MIXED,
		[PAUSE_FULL] = KIND_FULL};
	return pause == PAUSE_FULL && p->stamps.done ? KIND_FOLLOWED : kinds[pause];
}

/* What became of each object. */
static void trace(struct pauses *p, enum heap_pause pause, uint64_t young)
{
	if (pause == PAUSE_FULL)
		tracing_full_ends(p->tracing, &p->before, &p->after, NULL, young);
	else if (p->stamps.torn)
		tracing_forget(p->tracing, young);
	else
		tracing_pause(p->tracing, pause, p->stamps.part, &p->after, young);
}

/* One that was not seen, or can't be read. */
static void miss(struct pauses *p, uint64_t young)
{
	if (p->tracing)
		tracing_forget(p->tracing, young);
	doubt(p);
	skip(p);
}

static void set_events(const struct pauses *p, struct account *a)
{
	if (!p->tracing)
		return;
	a->interval = p->tracing->follow.interval;
	a->lost_intervals = p->tracing->follow.totals.lost_intervals;
}

/* Nothing was moved, but the clock has moved on: without the VM's counters it counts pauses. What
 * was born stays for the next one, and so does what is known of its marks. */
static void put_other(struct pauses *p, struct account *a, uint64_t begin)
{
	bool whole = p->whole, walked = p->walked;
	set_events(p, a);
	p->walked = false;
	(void)put(p, a, begin);
	p->whole &= whole;
	p->walked = walked;
}

/* Births are complete; and where sites are gone an object cannot be told from a filler. */
static bool can_audit(const struct pauses *p)
{
	return p->whole && p->counted && !p->walked;
}

/* Whether all that was born up to now is in an account. */
/* Nothing is known of this pause. */
static bool give_up(struct pauses *p, uint64_t young)
{
	heap_count_miss(&p->heap);
	miss(p, young);
	unloading_look(&p->unloading);
	return false;
}

/* Where somebody has asked. */
static bool count_heap(struct pauses *p, const struct heap_sight *s, uint64_t young, uint64_t full)
{
	uint64_t begin = clock_now().v;
	if (!heap_count_finish(&p->heap, s, young, full))
		return false;
	burden_asked(&p->relief.burden, clock_now().v - begin);
	return true;
}

/* What the pause is from now on, for all that look at it. True: the heap was counted in it. */
static bool begin_finish(struct pauses *p, enum heap_pause pause, uint64_t young, uint64_t full)
{
	struct heap_sight s = sight(p, pause, kind_of(p, pause));
	p->began = p->outdated = p->looked = false;
	bool counted = p->objects.sites && count_heap(p, &s, young, full);
	census_clear(&p->census);
	p->sight = s;
	p->ends = true;
	return counted;
}

/* Of a pause that moved nothing. */
static bool finish_other(struct pauses *p, struct account *a, uint64_t begin)
{
	p->ends = false;
	if (a->young > p->young)
		put_other(p, a, begin);
	return false;
}

static void audit(struct pauses *p, enum heap_pause pause, struct account *a, uint64_t begin)
{
	if (pause != PAUSE_FULL && !a->failed && can_audit(p) &&
		eden_audit_due(&p->audit, p->newborns.sum.objects, begin))
		eden_audit_make(&p->audit, &p->sight, &p->newborns.sum, begin, &a->audit);
}

/* told: in an account, that of all who are young. */
static void spare(struct pauses *p, bool told)
{
	bool full = p->sight.pause == PAUSE_FULL && !p->stamps.done;
	if (!told || full || p->census.unseen)
		doubt(p);
	else if (atomic_load(&p->heap.state) == HEAP_COUNT_IDLE)
		remains_spare(&p->remains, p->births, p->accounts.written, p->accounts.read);
	if (told)
		cold_paths_retire(&p->cold, p->births, &p->remains, p->accounts.written);
}

/* Of one that did. */
static bool finish_moved(struct pauses *p, enum heap_pause pause, struct account *a, uint64_t begin)
{
	births_take(p->births, newborns_add, &p->newborns);
	int err = look(p, NULL);
	p->ends = false;
	if (p->census.stacks)
		atomic_store(&p->births->uncounted, true);
	a->failed = failures(p, pause);
	see_landings(p, pause, a->failed);
	if (!err)
		audit(p, pause, a, begin);
	eden_audit_next(&p->audit, &p->sight);
	if (p->tracing)
		tracing_untold(p->tracing);
	set_events(p, a);
	p->held = audits_hold(&a->audit);
	bool told = false;
	if (!err && (p->objects.sites || !p->tracing->follow.lost))
		told = put(p, a, begin);
	else
		skip(p);
	if (spares(p))
		spare(p, told);
	return told;
}

static bool finish(struct pauses *p, uint64_t young, uint64_t full)
{
	uint64_t begin = clock_now().v;
	if (!p->began || heap_regions_read(&p->layout, &p->after))
		return give_up(p, young);
	enum heap_pause pause = pause_of(p, young);
	if (pause == PAUSE_FULL || pause == PAUSE_OTHER)
		unloading_look(&p->unloading);
	else
		unloading_look_code(&p->unloading);
	if (begin_finish(p, pause, young, full))
		begin = clock_now().v; /* it tells its own cost */
	if (p->tracing)
		trace(p, pause, young);
	if (!p->objects.sites && count_heap(p, &p->sight, young, full))
		begin = clock_now().v;
	struct account a = {.young = young, .full = full, .kind = kind_of(p, pause)};
	return pause == PAUSE_OTHER ? finish_other(p, &a, begin)
				    : finish_moved(p, pause, &a, begin);
}

/* Where an interval of its events begins one of the accounts does, or it would lack births: after
 * an attach the first one that is written, which begins where this audit held (exact_accounts.c).
 */
static void begin_tracing(struct pauses *p)
{
	struct tracing *t = p->tracing;
	if (t && !t->began && p->held && atomic_load(&t->wanted))
		tracing_begin(t);
}

static void weigh(struct pauses *p, uint64_t begin)
{
	uint64_t now = clock_now().v, own = p->own + now - begin;
	p->own = 0;
	relief_pause_ends(&p->relief, own, now);
}

void pauses_finish(struct pauses *p, uint64_t young, uint64_t full)
{
	uint64_t begin = clock_now().v;
	bool accounted = finish(p, young, full);
	sentry_renew(&p->sentry);
	births_seen(p->births);
	births_doors_give(p->births);
	births_turn(p->births);
	if (accounted)
		begin_tracing(p);
	weigh(p, begin);
}

void pauses_settle(struct pauses *p, uint64_t young)
{
	uint64_t missed = pauses_missed(p);
	if (!missed || heap_regions_read(&p->layout, &p->before))
		return;
	p->young = young;
	p->caught = false;
	if (p->tracing)
		tracing_start(p->tracing, young);
	births_again(p->births, true);
	miss_some(p, missed);
	births_seen(p->births);
	p->outdated = heap_regions_read(&p->layout, &p->after) != ERR_NONE;
}

void pauses_end(struct pauses *p, uint64_t missed, uint64_t young, uint64_t full)
{
	struct account a = {
		.young = young + 1, .full = full, .kind = ACCOUNT_END, .interval = UINT64_MAX};
	p->began = false;
	p->untold += missed;
	if (p->tracing && (missed || p->unseen)) /* the heap can't be walked: the program runs */
		tracing_lose(p->tracing, young);
	p->unseen = p->collecting = false;
	if (p->tracing) {
		tracing_start(p->tracing, young);
		tracing_end(p->tracing);
		tracing_untold(p->tracing);
		a.lost_intervals = p->tracing->follow.totals.lost_intervals;
	}
	births_take(p->births, newborns_add, &p->newborns);
	census_clear(&p->census);
	(void)put(p, &a, clock_now().v);
}
