#include "young_heap.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stat/weight.h"
#include "support/tap.h"

void young_heap_init(
	struct young_heap *h, const struct heap_law *laws, uint32_t count, uint64_t seed)
{
	*h = (struct young_heap){.laws = laws,
		.law_count = count,
		.eden = 400000,
		.most = THRESHOLD_MOST,
		.threshold = THRESHOLD_MOST,
		.reference = THRESHOLD_MOST,
		.cost = COST_DEFAULT,
		.births = rng_init(seed),
		.samples = rng_init(seed + 1),
		.cpu = rng_init(seed + 2),
		.spare = mem_zalloc(HEAP_SLOTS, sizeof(uint32_t)),
		.spare_count = HEAP_SLOTS};
	for (uint32_t i = 0; h->spare && i < HEAP_SLOTS; i++)
		h->spare[i] = HEAP_SLOTS - 1 - i;
}

void young_heap_release(struct young_heap *h)
{
	vec_release(&h->objects);
	vec_release(&h->old);
	vec_release(&h->untold);
	mem_free(h->spare);
}

struct place_context young_heap_place(const struct young_heap *h, uint32_t law, uint32_t depth)
{
	const struct heap_law *l = &h->laws[law];
	struct place_context at = {.place = {.vm_method = l->method ? l->method : 1000 + law,
					   .bci = 7,
					   .class_id = l->method ? l->method : law + 1},
		.depth = depth};
	for (uint32_t i = 0; i < depth; i++)
		at.caller[i] = l->caller[i];
	return at;
}

static uint32_t depth_of(const struct heap_law *l)
{
	uint32_t depth = 0;
	while (depth < PLACE_CALLERS && l->caller[depth].vm_method)
		depth++;
	return depth;
}

void young_heap_jump(struct young_heap *h, const struct place_context *at, bool on)
{
	for (uint32_t i = 0; i < h->law_count; i++) {
		struct place_context mine = young_heap_place(h, i, depth_of(&h->laws[i]));
		mine = place_context_cut(&mine, at->depth);
		if (place_context_same(&mine, at))
			h->jump[i] = on;
	}
}

static double lifetime(struct young_heap *h, const struct heap_law *l)
{
	double u = rng_unit(&h->births), at = rng_unit(&h->births);
	for (uint32_t i = 0; i < HEAP_PARTS; i++) {
		if (u < l->part[i].probability)
			return l->part[i].least + at * (l->part[i].most - l->part[i].least);
		u -= l->part[i].probability;
	}
	return 0;
}

static uint32_t pick(struct young_heap *h)
{
	double all = 0;
	for (uint32_t i = 0; i < h->law_count; i++)
		all += h->laws[i].share / h->laws[i].size;
	double u = rng_unit(&h->births) * all;
	for (uint32_t i = 0; i < h->law_count; i++) {
		u -= h->laws[i].share / h->laws[i].size;
		if (u < 0)
			return i;
	}
	return h->law_count - 1;
}

/* The interval 0 takes every object, which stands for itself. */
static void sample(struct young_heap *h, struct heap_object *o)
{
	const struct heap_law *l = &h->laws[o->law];
	o->slot = UINT32_MAX;
	bool seen = !h->interval ||
		    rng_unit(&h->samples) < -expm1(-(double)o->size / (double)h->interval);
	if (!h->learner || !seen || !h->spare_count)
		return;
	o->slot = h->spare[--h->spare_count];
	struct place_context at = young_heap_place(h, o->law, depth_of(l));
	double weight = h->interval ? weight_bytes(o->size, h->interval) : o->size;
	learner_birth(h->learner, o->slot, &at, l->flags, o->size, weight, h->young);
}

static void allocate(struct young_heap *h, double end)
{
	while (h->clock < end) {
		uint32_t law = pick(h);
		struct heap_object o = {
			.size = h->laws[law].size, .born = (uint32_t)h->young, .law = (uint8_t)law};
		o.death = h->clock + lifetime(h, &h->laws[law]) * (h->unit > 0 ? h->unit : h->eden);
		h->clock += o.size;
		sample(h, &o);
		EXPECT_INT(0, vec_push(&h->objects, o));
	}
}

static void die(struct young_heap *h, const struct heap_object *o)
{
	if (o->slot == UINT32_MAX)
		return;
	if (h->young % 10 < h->late) {
		EXPECT_INT(0, vec_push(&h->untold, *o));
		return;
	}
	learner_death(h->learner, o->slot, h->young);
	h->spare[h->spare_count++] = o->slot;
}

static void tell_late(struct young_heap *h)
{
	if (h->young % 10 < h->late)
		return;
	for (size_t i = 0; i < h->untold.count; i++)
		die(h, &h->untold.at[i]);
	h->untold.count = 0;
}

