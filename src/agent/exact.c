#include "agent/exact.h"

#include <stdio.h>

#include "agent/compiled.h"
#include "agent/exact_accounts.h"
#include "agent/exact_losses.h"
#include "agent/exact_tables.h"
#include "agent/exact_traps.h"
#include "agent/probes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "exact/birth_blocks.h"
#include "hotspot/exact_flags.h"
#include "hotspot/heap_walk.h"

#define LOOK_NS 1000000000ull /* at the memory that is left, so often at most */
enum { WAITS_MOST = 100 };    /* for a pause, before a recording's end */

/* The engine can't be had: with `require` that is an error, the same one for all reasons, by which
 * who attaches can tell that it is the engine which lacks; else the samples do alone. */
static int refuse(struct exact *e, const struct options *o, const struct diag *why, struct diag *d)
{
	e->why = *why;
	return o->exact == EXACT_REQUIRE
		       ? diag_set(d, ERR_UNSUPPORTED, "the exact engine can't be had: %.400s",
				 why->text)
		       : ERR_NONE;
}

/*
 * At OnLoad the VM's flags can still be set. A lock that is biased (JDK 11) has its thread where
 * the site would be, so that each object would have to be followed; and without the debug flag code
 * that is compiled before VMInit has no records of where its probes are.
 */
static void set_flags(void)
{
	bool *biased = vm_flags_find(&probes_get()->flags, "UseBiasedLocking");
	bool *records = vm_flags_find(&probes_get()->flags, "DebugNonSafepoints");
	if (biased)
		*biased = false;
	if (records)
		*records = true;
}

/* What keeps the engine from a VM whose probes can be had: it counts by the ages in marks.
 * 0 or ERR_UNSUPPORTED, with a sentence. */
static int check_marks(struct diag *why)
{
	const char *lack =
		exact_flags_lack(EXACT_FLAGS_AGES, exact_flags_here, &probes_get()->flags);
	return lack ? diag_set(why, ERR_UNSUPPORTED, "%s", lack) : ERR_NONE;
}

/* What the process must let us do. Behind it nothing of the VM has been touched yet. */
static int check_process(struct diag *why)
{
	int probe = 1, copy;
	if (!birth_blocks_able())
		return diag_set(why, ERR_FULL,
			"the process has no key left for what each thread counts "
			"(pthread_key_create)");
	if (!heap_peek((uintptr_t)&probe, &copy, sizeof(copy)))
		return diag_set(why, ERR_DENIED,
			"the process may not call process_vm_readv, by which memory is read that "
			"may be gone (a container's seccomp profile may say so)");
	return ERR_NONE;
}

int exact_open(struct exact *e, const struct vm *vm, const struct options *o, struct diag *d)
{
	struct diag why = {""};
	if (o->every && o->exact == EXACT_NO)
		return diag_set(d, ERR_FORMAT,
			"every=%llu needs exact: call paths are walked where allocations are "
			"counted",
			(unsigned long long)o->every);
	if (o->exact == EXACT_NO)
		return ERR_NONE;
	e->idle = o->engine == ENGINE_NOP;
	int err = *o->thread || *o->include || *o->exclude
			  ? diag_set(&why, ERR_UNSUPPORTED,
				    "it knows no filters of threads or classes")
			  : check_process(&why);
	err = err ? err : probes_install(probes_get(), vm, &why);
	e->relearn = vm_is_live(vm);
	if (!err)
		err = check_marks(&why);
	if (err)
		return refuse(e, o, &why, d);
	e->opened = true;
	if (!e->relearn) {
		set_flags();
		probes_set(
			probes_get(), true); /* code made until the recording begins has them too */
	}
	return ERR_NONE;
}

/*
 * Before 18 what AlwaysPreTouch touches gets a zero in each page, also where Parallel moves its
 * spaces within what it has already; what NUMA places it gives back and takes anew.
 */
static bool touches(const struct vm *vm, const struct vm_flags *flags)
{
	enum { ZEROES_BEFORE = 18 };
	return vm_flags_bool(flags, "UseNUMA", false) ||
	       (vm->major < ZEROES_BEFORE && vm_flags_bool(flags, "AlwaysPreTouch", false));
}

/* What the VM alone knows of its heap: of G1's regions what is alive, of Parallel's spaces how far
 * they are written. */
