#include "agent/learning.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

#define SPILT 0.25 /* of first copies */
#define GROWN 0.9  /* of what the heap may have: generations are cut to whole pages and regions */

enum { CLASSES_MOST = 16384, SHRUNK = 16 };
enum { LEARN_INTERVAL = 128 << 10, LEARN_WALKS = 4000, LEARN_LIVE = 65536, LEARN_DEPTH = 8 };

/*
 * What learning needs where nobody asked for something else: most of what is sampled dies young,
 * and says nothing; what is left must be enough to tell places apart. A place and its callers are
 * looked at, and not 32 frames.
 */
void learning_defaults(struct options *o)
{
	if (o->tenure == TENURE_NO)
		return;
	if (!options_given(o, "interval"))
		o->interval = LEARN_INTERVAL;
	if (!options_given(o, "max-walks"))
		o->max_walks = LEARN_WALKS;
	if (!options_given(o, "max-rate"))
		o->max_rate = 0;
	if (!options_given(o, "max-live"))
		o->max_live = LEARN_LIVE;
	if (!options_given(o, "depth"))
		o->depth = LEARN_DEPTH;
}

int learning_init(
	struct learning *l, uint32_t slots, uint64_t humongous, uint32_t threshold, uint64_t heap)
{
	memset(l, 0, sizeof(*l));
	struct learner_rule rule = {.slots = slots, .humongous = humongous};
	l->threshold = threshold;
	l->room.heap = heap;
	vm_threads_find(&l->threads);
	l->cpu = vm_threads_cpu(&l->threads, VM_COLLECTS).v;
	round_clear(&l->round);
	return learner_init(&l->learner, &rule);
}

void learning_release(struct learning *l)
{
	for (size_t i = 0; i < l->classes.count; i++)
		mem_free(l->classes.at[i]);
	vec_release(&l->classes);
	learner_free(l->learner);
	l->learner = NULL;
}

void learning_class(struct learning *l, uint32_t id, const char *signature)
{
	if (id == 0 || id > CLASSES_MOST || learning_signature(l, id))
		return;
	while (l->classes.count < id)
		if (vec_push(&l->classes, NULL))
			return;
	l->classes.at[id - 1] = mem_strndup(signature, strlen(signature)); /* NULL: not known */
}

const char *learning_signature(const struct learning *l, uint32_t id)
{
	return id && id <= l->classes.count ? l->classes.at[id - 1] : NULL;
}

bool learning_is_leaf(const char *signature)
{
	static const char *const boxes[] = {"Ljava/lang/Long;", "Ljava/lang/Integer;",
		"Ljava/lang/Double;", "Ljava/lang/Float;", "Ljava/lang/Short;", "Ljava/lang/Byte;",
		"Ljava/lang/Character;", "Ljava/lang/Boolean;", "Ljava/util/UUID;",
		"Ljava/lang/Object;"};
	if (signature[0] == '[')
		return signature[1] != 'L' && signature[1] != '[';
	for (size_t i = 0; i < ARRAY_SIZE(boxes); i++)
		if (strcmp(signature, boxes[i]) == 0)
			return true;
	return false;
}

static uint32_t flags_of(const struct learning *l, const struct lesson *lesson, uint32_t leaf)
{
	const char *signature = learning_signature(l, lesson->class_id);
	return (signature && learning_is_leaf(signature) ? SNAPSHOT_LEAF : 0u) |
	       (leaf == lesson->depth || !signature ? SNAPSHOT_REFUSE : 0u);
}

static bool passes(const struct learning *l, const struct stack_frame *f)
{
	for (uint32_t i = 0; i < l->pass_count; i++)
		if (l->passes[i] == f->vm_method)
			return true;
	return f->bci < 0;
}

void learning_pass(struct learning *l, uint64_t vm_method)
{
	if (l->pass_count == LEARNING_PASSES)
		return;
	l->passes[l->pass_count++] = vm_method;
	learner_forget(l->learner, vm_method);
}

static bool is_call(const struct learning *l, uint64_t vm_method, int32_t bci, uint32_t class_id)
{
	for (uint32_t i = 0; i < l->call_count; i++)
		if (l->calls[i].vm_method == vm_method && l->calls[i].bci == bci &&
			l->calls[i].class_id == class_id)
			return true;
	return false;
}

void learning_call(struct learning *l, const struct place *at)
{
	if (l->call_count < LEARNING_CALLS && !is_call(l, at->vm_method, at->bci, at->class_id))
		l->calls[l->call_count++] = *at;
}