/* 4 ms from one to the next. */
static void told_of(struct young_heap *h, uint32_t threshold, uint32_t flags)
{
	if (h->learner)
		learner_gc(h->learner, h->young, threshold, flags, 4000000 * h->young);
	tell_late(h);
}

/* Whether it would have died young, by the collection that finds it dead: the threshold has not
 * promoted it by then, nor has a full one before. */
static bool is_early(const struct young_heap *h, const struct heap_object *o)
{
	double more = floor((o->death - h->clock) / h->eden);
	bool full = h->full_every && more >= (double)(h->full_every - h->young % h->full_every);
	return !full && o->age + 1 + more <= h->reference;
}

static void promote(struct young_heap *h, const struct heap_object *o)
{
	h->last.promoted += o->size;
	if (is_early(h, o))
		h->sum.early += o->size;
	EXPECT_INT(0, vec_push(&h->old, *o));
}

static bool goes(const struct young_heap *h, const struct heap_object *o)
{
	bool full = h->survivor > 0 && (double)h->last.survivors + o->size > h->survivor;
	return o->age >= h->threshold || (h->jump[o->law] && !h->rests && !o->age) || full;
}

static void copy(struct young_heap *h, struct heap_object o)
{
	h->sum.copied_objects += 1;
	h->sum.recopied += o.age ? o.size : 0;
	if (goes(h, &o)) {
		promote(h, &o);
		return;
	}
	h->last.survivors += o.size;
	o.age++;
	h->objects.at[h->objects.count++] = o;
}

/* HotSpot's: the age up to which what survives fills half the survivor space. */
static uint32_t next_threshold(const struct young_heap *h)
{
	double age[THRESHOLD_MOST + 2] = {0}, sum = 0;
	for (size_t i = 0; i < h->objects.count; i++)
		age[h->objects.at[i].age] += h->objects.at[i].size;
	for (uint32_t t = 1; t < h->most; t++) {
		sum += age[t];
		if (sum > h->survivor / 2)
			return t;
	}
	return h->most;
}

static double old_bytes(const struct young_heap *h)
{
	double sum = 0;
	for (size_t i = 0; i < h->old.count; i++)
		sum += h->old.at[i].size;
	return sum;
}

/* All that was old at that clock was looked at. */
static void look(struct young_heap *h, uint64_t clock)
{
	for (; h->looked + 2 <= clock; h->looked++)
		h->sum.births += clock - h->looked <= h->reference;
}

/* Dead, as it was at that clock. */
static void find(struct young_heap *h, const struct heap_object *o, uint64_t clock)
{
	uint64_t age = clock - o->born;
	if (age >= 2 && age <= h->reference)
		h->sum.found += o->size;
	die(h, o);
}

/* What is promoted in the collection that it begins in is not looked at. */
static void begin_marking(struct young_heap *h)
{
	h->marking = (struct heap_marking){h->clock, h->old_before, h->young + h->mark_takes};
}

static void find_marked(struct young_heap *h, const struct heap_marking *m)
{
	size_t count = h->old.count;
	h->old.count = h->candidates = 0;
	for (size_t i = 0; i < count; i++) {
		struct heap_object o = h->old.at[i];
		bool old = i < m->old;
		if (old && o.death <= m->clock) {
			find(h, &o, h->young - h->mark_takes);
			continue;
		}
		h->old.at[h->old.count++] = o;
		h->candidates += old;
	}
}

static void end_marking(struct young_heap *h)
{
	struct heap_marking m = h->marking;
	h->marking_cpu = h->mark * old_bytes(h);
	h->marking = (struct heap_marking){0};
	h->marked = h->young;
	if (h->learner)
		learner_marking(h->learner, h->young - h->mark_takes);
	told_of(h, 0, LEARNER_GC_OLD | LEARNER_GC_STILL);
	find_marked(h, &m);
	look(h, h->young - h->mark_takes);
}

static void mark(struct young_heap *h)
{
	bool due = (h->mark_every && h->young % h->mark_every == 0) ||
		   (h->most_old > 0 && old_bytes(h) > h->most_old);
	if (due && !h->marking.ends)
		begin_marking(h);
	if (h->marking.ends && h->marking.ends <= h->young)
		end_marking(h);
}

static bool is_mixed(const struct young_heap *h)
{
	return h->marked && !h->marking.ends && h->young <= h->marked + h->mixed_until;
}

