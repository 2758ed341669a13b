/* What tenure has to say of itself beside its decisions (tenure_records.h), as notes of the trace.
 */
#ifndef AGENT_TENURE_NOTES_H
#define AGENT_TENURE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/jumps.h"
#include "agent/recorder.h"
#include "base/diag.h"
#include "tenure/cost.h"
#include "tenure/decisions.h"

/* What its forecasts took copying to cost; said: what was said of it last, so that nothing is said
 * twice in a row. */
void tenure_note_cost(
	struct recorder *r, const struct cost *cost, bool measured, struct diag *said);
/* Places of the file that no decision tells of. unborn: they may be unloaded since nothing was made
 * there. */
void tenure_note_silent(struct recorder *r, const struct jumps_some of[JUMPS_SILENTS], bool unborn);
/* Keys of the file that are not known, if there are any. */
void tenure_note_unknown(struct recorder *r, const struct decisions *d);
/* The file was learnt with another VM or collector than this run has, as far as it says; and what
 * becomes of its decisions, where a run acts on them or does not. */
void tenure_note_learnt(
	struct recorder *r, const struct decisions *d, const char *jdk, const char *gc, bool acts);
/* So many rewritten classes could not be turned back. */
void tenure_note_left(struct recorder *r, size_t count);
/* What the jumps cost. */
void tenure_note_constructed(struct recorder *r, struct jumps_constructed c);

/* That places stand in the file more than once; nothing where none does. */
void tenure_note_twice(struct recorder *r, const struct jumps_some *s);
/* What somebody else has written meanwhile is gone. */
void tenure_note_overtaken(struct recorder *r, const char *path);
/* There were too few collections for that. */
void tenure_note_unsaved(struct recorder *r);
/* So many places that are done can't stand in the file; nothing of 0. */
void tenure_note_unwritten(struct recorder *r, size_t count);

#endif
