#include "agent/exact.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/account_out.h"
#include "agent/doors.h"
#include "agent/exact_out.h"
#include "agent/probes.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/region.h"

enum {
	SETTLE_NS = 200000000,    /* an account is written when it is that old, */
	PATIENCE_NS = 2000000000, /* and with places that are not known yet, that old */
	BIRTH_BYTES = 4,          /* in the trace, before compression */
	SCANNERS = 7,             /* threads that help in a pause, at most */
};

/* The engine can't be had: with `require` that is an error, else the samples do alone. */
static int refuse(
	struct exact *e, const struct options *o, int err, const struct diag *why, struct diag *d)
{
	e->why = *why;
	return o->exact == EXACT_REQUIRE
		       ? diag_set(d, err, "the exact engine can't be had: %.400s", why->text)
		       : ERR_NONE;
}

/*
 * At OnLoad the VM's flags can still be set. A lock that is biased (JDK 11) has its thread where
 * the site would be; and without the debug flag code that is compiled before VMInit has no records
 * of where its probes are.
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

int exact_open(struct exact *e, const struct vm *vm, const struct options *o, struct diag *d)
{
	struct diag why = {""};
	if (o->every && o->exact == EXACT_NO)
		return diag_set(d, ERR_FORMAT,
			"every=%llu needs exact: call paths are walked where allocations are "
			"counted",
			(unsigned long long)o->every);
	if (o->exact == EXACT_NO || o->engine == ENGINE_NOP)
		return ERR_NONE;
	int err = *o->thread || *o->include || *o->exclude
			  ? diag_set(&why, ERR_UNSUPPORTED,
				    "it knows no filters of threads or classes")
			  : probes_install(probes_get(), vm, &why);
	if (err)
		return refuse(e, o, err, &why, d);
	e->relearn = vm_is_live(vm);
	if (e->relearn && vm_flags_bool(&probes_get()->flags, "UseBiasedLocking", false)) {
		diag_set(&why, ERR_UNSUPPORTED,
			"biased locking is on, which keeps its own in an object's mark: start the "
			"program with --exact, or with -XX:-UseBiasedLocking");
		return refuse(e, o, ERR_UNSUPPORTED, &why, d);
	}
	e->opened = true;
	if (!e->relearn) {
		set_flags();
		probes_set(
			probes_get(), true); /* code made until the recording begins has them too */
	}
	return ERR_NONE;
}

/* Where objects go that are too large for the young generation. */
static void set_outside(struct exact *e, const void *inside)
{
	const struct heap_layout *h = &e->pauses.layout;
	struct vm_structs s = vm_structs_of(inside);
	e->places.young_high = UINTPTR_MAX;
	if (h->collector == HEAP_G1) {
		e->places.large = region_bytes(&s) / 2;
		return;
	}
	if (heap_regions_read(h, &e->pauses.before))
		return;
	uintptr_t young = UINTPTR_MAX, old = 0;
	for (size_t i = 0; i < e->pauses.before.count; i++) {
		const struct region *r = &e->pauses.before.at[i];
		if (r->kind == REGION_OLD)
			old = r->bottom;
		else if (r->bottom < young)
			young = r->bottom;
	}
	/* Serial has the old generation behind the young one, Parallel before it. */
	e->places.young_low = old < young ? young : 0;
	e->places.young_high = old < young ? UINTPTR_MAX : old;
}

static void close_tracing(struct exact *e)
{
	if (!e->traces)
		return;
	chunks_release(&e->chunks);
	tracing_release(&e->tracing);
	e->pauses.tracing = NULL;
	e->traces = false;
}

static uint64_t young_bytes(const struct exact *e)
{
	const uint64_t *most = vm_flags_find(&probes_get()->flags, "MaxNewSize");
	return most && *most < e->pauses.layout.bytes ? *most : e->pauses.layout.bytes;
}

/* As many as the VM's own collector has, which knows of a container's bounds; Serial has none. */
static long collectors(void)
{
	const struct vm_flags *flags = &probes_get()->flags;
	const uint32_t *own = vm_flags_find(flags, "ParallelGCThreads");
	bool told = own && vm_flags_width(flags, "ParallelGCThreads") == sizeof(*own) && *own;
	return told ? (long)*own : sysconf(_SC_NPROCESSORS_ONLN);
}