static void ask_heap(struct exact *e, const struct vm *vm, const struct probes *p)
{
	const struct landmarks *m = &p->landmarks;
	e->pauses.layout.touched = touches(vm, &p->flags);
	e->pauses.g1_objects = region_objects_at(landmarks_at(m, LANDMARK_REGION_OBJECTS));
	heap_layout_spaces(&e->pauses.layout, landmarks_at(m, LANDMARK_SPACES),
		m->found[LANDMARK_SPACES].size);
}

static int make_ready(struct exact *e, const struct vm *vm, JNIEnv *jni, struct diag *why)
{
	struct probes *p = probes_get();
	struct compiled *c = compiled_get();
	int err = compiled_begin(c, vm, &e->places.blobs, places_added, &e->places, why);
	if (err)
		return err;
	ask_heap(e, vm, p);
	exact_traps_set(e, vm);
	e->tracing.g1_objects = e->pauses.g1_objects;
	probes_set(p, true);
	if (e->relearn && compiled_again(c, &p->flags, jni, &p->landmarks))
		return diag_set(why, ERR_JVM, "the VM did not let its compiled code be made anew");
	return ERR_NONE;
}

int exact_ready(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *d)
{
	struct diag why = {""};
	if (!e->opened || e->idle)
		return ERR_NONE;
	int err = exact_tables_open(e, vm, jni, r, o, &why);
	e->began = !err;
	if (!err)
		err = make_ready(e, vm, jni, &why);
	e->ready = !err;
	if (!err)
		return ERR_NONE;
	probes_set(probes_get(), false);
	recorder_alone(r);
	return refuse(e, o, &why, d);
}

void exact_counters(
	struct exact *e, const volatile int64_t *eden_used, const volatile int64_t *unloaded)
{
	e->pauses.layout.eden_used = eden_used;
	unloading_count(&e->pauses.unloading, unloaded);
}

/* Its array is for VMs without the variable's name. */
static void watch_walks(struct exact *e, JNIEnv *jni)
{
	struct sentry *s = &e->pauses.sentry;
	sentry_watch(s, landmarks_at(&probes_get()->landmarks, LANDMARK_MARKED));
	e->sentry = s->walked ? NULL : sentry_make(s, jni, &e->pauses.objects);
}

void exact_begin(struct exact *e, JNIEnv *jni)
{
	if (!e->ready)
		return;
	watch_walks(e, jni);
	e->earlier = e->audits.trusted ? atomic_load(&e->places.recorder->young) : 0;
	/* No pause goes by unseen from before the first birth on. */
	atomic_store(&e->on, true);
	if (e->traces && e->audits.trusted)
		tracing_begin(&e->tracing);
	else
		births_set(births_get(), BIRTHS_COUNTED);
	if (e->traces && !e->audits.trusted)
		tracing_want(&e->tracing);
	compiled_replay(compiled_get());
}

const char *exact_kind(const struct exact *e)
{
	if (!e->traces)
		return "header";
	return e->chunks.mute ? "followed" : e->tracing.follow.meets ? "survivors" : "events";
}

bool exact_stamps(const struct exact *e)
{
	return atomic_load(&e->on) && e->pauses.objects.sites;
}

bool exact_follows(const struct exact *e)
{
	return atomic_load(&e->on) && e->traces;
}

uint64_t exact_missed(const struct exact *e)
{
	bool on = atomic_load_explicit(&e->on, memory_order_relaxed);
	return on ? pauses_missed(&e->pauses) : e->missed;
}

bool exact_is_done(const struct exact *e)
{
	return e->stopped && !e->missed;
}

void exact_again(struct exact *e)
{
	if (e->ready && !e->stopped)
		pauses_again(&e->pauses);
}

void exact_settle(struct exact *e)
{
	if (atomic_load(&e->on))
		pauses_settle(&e->pauses, atomic_load(&e->places.recorder->young));
}

void exact_start(struct exact *e)
{
	if (e->trapped)
		trap_guard();
	bool on = atomic_load(&e->on);
	atomic_store(&e->in_pause, on);
	if (on)
		pauses_start(&e->pauses, atomic_load(&e->places.recorder->young));
}

/* Whether what waits to be written takes so much of its room that it should wait no longer. */
static bool crowded(const struct exact *e)
{
	return accounts_crowded(&e->pauses.accounts) || (e->traces && chunks_short(&e->chunks));
}

/* A young generation of a few MB is collected a thousand times between two of the writer's ticks.
 */
