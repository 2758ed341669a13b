#include "agent/tenure_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

static void note(struct recorder *r, const char *text)
{
	recorder_note(r, NOTE_INFO, text);
}

void tenure_note_cost(struct recorder *r, const struct cost *cost, bool measured, struct diag *said)
{
	struct diag text;
	char byte[32];
	snprintf(byte, sizeof(byte), "%.2f", cost->byte);
	diag_set(&text, ERR_NONE,
		"tenure takes copying to cost %.0f ns for each object and %s ns for each byte (%s)",
		cost->object, decimal_point(byte),
		measured ? "measured in this program's collections"
			 : "not measured: its collections do not tell the two apart");
	if (strcmp(text.text, said->text) == 0)
		return;
	*said = text;
	note(r, text.text);
}

void tenure_note_overtaken(struct recorder *r, const char *path)
{
	char text[DIAG_MAX];
	snprintf(text, sizeof(text),
		"the decisions file %.256s was written by somebody else while this program ran "
		"(another JVM that has the same, or a person): what they wrote is replaced",
		path);
	recorder_note(r, NOTE_WARNING, text);
}

static void note_unloaded(struct recorder *r, const struct jumps_some *s, bool unborn)
{
	char text[DIAG_MAX];
	snprintf(text, sizeof(text),
		"%zu of the places in the decisions file did nothing: %s not "
		"loaded%s (%.380s)",
		s->count, s->count == 1 ? "its class was" : "their classes were",
		unborn ? ", or nothing was made there" : "", s->named.text);
	note(r, text);
}

static void note_silence(struct recorder *r, const struct jumps_some *s, const char *why)
{
	char text[DIAG_MAX];
	snprintf(text, sizeof(text), "%zu of the places in the decisions file %s (%.380s)",
		s->count, why, s->named.text);
	note(r, text);
}

/* Unloaded: they are of another version of the program, or of another part of it. */
void tenure_note_silent(struct recorder *r, const struct jumps_some of[JUMPS_SILENTS], bool unborn)
{
	static const char *const why[JUMPS_SILENTS] = {
		[JUMPS_UNLINKED] =
			"were put in, and the VM did not show their methods up to the end: "
			"their classes were not linked, or are gone",
		[JUMPS_UNDONE] = "came to nothing: the recording ended first",
		[JUMPS_UNKNOWN] = "were being put in when the program ended: whether their objects "
				  "jumped is not known"};
	if (of[JUMPS_UNLOADED].count)
		note_unloaded(r, &of[JUMPS_UNLOADED], unborn);
	for (int i = 0; i < JUMPS_SILENTS; i++)
		if (of[i].count && why[i])
			note_silence(r, &of[i], why[i]);
}

void tenure_note_left(struct recorder *r, size_t count)
{
	char text[DIAG_MAX];
	if (!count)
		return;
	snprintf(text, sizeof(text),
		"%zu of the rewritten classes could not be turned back: a method of theirs is "
		"running, and would go on in the interpreter; what was put in does nothing any "
		"more",
		count);
	note(r, text);
}

void tenure_note_constructed(struct recorder *r, struct jumps_constructed c)
{
	char text[DIAG_MAX];
	if (!c.all)
		return;
	snprintf(text, sizeof(text),
		"at %zu of %zu places with a constructor an age is a plain store: the constructor "
		"shows the object to nobody",
		c.plain, c.all);
	note(r, text);
}

void tenure_note_unknown(struct recorder *r, const struct decisions *d)
{
	char text[DIAG_MAX];
	if (!d->unknown)
		return;
	snprintf(text, sizeof(text),
		"keys in the decisions file that are not known, and are passed over: %u (the "
		"first: %.256s)",
		d->unknown, d->first_unknown.text);
	note(r, text);
}

static bool differs(const char *said, const char *is)
{
	return said && strcmp(said, is) != 0;
}

/* What becomes of decisions that another VM has learnt. */
static const char *fate_of(const struct decisions *d, bool acts)
{
	if (!decisions_do(d))
		return "there is nothing in it to be done";
	return acts ? "its decisions are tried, and looked at again after 4 rounds"
		    : "its decisions are not tried, for nothing is changed in this run";
}

void tenure_note_learnt(
	struct recorder *r, const struct decisions *d, const char *jdk, const char *gc, bool acts)
{
	char text[DIAG_MAX];
	if (!differs(d->jdk, jdk) && !differs(d->gc, gc))
		return;
	snprintf(text, sizeof(text),
		"the decisions file was learnt with %s%.60s%s%.60s, and this is %.60s with %.60s: "
		"%s",
		d->jdk ? "JDK " : "another VM", d->jdk ? d->jdk : "", d->gc ? " and " : "",
		d->gc ? d->gc : "", jdk, gc, fate_of(d, acts));
	note(r, text);
}

void tenure_note_unsaved(struct recorder *r)
{
	note(r, "nothing was learnt in so few collections: the decisions file is left as it was");
}

void tenure_note_twice(struct recorder *r, const struct jumps_some *s)
{
	char text[DIAG_MAX];
	if (!s->count)
		return;
	snprintf(text, sizeof(text),
		"%zu of the decisions in the file are for places that stand there before, and are "
		"left out (%.350s)",
		s->count, s->named.text);
	note(r, text);
}

void tenure_note_unwritten(struct recorder *r, size_t count)
{
	char text[DIAG_MAX];
	if (!count)
		return;
	snprintf(text, sizeof(text),
		"%zu of the places are not saved in the decisions file, and have to be learnt "
		"anew: it holds %d, and no name of more than %d bytes or with half a character",
		count, DECISIONS_MOST, DECISION_TEXT - 1);
	note(r, text);
}