static uint32_t scanners(void)
{
	long cpus = collectors();
	/* With compact headers one thread follows what the counts come from. */
	if (probes_get()->compact)
		return 0;
	return cpus > SCANNERS ? SCANNERS : cpus > 1 ? (uint32_t)cpus - 1 : 0;
}

static const char *no_tracing(int err)
{
	return err == ERR_NOMEM ? "no memory for the tables that objects are followed with"
				: "no way to tell where the heap is";
}

/*
 * Where single objects can't be told of, the counts do alone. With compact headers these come from
 * the objects, which one thread follows then, and which are told of only if they were asked for.
 */
static int open_tracing(
	struct exact *e, struct recorder *r, const struct options *o, struct diag *why)
{
	bool compact = probes_get()->compact;
	const struct tracing_bounds bounds = {young_bytes(e), e->pauses.before.room};
	int err = tracing_init(&e->tracing, births_get(), &e->pauses.layout, &e->pauses.objects,
		&bounds, atomic_load(&r->young));
	if (!err && (err = chunks_init(&e->chunks, &e->tracing.pool, &e->places)) != ERR_NONE) {
		chunks_release(&e->chunks);
		tracing_release(&e->tracing);
	}
	e->traces = !err;
	if (!err) {
		e->chunks.mute = o->exact != EXACT_TRACE;
		/* The writer asks for checkpoints too, but may come when there is more to write
		 * than is kept. */
		e->tracing.follow.checkpoint_most = o->cyclic.bytes / STRETCH_PARTS / BIRTH_BYTES;
		pauses_trace(&e->pauses, &e->tracing);
	} else if (compact) {
		return diag_set(why, err, "headers are compact, and there is %s", no_tracing(err));
	} else {
		char text[160];
		snprintf(text, sizeof(text), "single objects are not told of: there is %s",
			no_tracing(err));
		recorder_note(r, NOTE_WARNING, text);
	}
	return ERR_NONE;
}

/* Where the VM does not tell enough of its stacks, lines alone are counted. */
static void open_walks(
	struct exact *e, const struct vm *vm, struct recorder *r, const struct options *o)
{
	struct diag why = {""};
	if (places_walk(&e->places, o->depth, vm, &why)) {
		char text[sizeof(why.text) + 64];
		snprintf(text, sizeof(text), "no call paths were walked: %s", why.text);
		recorder_note(r, NOTE_WARNING, text);
		return;
	}
	births_walk(births_get(), o->every, o->seed ? o->seed : clock_now().v);
}

/* What earlier recordings of the process have left in marks is not this one's. */
static void number(struct exact *e, struct recorder *r)
{
	pauses_number(&e->pauses);
	if (births_get()->renumbered)
		recorder_note(r, NOTE_WARNING,
			"so many recordings came before in this process that numbers of places "
			"had to begin anew: objects that were made under an old one may be "
			"counted at places of this one");
}

static int open_tables(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *why)
{
	struct births *b = births_get();
	const void *inside = vm_code(vm);
	int err = pauses_init(&e->pauses, b, inside, scanners(), why);
	if (err)
		return err;
	err = places_init(&e->places, r, b, &compiled_get()->map, vm, jni, why);
	if (!err) {
		births_methods(&e->places.methods.key);
		e->places.loaders = &e->pauses.unloading.loaders;
		e->pauses.unloading.code = places_code(&e->places);
		e->audits = (struct audits){.trusted = !e->relearn};
		e->audits_asked = o->audit;
		e->pauses.audit.all = o->audit || !e->audits.trusted;
		set_outside(e, inside);
		struct birth_oracle oracle = places_oracle(&e->places);
		if (o->exact == EXACT_TRACE || probes_get()->compact)
			err = open_tracing(e, r, o, why);
		if (!err)
			err = births_open(b, &oracle, e->traces ? &e->tracing.pool : NULL);
		if (err && !*why->text)
			diag_set(why, err, "out of memory for the exact engine's tables");
		if (!err)
			number(e, r);
		if (!err && !probes_get()->compact) {
			births_clock(b, heap_collections(&e->pauses.layout));
			if (o->doors)
				doors_open(b, &e->places.blobs, &probes_get()->landmarks,
					&probes_get()->flags);
		}
		if (!err && o->every)
			open_walks(e, vm, r, o);
	}
	if (err) {
		close_tracing(e);
		pauses_release(&e->pauses);
		places_release(&e->places);
	}
	return err;
}

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

