#include "agent/exact_traps.h"

#include "agent/probes.h"
#include "base/error.h"
#include "hotspot/trap_mask.h"

/* Once it counts no more, what is known of objects is stale: nothing may be written to them. */
static void full_begins(void *arg)
{
	struct exact *e = arg;
	if (atomic_load_explicit(&e->on, memory_order_relaxed))
		pauses_full_begins(&e->pauses);
}

static void young_begins(void *arg)
{
	struct exact *e = arg;
	if (atomic_load_explicit(&e->on, memory_order_relaxed))
		pauses_young_begins(&e->pauses);
}

static void shrinks(void *arg)
{
	struct exact *e = arg;
	if (atomic_load_explicit(&e->on, memory_order_relaxed))
		pauses_shrinks(&e->pauses);
}

/* From 16 to 19 G1 leaves regions as they are of which little is dead, and the dead in them too:
 * only its own walk tells them from the living. */
static bool tells_dead(const struct exact *e, const struct vm *vm)
{
	return e->pauses.layout.collector != HEAP_G1 || vm->major < 16 || vm->major >= 20 ||
	       e->pauses.g1_objects;
}

/* Parallel of 11 may leave them to a collector of one thread, which marks in a function of its own.
 */
static bool marks_there(const struct exact *e)
{
	return e->pauses.layout.collector != HEAP_PARALLEL ||
	       vm_flags_bool(&probes_get()->flags, "UseParallelOldGC", true);
}

/* Where full collections begin, by the collector. Without it they end the lives of all objects. The
 * VM does not ask for SIGTRAP: whoever made it may have had it blocked. */
static void trap_full(struct exact *e, const struct vm *vm)
{
	static const enum landmark where[] = {[HEAP_SERIAL] = LANDMARK_FULL_SERIAL,
		[HEAP_PARALLEL] = LANDMARK_FULL_PARALLEL,
		[HEAP_G1] = LANDMARK_FULL_G1};
	uint8_t *at = landmarks_at(&probes_get()->landmarks, where[e->pauses.layout.collector]);
	e->trapped = at && marks_there(e) && tells_dead(e, vm) && trap_mask_open("VM Thread") &&
		     trap_set(&e->trap, at, full_begins, e, NULL) == ERR_NONE;
}

/* Where young ones begin, of those that have several in a pause. It is of use to full ones alone.
 */
static void trap_young(struct exact *e)
{
	static const enum landmark where[] = {
		[HEAP_SERIAL] = LANDMARK_YOUNG_SERIAL, [HEAP_PARALLEL] = LANDMARK_YOUNG_PARALLEL};
	e->young_trap.slot = -1;
	if (!e->trapped || e->pauses.layout.collector == HEAP_G1)
		return;
	uint8_t *at = landmarks_at(&probes_get()->landmarks, where[e->pauses.layout.collector]);
	e->pauses.stamps.parts =
		at && trap_set(&e->young_trap, at, young_begins, e, NULL) == ERR_NONE;
}

/* Where Parallel gives memory back, behind a collection whose traces are still in it. In 11 that
 * can't be trapped: there, where it may do so. */
static void trap_shrinks(struct exact *e)
{
	const struct landmarks *m = &probes_get()->landmarks;
	e->shrink_trap.slot = -1;
	if (!e->trapped || !e->traces || e->pauses.layout.collector != HEAP_PARALLEL)
		return;
	uint8_t *at = landmarks_at(m, LANDMARK_SHRINK_PARALLEL);
	at = at ? at : landmarks_at(m, LANDMARK_RESIZE_PARALLEL);
	if (at)
		(void)trap_set(&e->shrink_trap, at, shrinks, e, NULL);
}

void exact_traps_set(struct exact *e, const struct vm *vm)
{
	trap_full(e, vm);
	trap_young(e);
	trap_shrinks(e);
}

void exact_traps_clear(struct exact *e)
{
	if (!e->trapped)
		return;
	trap_clear(&e->trap, NULL);
	trap_clear(&e->shrink_trap, NULL);
	if (e->pauses.stamps.parts)
		trap_clear(&e->young_trap, NULL);
	e->trapped = false;
}
