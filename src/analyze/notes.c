#include "analyze/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/filling.h"
#include "base/units.h"
#include "model/followed.h"

enum { SENTENCE_MAX = 9000 }; /* a note's text and some more */

void notes_release(struct notes *n)
{
	for (size_t i = 0; i < n->list.count; i++)
		mem_free(n->list.at[i]);
	vec_release(&n->list);
}

int notes_add(struct notes *n, const char *format, ...)
{
	char text[SENTENCE_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (size_t i = 0; i < n->list.count; i++)
		if (strcmp(n->list.at[i], text) == 0)
			return ERR_NONE;
	char *copy = mem_strndup(text, strlen(text));
	if (!copy || vec_push(&n->list, copy)) {
		mem_free(copy);
		return ERR_NOMEM;
	}
	return ERR_NONE;
}

static int add_wholeness(struct notes *n, const struct model *m)
{
	if (m->damage.text[0])
		return notes_add(
			n, "The trace is damaged, and was read up to there: %s.", m->damage.text);
	if (!m->complete)
		return notes_add(n, "The trace has no end (the program was killed, or is still "
				    "being recorded): it was read up to its last whole block.");
	return ERR_NONE;
}

/* Of a whole trace its own last note says it, with how often it was. */
static int add_lost_before(struct notes *n, const struct model *m)
{
	struct slice intervals = facts_get(&m->facts, &m->defs.texts, "intervals");
	if (m->complete || !slice_equal(intervals, slice_str("lost")))
		return ERR_NONE;
	return notes_add(n, "Since recording began, what was born between two collections was lost "
			    "at least once: what still stands of that is in no heap shown.");
}

/* A cyclic trace. */
static int add_forgotten(struct notes *n, const struct model *m)
{
	const struct begin *b = &m->begin;
	char bytes[UNITS_MAX], time[UNITS_MAX], older[UNITS_MAX];
	if (!b->forgotten.blocks)
		return ERR_NONE;
	int err = notes_add(n,
		"This is the last stretch of a longer recording: its first %s (%s) are forgotten, "
		"as "
		"was asked for (--cyclic). All figures are of the stretch.",
		units_time((double)b->time, time), units_bytes((double)b->forgotten.bytes, bytes));
	if (!err && m->tallies.older)
		err = notes_add(n,
			m->tallies.older == 1
				? "%s sample that was born before died in it, or was let go: it is "
				  "left out."
				: "%s samples that were born before died in it, or were let go: "
				  "they are left out.",
			units_count(m->tallies.older, older));
	return err ? err : add_lost_before(n, m);
}

static const struct {
	const char *one, *many;
} lost_what[LOST_KINDS] = {
	[LOST_SAMPLES] = {"sample was lost: allocation is understated by as much",
		"samples were lost: allocation is understated by as much"},
	[LOST_BIRTHS] = {"birth was lost: that object is counted as allocated only",
		"births were lost: those objects are counted as allocated only"},
	[LOST_DEATHS] = {"death was lost: that object seems to live on",
		"deaths were lost: those objects seem to live on"},
	[LOST_GCS] = {"collection was lost: ages are too low by as much",
		"collections were lost: ages are too low by as much"},
	[LOST_NOTES] = {"note was lost", "notes were lost"},
	[LOST_UNTRACKS] = {"object was let go and that was lost: it seems to live on",
		"objects were let go and that was lost: they seem to live on"},
	[LOST_INTERVALS] = {"time what was born between two collections was lost: it is counted, "
			    "and in no event",
		"times what was born between two collections was lost: it is counted, and in no "
		"event"},
	[LOST_DECISIONS] = {"of tenure's rounds or decisions was lost: more was done than is told",
		"of tenure's rounds and decisions were lost: more was done than is told"},
};

/* Where survivors alone are told of singly it is they that were lost. */
static const char *lost_text(const struct model *m, int what, bool one)
{
	if (what != LOST_INTERVALS || !followed_survivors(m))
		return one ? lost_what[what].one : lost_what[what].many;
	return one ? "collection could not be looked through for newborns that outlived it: they "
		     "are counted, and what became of each is not known"
		   : "collections could not be looked through for newborns that outlived them: "
		     "they are counted, and what became of each is not known";
}

static int add_lost(struct notes *n, const struct model *m)
{
	char text[UNITS_MAX];
	int err = ERR_NONE;
	for (int i = 0; i < LOST_KINDS && !err; i++) {
		uint64_t count = m->tallies.lost[i];
		if (count)
			err = notes_add(
				n, "%s %s.", units_count(count, text), lost_text(m, i, count == 1));
	}
	return err;
}

static int add_deaths(struct notes *n, const struct model *m)
{
	const char *text = NULL;
	if (m->facts.deaths == DEATHS_NONE)
		text = "This collector never collects: how long objects live can't be known.";
	else if (m->facts.deaths == DEATHS_OLD)
		text = "This collector tells deaths only when it collects the old generation: ages "
		       "count those collections, and survival in young collections is not known.";
	else if (!model_young(m) && !model_full(m))
		text = "0 GCs observed: ages unknown.";
	return text ? notes_add(n, "%s", text) : ERR_NONE;
}

static int add_late(struct notes *n, const struct model *m)
{
	char deaths[UNITS_MAX], times[UNITS_MAX];
	if (!m->late.deaths)
		return ERR_NONE;
	bool one = m->late.deaths == 1;
	/* Which of the causes it was is not known. */
	return notes_add(n,
		"The VM told %s death%s only after another collection (%s time%s), as where the "
		"machine is too busy, or a tool had the program collect: %s counted for the one "
		"that seems to have found %s.",
		units_count(m->late.deaths, deaths), one ? "" : "s",
		units_count(m->late.collections, times), m->late.collections == 1 ? "" : "s",
		one ? "it is" : "they are", one ? "it" : "them");
}

/* What its sampler gets wrong is in no interval. */
static int add_large(struct notes *n, const struct model *m)
{
	static const double least = 0.005, most = 0.9; /* of the bytes */
	double share = m->tallies.sampled > 0 ? m->tallies.large / m->tallies.sampled : 0;
	if (m->exact.births.objects || !model_old_sampler(m) || share < least || share > most)
		return ERR_NONE;
	return notes_add(n,
		"Objects of 64 kB and more make %.*f %% of the bytes. Before JDK 25 the VM's "
		"sampler takes such too rarely where most are small, and the small ones too often "
		"(JDK-8356372): there may be several times as much of the large, and up to a "
		"fourth less of the others, which no interval holds. --exact counts them.",
		share < 0.0995, 100 * share);
}

/* Where all is counted that is told by its audit. */
static int add_filling(struct notes *n, const struct model *m)
{
	char heap[UNITS_MAX], samples[UNITS_MAX];
	struct filling f = filling_of(m);
	enum filling_verdict verdict = filling_verdict(&f);
	if (m->exact.births.objects || verdict == FILLING_FITS)
		return ERR_NONE;
	units_bytes(f.bytes, heap);
	units_bytes(f.sampled, samples);
	if (verdict == FILLING_OVER)
		return notes_add(n,
			"Between collections the heap filled by %s, by the VM's own figures, and "
			"samples of that time stand for %s: allocation is overstated by %.0f %%, "
			"in which rows is not known. --exact counts it.",
			heap, samples, 100 * (f.sampled / f.bytes - 1));
	return notes_add(n,
		"Between collections the heap filled by %s, by the VM's own figures, and samples "
		"of "
		"that time stand for %s: what the VM did not sample, and room in threads' buffers "
		"that no object took, make the other %.0f %%.",
		heap, samples, 100 * (1 - f.sampled / f.bytes));
}

static int add_full(struct notes *n, const struct model *m)
{
	if (model_full(m) || !model_young(m) || m->gcs.untold || m->facts.deaths == DEATHS_NONE)
		return ERR_NONE;
	return notes_add(
		n, "No collection of the old generation was seen: survival in those is not known.");
}

static int add_start(struct notes *n, const struct model *m)
{
	struct slice clock = facts_get(&m->facts, &m->defs.texts, "clock.gc");
	char from[UNITS_MAX];
	int err = ERR_NONE;
	if (model_late(m))
		err = notes_add(n, "Recording began while the program ran: objects allocated "
				   "before are not in it.");
	if (!err && model_births_from(m))
		err = notes_add(n,
			"Exact counts begin %s into the recording: after an attach they are "
			"believed from the first collection in which they hold. Rates are over "
			"the time since; what samples tell is of all of it, but for lines where "
			"nothing was made since: these are left out.",
			units_time((double)model_births_from(m), from));
	if (!err && slice_equal(clock, slice_str("pauses")))
		err = notes_add(n,
			"Collections were counted by their pauses, which a concurrent collector "
			"has several of in a cycle%s.",
			m->gcs.untold ? "; young and full ones can't be told apart" : "");
	return err;
}

/* "The exact engine was refused: <why>." */
static int add_refusal(struct notes *n, const struct model *m)
{
	struct slice why = facts_get(&m->facts, &m->defs.texts, "exact.why");
	struct slice engine = facts_get(&m->facts, &m->defs.texts, "engine");
	if (model_disowned(m)) {
		bool stop = why.len && why.at[why.len - 1] == '.';
		return notes_add(n,
			"The exact engine was refused, so that all is estimated from "
			"samples%s%.*s%s",
			why.len ? ": " : "", (int)why.len, (const char *)why.at, stop ? "" : ".");
	}
	if (slice_equal(engine, slice_str("exact")) && !m->exact.births.objects)
		return notes_add(n, "The exact engine counted nothing that can be read: all is "
				    "estimated from samples.");
	return ERR_NONE;
}

/* Of a young one that goes on into a full one, in one pause, eden can't be walked either. */
static const char *why_unaudited(const struct counts *e)
{
	if (e->kinds[COUNTS_FULL] + e->kinds[COUNTS_FOLLOWED] < e->collections)
		return e->collections == 1
			       ? ", since there was one collection alone, and the first also finds "
				 "what is older than the recording"
			       : "";
	return e->kinds[COUNTS_FOLLOWED]
		       ? ", since each collection was a full one or went on into one, which leaves "
			 "nothing to hold the counts against"
		       : ", since only full collections came, which leave nothing to hold the "
			 "counts against";
}

static int add_audit(struct notes *n, const struct counts *e)
{
	char count[UNITS_MAX], whole[UNITS_MAX];
	if (!e->collections)
		return ERR_NONE;
	if (!e->audit.walked)
		return notes_add(n,
			"No audit was made%s: whether the exact engine saw all allocations is not "
			"known.",
			why_unaudited(e));
	if (e->audit.seen >= e->audit.walked)
		return ERR_NONE;
	return notes_add(n,
		"The audit found %s objects in %s that the exact engine had not seen: exact totals "
		"are too low by about that share.",
		units_count(e->audit.walked - e->audit.seen, count),
		units_count(e->audit.walked, whole));
}

/* Of some births that were to be counted by their path nobody knows it: to be said where it is more
 * than a hundredth. */
static int add_walks(struct notes *n, const struct walk_counts *w)
{
	char count[UNITS_MAX], all[UNITS_MAX];
	if (!walk_counts_short(w))
		return ERR_NONE;
	return notes_add(n,
		"%s of %s allocations whose call path was walked had one beyond the most that are "
		"kept: they are counted by their line alone, and where they are more than a tenth "
		"of it the samples tell its callers. A larger --every, a smaller --depth, or a "
		"--delay past the program's start leaves room for the paths that come often.",
		units_count(w->refused, count), units_count(w->walks, all));
}

/* What keeps exact lives from being all. */
static int add_sight(struct notes *n, const struct counts *e)
{
	char a[UNITS_MAX];
	int err = ERR_NONE;
	if (e->unaccounted)
		err = notes_add(n,
			"%s collection%s not accounted for by the exact engine: what %s did is "
			"not in its lives.",
			units_count(e->unaccounted, a), e->unaccounted == 1 ? " was" : "s were",
			e->unaccounted == 1 ? "it" : "they");
	if (!err && e->kinds[COUNTS_FULL])
		err = notes_add(n,
			"Full collections (%s) make the sites of what is alive unknown: exact "
			"lives end "
			"there.",
			units_count(e->kinds[COUNTS_FULL], a));
	if (!err && e->walked)
		err = notes_add(n,
			"Another tool had the VM walk the heap before %s collection%s, which takes "
			"the sites of what is alive: lives that are counted by headers end there.",
			units_count(e->walked, a), e->walked == 1 ? "" : "s");
	return err;
}

/* What stays where it is keeps its mark from JDK 24 on, but for a few that a filler overwrites. */
static int note_failed(struct notes *n, const struct counts *e)
{
	char regions[UNITS_MAX], gcs[UNITS_MAX], found[UNITS_MAX];
	const char *were = e->failed == 1 ? "" : "s";
	units_count(e->failed, regions);
	units_count(e->stripped, gcs);
	units_count(e->stuck.objects, found);
	if (!e->stuck.objects && !e->stripped)
		return notes_add(n,
			"%s region%s could not be evacuated: a few objects there may be counted "
			"as dead.",
			regions, were);
	if (!e->stripped)
		return notes_add(n,
			"%s region%s could not be evacuated, where the VM takes the sites of what "
			"lives: %s objects were found alive without one, and up to as many of the "
			"deaths counted by headers are none.",
			regions, were, found);
	return notes_add(n,
		"%s region%s could not be evacuated, where the VM takes the sites of what lives: "
		"what died in %s collection%s is not known by headers, and lost from their "
		"sight%s%s%s.",
		regions, were, gcs, e->stripped == 1 ? "" : "s",
		e->stuck.objects ? "; in others " : "", e->stuck.objects ? found : "",
		e->stuck.objects
			? " objects were found alive without one, and up to as many of the "
			  "deaths counted by headers are none"
			: "");
}

/* What makes exact deaths doubtful. */
static int add_doubts(struct notes *n, const struct counts *e)
{
	char a[UNITS_MAX], b[UNITS_MAX];
	int err = ERR_NONE;
	if (e->astray.objects)
		err = notes_add(n,
			"%s times a collection found an object alive whose header did not hold its "
			"site any more (as a lock can have its place), beside %s times "
			"that it did: up to as many of the deaths counted by headers are none.",
			units_count(e->astray.objects, a), units_count(e->sited.objects, b));
	if (!err && e->behind)
		err = notes_add(n,
			"%s came right behind a young one that could not move all: how many "
			"objects lost their sites in that is not known, and they count as dead.",
			e->behind == 1 ? "A full collection" : "Full collections");
	if (!err && e->failed)
		err = note_failed(n, e);
	return err;
}

static int add_exact(struct notes *n, const struct model *m)
{
	int err = add_refusal(n, m);
	err = err ? err : add_audit(n, &m->exact);
	err = err ? err : add_walks(n, &m->exact.walks);
	err = err ? err : add_sight(n, &m->exact);
	err = err ? err : add_doubts(n, &m->exact);
	if (!err && !m->complete && m->exact.births.objects)
		err = notes_add(n, "The exact engine's counts end with the last collection that it "
				   "accounted for: what was allocated later is not in them.");
	return err;
}

static int add_written(struct notes *n, const struct model *m)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < m->facts.notes.count && !err; i++) {
		struct slice text = texts_get(&m->defs.texts, m->facts.notes.at[i].text);
		if (!text.len)
			continue;
		bool stop = strchr(".!?", text.at[text.len - 1]) != NULL;
		err = notes_add(n, "%.*s%s", (int)text.len, (const char *)text.at, stop ? "" : ".");
	}
	return err;
}

static int add_odds(struct notes *n, const struct model *m)
{
	char count[UNITS_MAX];
	int err = ERR_NONE;
	for (int i = 0; i < ODD_COUNT && !err; i++)
		if (m->odds.count[i])
			err = notes_add(n, "%s %s.", units_count(m->odds.count[i], count),
				odd_text((enum odd)i, m->odds.count[i]));
	if (!err && m->unknown_records)
		err = notes_add(n,
			"%s record%s of kinds that this version does not know (left out).",
			units_count(m->unknown_records, count), m->unknown_records == 1 ? "" : "s");
	return err;
}

int notes_find(struct notes *n, const struct model *m)
{
	static int (*const finders[])(struct notes *, const struct model *) = {add_wholeness,
		add_forgotten, add_lost, add_filling, add_large, add_deaths, add_late, add_full,
		add_exact, add_start, add_written, add_odds};
	int err = ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(finders) && !err; i++)
		err = finders[i](n, m);
	return err;
}
