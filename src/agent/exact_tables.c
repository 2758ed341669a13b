#include "agent/exact_tables.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/compiled.h"
#include "agent/doors.h"
#include "agent/probes.h"
#include "base/clock.h"
#include "base/error.h"
#include "hotspot/region.h"

enum {
	BIRTH_BYTES = 4, /* in the trace, before compression */
	SCANNERS = 7,    /* threads that help in a pause, at most */
};

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
	/* Where marks have no room for sites one thread follows what the counts come from. */
	if (!probes_get()->sites)
		return 0;
	return cpus > SCANNERS ? SCANNERS : cpus > 1 ? (uint32_t)cpus - 1 : 0;
}

static const char *no_tracing(int err)
{
	return err == ERR_NOMEM ? "no memory for the tables that objects are followed with"
				: "no way to tell where the heap is";
}

/* What of a mark's bits a site would want. */
static const char *no_room(void)
{
	return probes_get()->header == BIRTH_HEADER_COMPACT ? "headers are compact"
							    : "locks are biased";
}

/*
 * Where single objects can't be told of, the counts do alone. Where marks have no room for sites
 * these come from the objects, which one thread follows then, and which are told of only if they
 * were asked for.
 */
static int open_tracing(
	struct exact *e, struct recorder *r, const struct options *o, struct diag *why)
{
	bool sites = probes_get()->sites;
	const struct tracing_bounds bounds = {young_bytes(e), e->pauses.before.room};
	int err = tracing_init(&e->tracing, births_get(), &e->pauses.layout, &e->pauses.objects,
		&bounds, atomic_load(&r->young));
	bool mute = !options_trace(o);
	if (!err && (err = chunks_init(&e->chunks, &e->tracing.pool, &e->told, mute))) {
		chunks_release(&e->chunks);
		tracing_release(&e->tracing);
	}
	e->traces = !err;
	if (!err) {
		/* The writer asks for checkpoints too, but may come when there is more to write
		 * than is kept. */
		e->tracing.follow.checkpoint_most = o->cyclic.bytes / STRETCH_PARTS / BIRTH_BYTES;
		e->tracing.follow.meets = o->exact == EXACT_SURVIVORS && sites;
		pauses_trace(&e->pauses, &e->tracing);
	} else if (!sites) {
		return diag_set(why, err, "%s, and there is %s", no_room(), no_tracing(err));
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

void exact_tables_close(struct exact *e)
{
	close_tracing(e);
	pauses_release(&e->pauses);
	places_release(&e->places);
}

/* Who asks whom, and what is audited. */
static void connect(struct exact *e, const struct options *o, const void *inside)
{
	births_methods(&e->places.methods.key);
	e->places.loaders = &e->pauses.unloading.loaders;
	e->places.acts = o->tenure != TENURE_NO;
	e->pauses.unloading.code = places_code(&e->places);
	e->audits = (struct audits){.trusted = !e->relearn};
	e->audits_asked = o->audit;
	e->trusted_from = e->told_gcs = 0;
	e->pauses.audit.all = o->audit || !e->audits.trusted;
	set_outside(e, inside);
}

static int open_births(
	struct exact *e, struct recorder *r, const struct options *o, struct diag *why)
{
	struct birth_oracle oracle = places_oracle(&e->places);
	int err = options_trace(o) || !probes_get()->sites ? open_tracing(e, r, o, why) : ERR_NONE;
	if (!err)
		err = births_open(births_get(), &oracle, e->traces ? &e->tracing.pool : NULL);
	if (err && !*why->text)
		diag_set(why, err, "out of memory for the exact engine's tables");
	return err;
}

/* It could be cheaper; but for who asks for each object anyway. */
static void tell_biased(struct recorder *r)
{
	recorder_note(r, NOTE_WARNING,
		"biased locking is on, which leaves no room for places in objects' marks: the "
		"exact engine has to follow each object, which costs more; not so where the "
		"program is started with --exact, or with -XX:-UseBiasedLocking");
}

/* What can be done without. */
static void open_more(
	struct exact *e, const struct vm *vm, struct recorder *r, const struct options *o)
{
	const struct probes *p = probes_get();
	number(e, r);
	if (!p->sites && p->header != BIRTH_HEADER_COMPACT && o->exact != EXACT_TRACE)
		tell_biased(r);
	if (p->header != BIRTH_HEADER_COMPACT)
		births_clock(births_get(), heap_collections(&e->pauses.layout));
	if (p->sites && o->doors)
		doors_open(births_get(), &e->places.blobs, &p->landmarks, &p->flags);
	if (o->every)
		open_walks(e, vm, r, o);
}

int exact_tables_open(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *why)
{
	const void *inside = vm_code(vm);
	int err = pauses_init(&e->pauses, births_get(), inside, scanners(), why);
	if (err)
		return err;
	err = places_init(&e->places, r, births_get(), &compiled_get()->map, &compiled_get()->ids,
		vm, jni, why);
	told_sites_init(&e->told, &e->places);
	if (!err) {
		connect(e, o, inside);
		err = open_births(e, r, o, why);
	}
	if (err)
		exact_tables_close(e);
	else
		open_more(e, vm, r, o);
	return err;
}