/* A quarter of what was old as the last marking began. */
static void look_at_part(struct young_heap *h)
{
	size_t count = h->old.count, candidates = h->candidates;
	h->old.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct heap_object o = h->old.at[i];
		if (i >= candidates || o.death > h->clock || o.born % 4 != h->young % 4) {
			h->old.at[h->old.count++] = o;
			continue;
		}
		h->candidates--;
		find(h, &o, h->young - 1);
	}
}

static double gauss(struct rng *r)
{
	double sum = 0;
	for (int i = 0; i < 12; i++)
		sum += rng_unit(r);
	return sum - 6;
}

static void price(struct young_heap *h, double objects)
{
	struct round_collection *c = &h->last;
	struct amount copied = {(double)(c->survivors + c->promoted), objects};
	double cpu = 100000 + cost_copy(&h->cost, copied) + h->card * (double)c->promoted +
		     h->marking_cpu;
	h->marking_cpu = 0;
	cpu *= (h->slow > 0 ? h->slow : 1) * exp(h->noise * gauss(&h->cpu));
	if (rng_unit(&h->cpu) < h->outlier)
		cpu *= 10;
	c->cpu = (uint64_t)cpu;
	c->pause = c->cpu / 2;
}

static void sum_up(struct young_heap *h)
{
	h->sum.allocated += (double)h->last.allocated;
	h->sum.copied += (double)(h->last.survivors + h->last.promoted);
	h->sum.survivors += (double)h->last.survivors;
	h->sum.promoted += (double)h->last.promoted;
	h->sum.blind += (double)h->last.blind;
	h->sum.collections++;
}

static struct age_table ages_of(const struct young_heap *h)
{
	struct age_table t = {.known = true};
	for (size_t i = 0; i < h->objects.count; i++)
		t.bytes[h->objects.at[i].age] += h->objects.at[i].size;
	return t;
}

/* As the agent does: of a mixed one nothing. */
static void tell_ages(struct young_heap *h)
{
	struct age_table before = h->ages;
	if (!h->learner || !h->tables)
		return;
	h->ages = ages_of(h);
	if (!is_mixed(h))
		learner_ages(h->learner, &before, &h->ages, h->last.promoted);
}

static void collect(struct young_heap *h)
{
	size_t count = h->objects.count;
	double before = h->sum.copied_objects;
	h->objects.count = 0;
	h->threshold = h->threshold < h->most ? h->threshold : h->most;
	told_of(h, h->threshold, is_mixed(h) ? LEARNER_GC_OLD : 0);
	if (is_mixed(h))
		look_at_part(h);
	for (size_t i = 0; i < count; i++) {
		struct heap_object o = h->objects.at[i];
		if (o.death > h->clock)
			copy(h, o);
		else
			die(h, &o);
	}
	tell_ages(h);
	price(h, h->sum.copied_objects - before);
	if (h->lone)
		h->threshold = h->young % h->lone ? 1 : THRESHOLD_MOST;
	else
		h->threshold = h->adaptive ? next_threshold(h) : h->most;
}

bool young_heap_was_full(const struct young_heap *h)
{
	return h->full_every && h->young % h->full_every == 0;
}

static void look_at_old(struct young_heap *h)
{
	size_t count = h->old.count;
	h->old.count = h->candidates = 0;
	for (size_t i = 0; i < count; i++) {
		struct heap_object o = h->old.at[i];
		if (o.death > h->clock)
			h->old.at[h->old.count++] = o;
		else
			find(h, &o, h->young - 1);
	}
	look(h, h->young - 1);
}

/* What it moves is no young collection's copy. */
static void collect_full(struct young_heap *h)
{
	size_t count = h->objects.count;
	h->objects.count = 0;
	if (!h->apart)
		told_of(h, h->threshold, LEARNER_GC_BLIND);
	told_of(h, 0,
		LEARNER_GC_FULL | LEARNER_GC_OLD | (h->apart ? 0u : (uint32_t)LEARNER_GC_SAME));
	look_at_old(h);
	for (size_t i = 0; i < count; i++) {
		struct heap_object o = h->objects.at[i];
		if (o.death > h->clock)
			EXPECT_INT(0, vec_push(&h->old, o));
		else
			die(h, &o);
	}
	h->last.blind = h->last.allocated;
	h->ages.known = false;
}

static void collect_any(struct young_heap *h)
{
	h->young++;
	if (young_heap_was_full(h))
		collect_full(h);
	else
		collect(h);
}

void young_heap_cycle(struct young_heap *h)
{
	double began = h->clock;
	h->last = (struct round_collection){.found = h->last.survivors, .cards = ROUND_UNKNOWN};
	h->full += h->eden;
	h->old_before = h->old.count;
	allocate(h, h->full);
	h->last.allocated = (uint64_t)(h->clock - began);
	collect_any(h);
	sum_up(h);
	mark(h);
}