void exact_finish(struct exact *e)
{
	struct recorder *r = e->places.recorder;
	java_code_changed(); /* collections free code */
	if (!atomic_load(&e->in_pause)) {
		exact_again(e);
		if (atomic_exchange(&e->sheds, false))
			tracing_shed(&e->tracing);
		return;
	}
	if (atomic_load(&e->on)) {
		pauses_finish(&e->pauses, atomic_load(&r->young), atomic_load(&r->full));
		if (crowded(e))
			recorder_wake(r);
	}
	atomic_store(&e->in_pause, false);
}

/* What was compared says nothing where nothing was allocated. */
static void put_audit(char *text, size_t size, const struct account_audit *a, const char *what)
{
	if (!a->seen && !a->walked)
		snprintf(text, size, "%s: only the samples count", what);
	else
		snprintf(text, size,
			"%s (the exact engine saw %llu allocations where the heap held %llu): only "
			"the samples count",
			what, (unsigned long long)a->seen, (unsigned long long)a->walked);
}

/* The engine goes, and says so. */
static void leave(struct exact *e, struct recorder *r, const char *text)
{
	atomic_store(&e->on, false);
	atomic_store(&e->sheds, e->traces);
	births_set(births_get(), BIRTHS_OFF);
	probes_set(probes_get(), false);
	diag_set(&e->why, ERR_UNSUPPORTED, "%s", text);
	recorder_alone(r);
	recorder_fact(r, "engine", "sampled");
	recorder_fact(r, "exact", "refused");
	recorder_fact(r, "exact.why", text);
}

/* The counts don't hold against the heap. */
static void disown(struct exact *e, struct recorder *r, const char *what)
{
	char text[320];
	put_audit(text, sizeof(text), &e->audits.sum, what);
	leave(e, r, text);
}

/* They hold, and make the program wait for too long, or would take what memory it needs. */
static void yield(struct exact *e, struct recorder *r, uint32_t share)
{
	char text[320], need[UNITS_MAX], spare[UNITS_MAX];
	if (share == BURDEN_MEMORY)
		snprintf(text, sizeof(text),
			"following each object could take %s more in a full collection, and %s of "
			"memory was left: only the samples count (give the program more memory, or "
			"a smaller heap)",
			units_bytes((double)atomic_load(&e->pauses.relief.following.need), need),
			units_bytes((double)atomic_load(&e->pauses.relief.following.spare), spare));
	else
		snprintf(text, sizeof(text),
			"the exact engine took %u %% of the program's time in pauses: only the "
			"samples "
			"count (a heap that is nearly full is collected all the time: give the "
			"program a "
			"larger one)",
			share);
	leave(e, r, text);
}

/* Pauses look too; none may come for long. */
static void look_memory(struct exact *e)
{
	uint64_t now = clock_now().v;
	if (e->abandoned)
		chunk_pool_clear(&e->tracing.pool);
	if (!e->traces || now < e->looks_again)
		return;
	e->looks_again = now + LOOK_NS;
	relief_look(&e->pauses.relief);
}

/* Whether it takes too much of the time; where single objects were followed, that goes first. */
static void look_burden(struct exact *e, struct recorder *r)
{
	uint32_t too_heavy = atomic_load(&e->pauses.relief.too_heavy);
	if (!e->abandoned && atomic_load(&e->pauses.relief.abandoned)) {
		e->abandoned = true;
		exact_losses_abandoned(e, r);
	}
	if (too_heavy && atomic_load(&e->on))
		yield(e, r, too_heavy);
}

static const char *why_off(const struct audits *a)
{
	if (a->trusted)
		return "the exact counts did not hold against the heap";
	return a->sum.walked ? "the program's code did not come to the probes"
			     : "no collection came that could be held against the heap (a full one "
			       "can't: the heap may be too small for the program)";
}

/* At the end of a recording in which no audit held. */
static const char *why_untried(const struct audits *a)
{
	if (a->sum.walked)
		return "no collection came in which the exact counts held";
	return "no collection came that could show whether the exact counts are right: the first "
	       "can't, nor full ones (record for longer, or give the program a smaller young "
	       "generation: -Xmn)";
}

/*
 * After an attach, counts that came to hold in its second half, and then met no collection: they
 * know no life, and of less of the time what was made than the samples, which they would displace.
 */
static bool held_too_late(const struct exact *e, const struct recorder *r)
{
	uint64_t from = e->trusted_from, now = clock_now().v;
	return from > r->start.v && !e->told_gcs && from - r->start.v > now - from;
}

/* Why the counts are no good at the end of a recording; NULL: they are. */
static const char *why_too_little(const struct exact *e, const struct recorder *r)
{
	if (!e->audits.trusted)
		return why_untried(&e->audits);
	if (!held_too_late(e, r))
		return NULL;
	return "the exact counts were found to be right only late in the recording, and no "
	       "collection came after that (record for longer, or give the program a smaller young "
	       "generation: -Xmn)";
}

