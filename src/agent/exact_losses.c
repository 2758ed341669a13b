#include "agent/exact_losses.h"

#include <stdio.h>

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
			"heap dump): %llu came, and who died in %s is not known",
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

void exact_losses_tell(const struct exact *e, struct recorder *r)
{
	write_losses(e, r);
	write_doors(r);
	write_forgotten(e, r);
}

void exact_losses_intervals(const struct exact *e, struct recorder *r)
{
	char text[192];
	snprintf(text, sizeof(text),
		"since recording began, %llu times what was born between two collections was lost: "
		"what still stands of that is in no heap shown",
		(unsigned long long)e->lost_intervals);
	recorder_note(r, NOTE_WARNING, text);
}