/* From 16 to 19 G1 leaves regions as they are of which little is dead, and the dead in them too:
 * only its own walk tells them from the living. */
static bool tells_dead(const struct exact *e, const struct vm *vm)
{
	return e->pauses.layout.collector != HEAP_G1 || vm->major < 16 || vm->major >= 20 ||
	       e->pauses.g1_objects;
}

/* Where full collections begin, by the collector. Without it they end the lives of all objects. */
static void trap_full(struct exact *e, const struct vm *vm)
{
	static const enum landmark where[] = {[HEAP_SERIAL] = LANDMARK_FULL_SERIAL,
		[HEAP_PARALLEL] = LANDMARK_FULL_PARALLEL,
		[HEAP_G1] = LANDMARK_FULL_G1};
	uint8_t *at = landmarks_at(&probes_get()->landmarks, where[e->pauses.layout.collector]);
	e->trapped =
		at && tells_dead(e, vm) && trap_set(&e->trap, at, full_begins, e, NULL) == ERR_NONE;
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

/* What the VM alone knows of its heap: of G1's regions what is alive, of Parallel's spaces how far
 * they are written. */
static void ask_heap(struct exact *e, const struct landmarks *m)
{
	e->pauses.g1_objects = region_objects_at(landmarks_at(m, LANDMARK_REGION_OBJECTS));
	heap_layout_spaces(&e->pauses.layout, landmarks_at(m, LANDMARK_SPACES),
		m->found[LANDMARK_SPACES].size);
}

static int start(struct exact *e, const struct vm *vm, JNIEnv *jni, struct diag *why)
{
	struct probes *p = probes_get();
	struct compiled *c = compiled_get();
	int err = compiled_begin(c, vm, places_added, &e->places, why);
	if (err)
		return err;
	ask_heap(e, &p->landmarks);
	trap_full(e, vm);
	trap_young(e);
	e->tracing.g1_objects = e->pauses.g1_objects;
	if (e->traces && e->audits.trusted)
		tracing_begin(&e->tracing);
	else
		births_set(births_get(), BIRTHS_COUNTED);
	probes_set(p, true);
	if (e->relearn &&
		compiled_again(c, vm, jni, landmarks_at(&p->landmarks, LANDMARK_DEPENDENCIES)))
		err = diag_set(why, ERR_JVM, "the VM did not let its compiled code be made anew");
	if (!err)
		compiled_replay(c);
	return err;
}

int exact_begin(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *d)
{
	struct diag why = {""};
	if (!e->opened)
		return ERR_NONE;
	int err = open_tables(e, vm, jni, r, o, &why);
	e->began = !err;
	if (!err)
		err = start(e, vm, jni, &why);
	if (err) {
		births_set(births_get(), BIRTHS_OFF);
		probes_set(probes_get(), false);
		recorder_alone(r);
		return refuse(e, o, err, &why, d);
	}
	atomic_store(&e->on, true);
	return ERR_NONE;
}

const char *exact_kind(const struct exact *e)
{
	return !e->traces ? "header" : e->chunks.mute ? "followed" : "events";
}

bool exact_stamps(const struct exact *e)
{
	return atomic_load(&e->on) && !e->pauses.objects.compact;
}

uint64_t exact_missed(const struct exact *e)
{
	bool on = atomic_load_explicit(&e->on, memory_order_relaxed);
	return on ? pauses_missed(&e->pauses) : e->missed;
}

void exact_start(struct exact *e)
{
	if (e->trapped)
		trap_guard();
	if (atomic_load_explicit(&e->on, memory_order_relaxed))
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
	if (!atomic_load_explicit(&e->on, memory_order_relaxed))
		return;
	pauses_finish(&e->pauses, atomic_load(&r->young), atomic_load(&r->full));
	if (crowded(e))
		recorder_wake(r);
}

/* Whether all places of its births are known. */
static bool settled(struct exact *e, const struct account *a)
{
	for (uint32_t i = 0; i < a->cells; i++) {
		const struct account_cell *c = accounts_at(&e->pauses.accounts, a, i);
		if (!atomic_load(&births_get()->sites.at[c->site].site))
			return false;
	}
	return true;
}

static bool due(struct exact *e, const struct account *a, uint64_t now)
{
	uint64_t age = now - a->time;
	return age >= PATIENCE_NS || (age >= SETTLE_NS && settled(e, a));
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

/* The counts don't hold against the heap: the engine goes, and says so. */
static void disown(struct exact *e, struct recorder *r, const char *what)
{
	char text[320];
	atomic_store(&e->on, false);
	births_set(births_get(), BIRTHS_OFF);
	probes_set(probes_get(), false);
	put_audit(text, sizeof(text), &e->audits.sum, what);
	diag_set(&e->why, ERR_UNSUPPORTED, "%s", text);
	recorder_alone(r);
	recorder_fact(r, "engine", "sampled");
	recorder_fact(r, "exact", "refused");
	recorder_fact(r, "exact.why", text);
}

/* Whether the account is to be written; the first after it came to be trusted begins where that one
 * ends. */
static bool trust(struct exact *e, const struct account *a)
{
	if (e->audits.trusted)
		return true;
	if (audits_try(&e->audits, &a->audit, a->kind == ACCOUNT_END)) {
		atomic_store(&e->pauses.audit.all, e->audits_asked);
		if (e->traces)
			tracing_want(&e->tracing);
	}
	births_walked(births_get(), &e->walked);
	return false;
}

/*
 * Only those of accounts that are written: what is lost while the writer is far behind is announced
 * in its turn, or a cyclic trace would forget the announcement before the account.
 *
 * The first time by a fact too: each segment of a cyclic trace is told that, when the record is
 * forgotten.
 */
static void write_lost(struct exact *e, struct recorder *r, struct output *o)
{
	struct record record = {.kind = RECORD_lost};
	uint64_t lost = e->lost_births + e->chunks.untold;
	if (lost == e->lost_intervals)
		return;
	record.lost = (struct record_lost){.time = clock_now().v - r->start.v,
		.what = LOST_INTERVALS,
		.count = lost - e->lost_intervals,
		.reason = LOST_BUFFERS};
	exact_out_put(r, o, &record);
	if (!e->lost_intervals)
		exact_out_put(r, o,
			&(const struct record){.kind = RECORD_fact,
				.fact = {.key = slice_str("intervals"),
					.value = slice_str("lost")}});
	e->lost_intervals = lost;
}

/* What the last account, if it found no room, does not tell. */
static void write_last_lost(struct exact *e, struct recorder *r, struct output *o)
{
	if (!e->traces)
		return;
	e->lost_births = e->tracing.follow.totals.lost_intervals;
	write_lost(e, r, o);
}

static void write_events(struct exact *e, struct recorder *r, struct output *o, uint64_t interval)
{
	if (!e->traces)
		return;
	chunks_write(&e->chunks, r, o, interval);
	write_lost(e, r, o);
}

/* How walks went since this was last told. */
static void write_walks(
	struct exact *e, struct recorder *r, struct output *o, const struct account *a)
{
	struct record record = {.kind = RECORD_walks};
	struct record_walks *w = &record.walks;
	struct walk_totals now;
	if (!births_get()->every)
		return;
	births_walked(births_get(), &now);
	w->young = a->young;
	w->walks = now.walks - e->walked.walks;
	w->refused = now.refused - e->walked.refused;
	w->unnamed = atomic_load(&e->places.unnamed) - e->unnamed;
	for (w->ends.count = 0; w->ends.count < STACK_ENDS; w->ends.count++)
		w->ends.at[w->ends.count] = now.ends[w->ends.count] - e->walked.ends[w->ends.count];
	e->unnamed += w->unnamed;
	e->walked = now;
	exact_out_put(r, o, &record);
}

/* Where an account goes. */
struct way_out {
	struct exact *exact;
	struct recorder *recorder;
	struct output *output;
};

static uint32_t site_out(void *arg, uint32_t site, bool *known)
{
	const struct way_out *w = arg;
	enum place_state state;
	uint32_t id = exact_out_site(&w->exact->places, w->recorder, w->output, site, &state);
	*known = state == PLACE_KNOWN;
	return id;
}

static void put_out(void *arg, const struct record *record)
{
	const struct way_out *w = arg;
	struct recorder *r = w->recorder;
	const struct record_site_births *b = &record->site_births;
	if (record->kind == RECORD_site_births && r->journal.primer)
		primer_count(&r->primer, b->site, b->objects, b->bytes);
	exact_out_put(r, w->output, record);
}

static void write_account(
	struct exact *e, struct recorder *r, struct output *o, const struct account *a)
{
	struct account_out out = {
		.arg = &(struct way_out){e, r, o}, .site = site_out, .put = put_out};
	e->lost_births = a->lost_intervals;
	write_events(e, r, o, a->interval);
	account_out_sites(&out, &e->pauses.accounts, a);
	audits_add(&e->audits, &a->audit);
	write_walks(e, r, o, a);
	if (a->kind != ACCOUNT_END)
		account_out_gc(&out, a, a->time - r->start.v);
}

/* The oldest account that there is, and all events that were ready before it; NULL: none. What is
 * taken then is older than all accounts to come, but for the last interval's. */
static const struct account *next_account(struct exact *e)
{
	if (e->traces)
		chunks_take(&e->chunks);
	const struct account *a = accounts_next(&e->pauses.accounts);
	if (e->traces && a)
		chunks_take(&e->chunks);
	return a;
}

/* In the file an account stands behind the events of its intervals, and before all later ones.
 * Whether none is left. */
static bool write_accounts(struct exact *e, struct recorder *r, struct output *o, bool all)
{
	const struct account *a;
	while ((a = next_account(e)) != NULL && (all || due(e, a, clock_now().v))) {
		if (trust(e, a))
			write_account(e, r, o, a);
		accounts_done(&e->pauses.accounts);
	}
	return !a;
}

void exact_write(struct exact *e, struct recorder *r, struct output *o, bool all)
{
	if (!e->began)
		return;
	if (e->trapped) /* Serial and Parallel have full collections that no event begins */
		trap_guard();
	all |= crowded(e);
	if (write_accounts(e, r, o, all) && all)
		write_events(e, r, o, UINT64_MAX);
	if (atomic_load(&e->on) && audits_off(&e->audits))
		disown(e, r,
			e->audits.trusted ? "the exact counts did not hold against the heap"
					  : "the program's code did not come to the probes");
}

bool exact_checkpoint(struct exact *e, const struct recorder *r, const struct output *o)
{
	if (!e->traces || e->chunks.mute || !e->audits.trusted || !atomic_load(&e->on))
		return false;
	/* Once for each segment; and at once, for one that had to begin without. */
	uint64_t state = stretch_state(&o->stretch);
	if (e->asked != state && (output_wants_segment(o, r) || stretch_bare(&o->stretch))) {
		e->asked = state;
		tracing_want_checkpoint(&e->tracing);
	}
	return true;
}

static void write_forgotten(const struct exact *e, struct recorder *r)
{
	const struct follow_totals *t = &e->tracing.follow.totals;
	char text[320];
	if (!e->traces || !t->forgotten)
		return;
	snprintf(text, sizeof(text),
		"of %llu single objects %llu were not followed to their end: %llu beyond the "
		"bound, %llu without an identity, %llu not to be told apart, %llu in memory that "
		"was given back, %llu in collections that could not be told, %llu born where no "
		"object can be",
		(unsigned long long)t->births, (unsigned long long)t->forgotten,
		(unsigned long long)t->refused, (unsigned long long)t->nameless,
		(unsigned long long)t->unsure, (unsigned long long)t->unreadable,
		(unsigned long long)t->untold, (unsigned long long)t->strays);
	recorder_note(r, NOTE_INFO, text);
}

/* What was lost is said. */
static void write_losses(const struct exact *e, struct recorder *r)
{
	char text[160];
	uint64_t unaccounted = atomic_load(&e->pauses.unaccounted);
	if (unaccounted) {
		snprintf(text, sizeof(text),
			"%llu collection%s no exact account: the writer did not keep up, or "
			"memory could not be read",
			(unsigned long long)unaccounted, unaccounted == 1 ? " has" : "s have");
		recorder_note(r, NOTE_WARNING, text);
	}
	uint64_t untold = atomic_load(&e->pauses.untold);
	if (untold) {
		snprintf(text, sizeof(text),
			"the VM tells of no collection that a tool asked for (class histogram, "
			"heap "
			"dump): %llu came, and who died in %s is not known",
			(unsigned long long)untold, untold == 1 ? "it" : "them");
		recorder_note(r, NOTE_WARNING, text);
	}
	struct births *b = births_get();
	uint64_t refused = atomic_load(&b->refused);
	if (refused) {
		snprintf(text, sizeof(text),
			"%llu allocations were not counted: no memory for the exact engine's "
			"tables",
			(unsigned long long)refused);
		recorder_note(r, NOTE_WARNING, text);
	}
	if (atomic_load(&b->uncounted))
		recorder_note(r, NOTE_INFO,
			"stacks that virtual threads leave in the heap (StackChunk) are not "
			"counted: the VM does not tell of all");
	if (b->sites.refused) {
		snprintf(text, sizeof(text),
			"the program has more than %d sites: further ones are counted as one",
			SITES_MAX);
		recorder_note(r, NOTE_WARNING, text);
	}
}

/* Places that had the shorter way through the probe. */
static void write_doors(struct recorder *r)
{
	const struct birth_doors *d = &births_get()->doors;
	char text[16];
	if (!d->oracle.code && !d->open) /* no more are given where a fence failed */
		return;
	snprintf(text, sizeof(text), "%u", d->open);
	recorder_fact(r, "doors", text);
}

void exact_hurry(struct exact *e, uint64_t until)
{
	if (e->traces)
		atomic_store(&e->chunks.until, until);
}

void exact_stop(struct exact *e, const struct vm *vm)
{
	if (atomic_load(&e->on))
		e->missed = pauses_missed(&e->pauses);
	if (!atomic_exchange(&e->on, false))
		return;
	births_set(births_get(), BIRTHS_OFF);
	if (vm)
		vm_stand_still(vm);
	/* Call paths may still wait for code that the VM would tell of later. */
	if (vm && births_get()->every)
		compiled_replay(compiled_get());
	e->stopped = true;
}

/* Each was told when it was; in a cyclic trace that may be forgotten since. */
static void write_lost_intervals(const struct exact *e, struct recorder *r)
{
	char text[192];
	snprintf(text, sizeof(text),
		"since recording began, %llu times what was born between two collections was lost: "
		"what still stands of that is in no heap shown",
		(unsigned long long)e->lost_intervals);
	recorder_note(r, NOTE_WARNING, text);
}

void exact_end(struct exact *e, struct recorder *r, struct output *o)
{
	bool was_on = e->stopped || atomic_exchange(&e->on, false);
	if (!e->began)
		return;
	births_set(births_get(), BIRTHS_OFF);
	if (was_on) {
		write_accounts(e, r, o, true); /* so that the last finds room */
		pauses_end(&e->pauses, e->missed, atomic_load(&r->young), atomic_load(&r->full));
	}
	exact_write(e, r, o, true);
	write_last_lost(e, r, o);
	if (was_on && !e->audits.trusted)
		disown(e, r,
			e->audits.sum.walked
				? "no collection came in which the exact counts held"
				: "the recording ended before a collection came that could show "
				  "whether the exact counts are right (record for longer, or give "
				  "the program a smaller young generation: -Xmn)");
	if (was_on) {
		write_losses(e, r);
		write_doors(r);
		write_forgotten(e, r);
	}
	if (was_on && e->lost_intervals && stretch_cyclic(&o->stretch))
		write_lost_intervals(e, r);
}

void exact_close(struct exact *e, const struct vm *vm, JNIEnv *jni)
{
	struct probes *p = probes_get();
	if (e->opened)
		probes_set(p, false);
	if (!e->began)
		return;
	if (e->trapped)
		trap_clear(&e->trap, NULL);
	if (e->pauses.stamps.parts)
		trap_clear(&e->young_trap, NULL);
	e->trapped = false;
	compiled_end(compiled_get(), jni != NULL);
	crew_stop(&e->pauses.crew);
	/* The world stands still for it: nobody is in a probe of ours any more. */
	if (jni && !compiled_again(compiled_get(), vm, jni,
			   landmarks_at(&p->landmarks, LANDMARK_DEPENDENCIES))) {
		births_close(births_get());
		close_tracing(e);
		pauses_release(&e->pauses);
		places_release(&e->places);
	}
	e->began = false;
}