/* The frame that is the object's place. */
static uint32_t leaf_of(const struct learning *l, const struct lesson *lesson)
{
	uint32_t leaf = 0;
	while (leaf < lesson->depth && passes(l, &lesson->stack[leaf]))
		leaf++;
	for (uint32_t i = leaf + 1; i < lesson->depth && i <= leaf + PLACE_CALLERS; i++) {
		const struct stack_frame *f = &lesson->stack[i];
		if (is_call(l, f->vm_method, f->bci, lesson->class_id))
			return i;
	}
	return leaf;
}

void learning_birth(struct learning *l, uint32_t slot, const struct lesson *lesson)
{
	uint32_t leaf = leaf_of(l, lesson);
	struct place_context at = {.place.class_id = lesson->class_id, .place.bci = -1};
	if (leaf < lesson->depth) {
		at.place.vm_method = lesson->stack[leaf].vm_method;
		at.place.bci = lesson->stack[leaf].bci;
	}
	for (uint32_t i = leaf + 1; i < lesson->depth && at.depth < PLACE_CALLERS; i++)
		at.caller[at.depth++] =
			(struct place_frame){lesson->stack[i].vm_method, lesson->stack[i].bci};
	l->samples++;
	learner_birth(l->learner, slot, &at, flags_of(l, lesson, leaf), lesson->size,
		lesson->weight, lesson->young);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Where it was not measured, by what the old generation grew: large objects of G1's are in that. */
static uint64_t promoted(const struct learning *l, const struct lesson_gc *lesson)
{
	if (lesson->promoted != ROUND_UNKNOWN)
		return lesson->promoted;
	return l->old ? less(lesson->gc->old_after, l->old) : 0;
}

/* The counters of 11 count whole regions of G1's. */
static uint64_t survivors(const struct lesson_gc *lesson)
{
	return lesson->survivors ? lesson->survivors
				 : less(lesson->gc->heap_after, lesson->gc->old_after);
}

/*
 * While nothing is kept young Parallel makes its survivor spaces smaller, and larger again over
 * some collections behind it: till then most is promoted at once, and would be taken for young that
 * never dies. No more can have come of age than was young before: whether of what was copied for
 * the first time more than a part was promoted.
 */
static bool spills(const struct learning *l, const struct lesson_gc *lesson)
{
	uint64_t old = lesson->promoted;
	uint64_t young = survivors(lesson);
	if (!l->shrunk || !l->threshold || old == ROUND_UNKNOWN || old <= l->survivors)
		return false;
	return (double)(old - l->survivors) > SPILT * (double)(young + old - l->survivors);
}

static void count_shrunk(struct learning *l)
{
	if (!l->threshold)
		l->shrunk = SHRUNK;
	else if (l->shrunk)
		l->shrunk--;
}

/* What the collector did since the last young collection, for one that moved the young clock. */
static void add_to_round(struct learning *l, const struct lesson_gc *lesson, uint64_t cpu)
{
	const struct record_gc *gc = lesson->gc;
	struct round_collection c = {
		.allocated = heap_fill_take(&l->fill, less(gc->alloc, l->alloc)),
		.survivors = survivors(lesson),
		.found = l->survivors,
		.promoted = promoted(l, lesson),
		.pause = gc->pause,
		.cpu = less(cpu, l->cpu),
		.cards = ROUND_UNKNOWN};
	round_add(&l->round, &c);
	l->round_count++;
	l->alloc = gc->alloc;
	l->cpu = cpu;
}

/* A heap that may still grow makes its young generation larger by itself. */
static bool is_grown(const struct learning *l, const struct record_gc *gc)
{
	return (double)gc->heap_committed >= GROWN * (double)l->room.heap;
}

static void take_threshold(struct learning *l, const struct lesson_gc *lesson)
{
	if (lesson->young && lesson->gc->tenuring <= THRESHOLD_MOST)
		l->threshold = (uint32_t)lesson->gc->tenuring;
}

void learning_begins(struct learning *l)
{
	l->marked = vm_threads_marked(&l->threads);
}

static void follow_marking(struct learning *l, const struct lesson_gc *lesson, bool moved)
{
	if (moved)
		marking_collection(&l->marking, l->young, l->marked);
	else if (!lesson->full)
		learner_marking(l->learner, marking_remark(&l->marking, lesson->gc->young));
}

/* What the learner is told of a collection that moved objects, or did not. */
static uint32_t gc_flags_of(const struct lesson_gc *lesson, bool moved, bool spilt)
{
	const struct record_gc *gc = lesson->gc;
	bool old = !lesson->young || gc->flags & GC_MIXED;
	bool blind = lesson->young && (lesson->failed || lesson->more);
	uint32_t still = lesson->full ? LEARNER_GC_SAME : LEARNER_GC_STILL;
	return (lesson->full ? LEARNER_GC_FULL : 0u) | (old ? LEARNER_GC_OLD : 0u) |
	       (spilt ? LEARNER_GC_SPILT : 0u) | (blind ? LEARNER_GC_BLIND : 0u) |
	       (gc->flags & GC_WAITED ? LEARNER_GC_WAITED : 0u) |
	       (gc->flags & GC_NOTHING ? LEARNER_GC_NOTHING : 0u) | (moved ? 0u : still);
}

static void add_pause(struct learning *l, const struct lesson_gc *lesson, bool moved)
{
	const struct record_gc *gc = lesson->gc;
	if (!moved && lesson->full) /* in the pause of the one before */
		round_go_on(&l->round, gc->pause);
	heap_fill_pause(&l->fill, gc, moved);
	if (moved)
		add_to_round(l, lesson, vm_threads_cpu(&l->threads, VM_COLLECTS).v);
	if (moved || lesson->full)
		l->round.ended = gc->end;
	l->survivors = survivors(lesson);
	if (moved)
		count_shrunk(l);
}

static void add_old(struct learning *l, const struct lesson_gc *lesson)
{
	const struct record_gc *gc = lesson->gc;
	/* The old generation has less in use, whatever came to it; or what is dead has, too. */
	if (lesson->full || gc->flags & GC_MIXED || lesson->failed)
		round_go_blind(&l->round);
	if (lesson->full)
		l->round.full += gc->heap_after;
	if (gc->old_after) /* a collection that no event told of does not know it */
		l->old = gc->old_after;
	l->room.young = is_grown(l, gc) ? lesson->young_bytes : 0;
	old_held_add(&l->held, gc->old_after, gc->young, lesson->full);
}

/* Where all is old since, or what stands there is not known, nothing is. */
static struct age_table ages_behind(const struct lesson_gc *lesson)
{
	const struct record_gc *gc = lesson->gc;
	struct age_table t = {
		.known = gc->ages.count && !lesson->full && !lesson->failed && !lesson->more};
	for (uint32_t i = 0; i < gc->ages.count && i + 1 < TENURE_AGES; i++)
		t.bytes[i + 1] = gc->ages.at[i];
	return t;
}

/* What a mixed one promoted is not known; nor is what one did that nobody told of. */
static void add_ages(struct learning *l, const struct lesson_gc *lesson)
{
	const struct record_gc *gc = lesson->gc;
	struct age_table after = ages_behind(lesson);
	bool told = lesson->young && gc->young == l->young + 1 && !(gc->flags & GC_MIXED) &&
		    lesson->promoted != ROUND_UNKNOWN;
	if (told)
		learner_ages(l->learner, &l->ages, &after, lesson->promoted);
	if (lesson->young || lesson->full)
		l->ages = after;
}

void learning_collection(struct learning *l, const struct lesson_gc *lesson)
{
	const struct record_gc *gc = lesson->gc;
	bool moved = gc->young != l->young;
	if (l->chooses_first)
		take_threshold(l, lesson);
	bool spilt = moved && !lesson->full && (lesson->failed || spills(l, lesson));
	follow_marking(l, lesson, moved);
	learner_gc(l->learner, gc->young, l->threshold, gc_flags_of(lesson, moved, spilt), gc->end);
	add_ages(l, lesson);
	add_pause(l, lesson, moved);
	l->round.spilt += spilt;
	add_old(l, lesson);
	l->young = gc->young;
	l->in_pause = lesson->more;
	take_threshold(l, lesson);
}

static void copy_round(struct learning *l, struct round *out)
{
	*out = l->round;
	out->samples = l->samples;
	out->young = l->young;
	out->compilers = vm_threads_cpu(&l->threads, VM_COMPILES).v;
	out->room = l->room;
	out->room.held = old_held_most(&l->held);
	out->room.garbage = !old_held_told(&l->held);
}

void learning_peek(struct learning *l, struct snapshot *s, struct round *out)
{
	learner_glance(l->learner, s);
	copy_round(l, out);
}

static void begin_round(struct learning *l)
{
	learner_decay(l->learner);
	round_clear(&l->round);
	l->samples = l->round_count = 0;
}

void learning_round(struct learning *l, struct snapshot *s, struct round *out)
{
	learner_snapshot(l->learner, s);
	copy_round(l, out);
	begin_round(l);
}

void learning_cut(struct learning *l, struct snapshot *s, struct round *out)
{
	learning_peek(l, s, out);
	begin_round(l);
}