/* What counts lack is of no interest where there are none. */
static void tell_end(struct exact *e, struct recorder *r)
{
	const char *why = why_too_little(e, r);
	if (why)
		disown(e, r, why);
	else
		exact_losses_tell(e, r);
}

void exact_write(struct exact *e, struct recorder *r, struct output *o, bool all)
{
	if (!e->began)
		return;
	if (e->trapped) /* Serial and Parallel have full collections that no event begins */
		trap_guard();
	all |= crowded(e);
	if (exact_accounts_write(e, r, o, all) && all)
		exact_accounts_events(e, r, o, UINT64_MAX);
	told_sites_again(&e->told);
	look_memory(e);
	look_burden(e, r);
	if (atomic_load(&e->on) && audits_off(&e->audits))
		disown(e, r, why_off(&e->audits));
}

bool exact_checkpoint(struct exact *e, const struct recorder *r, const struct output *o)
{
	if (!e->traces || e->chunks.mute || !e->audits.trusted || !atomic_load(&e->on) ||
		atomic_load(&e->pauses.relief.abandoned))
		return false;
	/* Once for each segment; and at once, for one that had to begin without. */
	uint64_t state = stretch_state(&o->stretch);
	if (e->asked != state && (output_wants_segment(o, r) || stretch_bare(&o->stretch))) {
		e->asked = state;
		tracing_want_checkpoint(&e->tracing);
	}
	return true;
}

void exact_hurry(struct exact *e, uint64_t until)
{
	if (e->traces)
		atomic_store(&e->chunks.until, until);
}

/* A thread may be in the middle of one, and a pause that is just ending may turn them on: until the
 * world has stood still once more. */
static void stop_births(struct exact *e, const struct vm *vm)
{
	if (e->traces)
		tracing_unwant(&e->tracing);
	do {
		births_set(births_get(), BIRTHS_OFF);
		if (vm)
			vm_stand_still(vm);
	} while (vm && atomic_load(&births_on) != BIRTHS_OFF);
}

/* One that is on has been counted by the heap, and is not seen yet: it is waited for. */
static uint64_t missed(const struct exact *e, const struct vm *vm)
{
	uint64_t n = pauses_missed(&e->pauses);
	for (int pauses = 0; atomic_load(&e->in_pause); pauses++) {
		if (!vm || pauses == WAITS_MOST)
			return 0;
		vm_stand_still(vm);
		n = pauses_missed(&e->pauses);
	}
	return n;
}

/* Births end before pauses do: what is born behind one that was not seen may be where something
 * else is said to be. */
void exact_stop(struct exact *e, const struct vm *vm)
{
	if (!atomic_load(&e->on))
		return;
	stop_births(e, vm);
	/* The VM would tell of their code later. Pauses still have their accounts. */
	if (vm && waiting_sites_any(&e->places.waiting))
		compiled_replay(compiled_get());
	e->missed = missed(e, vm);
	if (atomic_exchange(&e->on, false))
		e->stopped = true;
}

void exact_end(struct exact *e, struct recorder *r, struct output *o)
{
	bool was_on = e->stopped || atomic_exchange(&e->on, false);
	if (!e->began)
		return;
	births_set(births_get(), BIRTHS_OFF);
	if (was_on) {
		exact_accounts_write(e, r, o, true); /* so that the last finds room */
		pauses_end(&e->pauses, e->missed, atomic_load(&r->young), atomic_load(&r->full));
	}
	exact_write(e, r, o, true);
	exact_accounts_lost(e, r, o);
	if (was_on)
		tell_end(e, r);
	if (was_on && e->lost_intervals && stretch_cyclic(&o->stretch))
		exact_losses_intervals(e, r);
}

void exact_close(struct exact *e, JNIEnv *jni)
{
	struct probes *p = probes_get();
	if (e->opened)
		probes_set(p, false);
	if (!e->began)
		return;
	exact_traps_clear(e);
	compiled_end(compiled_get(), jni != NULL);
	crew_stop(&e->pauses.crew);
	if (jni)
		sentry_dismiss(&e->pauses.sentry, jni, e->sentry);
	/* The world stands still for it: nobody is in a probe of ours any more. */
	if (jni && !compiled_again(compiled_get(), &p->flags, jni, &p->landmarks)) {
		births_close(births_get());
		exact_tables_close(e);
	}
	e->began = false;
}
