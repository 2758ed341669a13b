#include "agent/exact_losses.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "agent/compiled.h"
#include "base/compiler.h"
#include "base/units.h"

static void MF_PRINTF(3, 4) note(struct recorder *r, enum severity severity, const char *fmt, ...)
{
	char text[320];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	recorder_note(r, severity, text);
}

static void write_unstamped(const struct pauses *p, struct recorder *r)
{
	uint64_t count = atomic_load(&p->relief.unstamped);
	char need[UNITS_MAX], spare[UNITS_MAX];
	if (count)
		note(r, NOTE_WARNING,
			"%" PRIu64 " full collection%s not followed, since the VM could take %s "
			"more in %s, and %s of memory was left: what became of young objects then "
			"is not known",
			count, count == 1 ? " was" : "s were",
			units_bytes((double)atomic_load(&p->relief.marks.need), need),
			count == 1 ? "it" : "the last",
			units_bytes((double)atomic_load(&p->relief.marks.spare), spare));
}

/* Why, where it was so. */
static void write_forgotten(const struct exact *e, struct recorder *r)
{
	const struct follow_totals *t = &e->tracing.follow.totals;
	const struct {
		uint64_t count;
		const char *what;
	} reasons[] = {{t->refused, "beyond the bound"},
		{t->nameless, "with a lock, held or not, when a full collection came"},
		{t->unsure, "not to be told apart"},
		{t->unreadable, "in memory that was given back"},
		{t->untold, "in collections that could not be told"},
		{t->strays, "born where no object can be"}};
	char text[448], all[UNITS_MAX], count[UNITS_MAX];
	const char *before = ": ";
	if (!e->traces || !t->forgotten)
		return;
	size_t at = (size_t)snprintf(text, sizeof(text),
		"of %s single objects %s were not followed to their end",
		units_count(t->births, all), units_count(t->forgotten, count));
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!reasons[i].count || at >= sizeof(text))
			continue;
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s %s", before,
			units_count(reasons[i].count, count), reasons[i].what);
		before = ", ";
	}
	recorder_note(r, NOTE_INFO, text);
}

/* Collections of which there is no account. What is followed one by one is followed through these
 * too. */
static void write_unaccounted(const struct pauses *p, struct recorder *r)
{
	uint64_t unaccounted = atomic_load(&p->unaccounted), untold = atomic_load(&p->untold);
	if (unaccounted)
		note(r, NOTE_WARNING,
			"%" PRIu64 " collection%s no exact account: the writer did not keep up, or "
			"memory could not be read",
			unaccounted, unaccounted == 1 ? " has" : "s have");
	if (untold)
		note(r, NOTE_WARNING,
			"the VM tells of no collection that a tool asked for (class histogram, "
			"heap dump): %" PRIu64 " came, and who died in %s is %s",
			untold, untold == 1 ? "it" : "them",
			p->tracing ? "known of objects alone that are followed one by one"
				   : "not known");
}

/* Births of which not all is known. */
static void write_uncounted(struct births *b, struct recorder *r)
{
	uint64_t refused = atomic_load(&b->refused);
	if (refused)
		note(r, NOTE_WARNING,
			"%" PRIu64 " allocations were not counted: no memory for the exact "
			"engine's tables",
			refused);
	if (atomic_load(&b->uncounted))
		recorder_note(r, NOTE_INFO,
			"stacks that virtual threads leave in the heap (StackChunk) are not "
			"counted: the VM does not tell of all");
}

/* Places that found no room among the sites. */
static void write_crowded(const struct births *b, struct recorder *r)
{
	if (b->unlined)
		note(r, NOTE_INFO,
			"there were more than %" PRIu32
			" places at a time that allocate in code that was "
			"interpreted%s: what further ones do is counted by its method, without a "
			"line, until it is compiled",
			births_bytecodes_max(b), b->every ? ", call paths among them" : "");
	if (b->unplaced)
		note(r, NOTE_WARNING,
			"there were more than %d places that allocate, or those of classes that "
			"were unloaded since, and of code that was compiled anew, have objects "
			"that may live: what further ones do is counted by its class, without a "
			"line",
			PLACES_MAX);
	if (b->sites.refused)
		note(r, NOTE_WARNING,
			"there were more than %d sites at a time: what found no room is counted "
			"together, without a class or a line",
			SITES_MAX);
}

/* Places whose names found no room on their way to the trace. */
static void write_unwritten(const struct places *p, struct recorder *r)
{
	uint64_t count = atomic_load(&p->unwritten);
	char text[UNITS_MAX];
	if (count)
		note(r, NOTE_WARNING,
			"%s places that allocate came faster than they could be written, or were "
			"more than --memory has names for: what they do is counted by its class, "
			"without a line",
			units_count(count, text));
}

/* Compiled code whose places found no room. */
static void write_unplaced(const struct code_map *m, struct recorder *r)
{
	char count[UNITS_MAX];
	if (m->refused)
		note(r, NOTE_WARNING,
			"the program has more compiled code than there is room for: of %s methods "
			"not all places are known, and what these allocate is counted without a "
			"line",
			units_count(m->refused, count));
}

/* Nobody has held the counts against the heap. */
static void write_unaudited(const struct eden_audit *a, struct recorder *r)
{
	if (a->passed && !a->count)
		recorder_note(r, NOTE_INFO,
			"no audit was made: a walk of so many objects would have made a pause "
			"more than 50 ms longer (--audit makes it all the same)");
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

void exact_losses_tell(const struct exact *e, struct recorder *r)
{
	write_unaccounted(&e->pauses, r);
	write_uncounted(births_get(), r);
	write_crowded(births_get(), r);
	write_unwritten(&e->places, r);
	write_unplaced(&compiled_get()->map, r);
	write_unaudited(&e->pauses.audit, r);
	write_doors(r);
	write_unstamped(&e->pauses, r);
	write_forgotten(e, r);
}

static void note_starved(const struct exact *e, struct recorder *r)
{
	char need[UNITS_MAX], spare[UNITS_MAX];
	note(r, NOTE_WARNING,
		"following each object could take %s more in a full collection, and %s of memory "
		"was left: single objects are told of up to here, and from here on only counted by "
		"the line that makes them (give the program more memory or a smaller heap, or "
		"record with --exact alone)",
		units_bytes((double)atomic_load(&e->pauses.relief.following.need), need),
		units_bytes((double)atomic_load(&e->pauses.relief.following.spare), spare));
}

static void note_slow(const struct exact *e, struct recorder *r)
{
	note(r, NOTE_WARNING,
		"following each object in pauses took %u %% of the program's time: single objects "
		"are told of up to here, and from here on only counted by the line that makes them "
		"(a heap that is nearly full is collected all the time: give the program a larger "
		"one, or record with --exact alone)",
		atomic_load(&e->pauses.relief.abandoned));
}

void exact_losses_abandoned(const struct exact *e, struct recorder *r)
{
	if (atomic_load(&e->pauses.relief.abandoned) == BURDEN_MEMORY)
		note_starved(e, r);
	else
		note_slow(e, r);
}

void exact_losses_intervals(const struct exact *e, struct recorder *r)
{
	note(r, NOTE_WARNING,
		"since recording began, %" PRIu64
		" time%s what was born between two collections was lost: what still stands of that "
		"is in no heap shown",
		e->lost_intervals, e->lost_intervals == 1 ? "" : "s");
}
