/*
 * What is in force: the places that jump and the threshold's bound; what can't be moved for good;
 * and the actions of a round, which bring about what is to be in force after it. Nothing that takes
 * back ever fails: room for that is made when something is taken.
 */
#ifndef TENURE_LEVERS_H
#define TENURE_LEVERS_H

#include "tenure/actions.h"
#include "tenure/decisions.h"
#include "tenure/forecast.h"
#include "tenure/place_set.h"
#include "tenure/snapshot.h"

enum { LEVERS_JUMPS_MOST = DECISIONS_MOST /* what a file may say */ };

struct levers {
	uint32_t most;            /* THRESHOLD_MOST: as the VM has it */
	struct place_set jump;    /* owned, as are these two */
	struct place_set refused; /* never chosen again */
	struct actions actions;
};

/* Nothing is moved. 0 or ERR_NOMEM. */
int levers_init(struct levers *l);
void levers_release(struct levers *l);
bool levers_moved(const struct levers *l);
/* The actions of the next round: none yet. */
void levers_begin_round(struct levers *l);

/* Whether there is room for one place more, and for its action; makes it. */
bool levers_have_room(struct levers *l);
/* That place jumps from now on. Its action, for the figures; NULL where there is no room. */
struct action *levers_jump(struct levers *l, const struct place_context *at);
/* The i-th of those that jump does not any more: the last one takes its place in the list. */
void levers_drop_jump(struct levers *l, size_t i, const char *why);
/* The bound from now on; its action. */
struct action *levers_set_threshold(struct levers *l, uint32_t most);
void levers_undo_threshold(struct levers *l, const char *why);
void levers_undo(struct levers *l, const char *why);

/* Of all that is in force, without changing it: keep, rest, resume. Jumps take part in a rest only
 * where they can be switched off. */
void levers_keep(struct levers *l, const char *why);
void levers_rest(struct levers *l, enum action_kind kind, bool jumps_can, const char *why);

/* In force without an action: an earlier run's. 0, ERR_NOMEM or ERR_LIMIT. */
int levers_load_jump(struct levers *l, const struct place_context *at);
/* 0 or ERR_NOMEM. */
int levers_keep_out(struct levers *l, const struct place_context *at);
/* That action could not be carried out: it is as if it had been taken back. */
void levers_refuse(struct levers *l, const struct action *a);

/* Marks the rows whose place is refused. */
void levers_mark_refused(const struct levers *l, const struct snapshot *s);
/* What is in force, as a choice: in `rows`, one for each of the snapshot. */
struct setting levers_setting(
	const struct levers *l, const struct snapshot *s, struct choose_row *rows);

#endif
