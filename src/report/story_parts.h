/* The parts of the story on a screen, and what they share. */
#ifndef REPORT_STORY_PARTS_H
#define REPORT_STORY_PARTS_H

#include "report/story_view.h"

/* Whether anything differs from what the VM does by itself. */
static inline bool story_in_force(const struct story *s)
{
	return s->jumps || s->threshold < TENURE_UNBOUND;
}

/* Whether there is an after, and rounds without to hold it against. */
static inline bool story_compared(const struct story *s)
{
	return story_without(s)->rounds && s->after.rounds;
}

/* Whether what it is held against is of the same time, and not of the begin. */
static inline bool story_rested(const struct story *s)
{
	return story_without(s) == &s->rest;
}

/* And whether that is of looks, and not of rounds before the last change in which nothing was in
 * force. */
static inline bool story_looked(const struct story *s)
{
	return story_rested(s) && !s->idle_to;
}

/* And whether that is of a part of a round. */
static inline bool story_rested_briefly(const struct story *s)
{
	return story_rested(s) && s->brief;
}

/* Appends what an option of the VM alone does as well or better, as a sentence; nothing where none
 * does. */
void story_put_advice(struct buf *out, const struct story *s);

/* Appends "−62 %" or "×3.1": after over before; nothing where it is no number. */
void story_put_change(struct buf *out, const struct look *look, double ratio);

/* The table of before and after, and what is in it. 0 or ERR_NOMEM. */
int story_put_figures(struct buf *out, const struct story_view *v);
/* What was foretold, beside what came. */
void story_put_outcomes(struct buf *out, const struct story_view *v);

/* What is in force, and what was taken back: places, and moves of the threshold and of the young
 * generation. 0 or ERR_NOMEM. */
int story_put_decisions(struct buf *out, const struct story_view *v);

#endif
