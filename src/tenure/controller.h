/*
 * Decides, round by round, which levers are moved, watches what comes of it, and takes them back:
 * learn, act, settle, hold, probe, wait (doc/tenure.md, "The controller"). It does nothing itself:
 * the caller carries the actions out, and writes them as records (doc/trace-format.md, 9). The
 * caller locks.
 */
#ifndef TENURE_CONTROLLER_H
#define TENURE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"
#include "tenure/choose.h"
#include "tenure/cost.h"
#include "tenure/forecast.h"
#include "tenure/gauge.h"
#include "tenure/round.h"
#include "tenure/snapshot.h"
#include "tenure/young_size.h"

/* As in the trace. */
enum lever { LEVER_JUMP, LEVER_THRESHOLD, LEVER_YOUNG, LEVER_SAMPLING, LEVERS };
enum action_kind {
	ACTION_TAKE,
	ACTION_KEEP,
	ACTION_TAKE_BACK,
	ACTION_REST,   /* for a round of probing: the lever is to be without effect, not undone */
	ACTION_RESUME, /* it is over */
	ACTION_ADVISE, /* nothing is done: a flag that would do as well or better */
	ACTION_KINDS
};

struct action {
	enum lever lever;
	enum action_kind kind;
	struct place_context at; /* LEVER_JUMP */
	/* LEVER_JUMP: callers that count. LEVER_THRESHOLD: the bound; THRESHOLD_MOST: the VM's own.
	 * LEVER_YOUNG: percent of now. LEVER_SAMPLING: 1: little, 0: in full. */
	uint64_t value;
	double gain;        /* predicted: bytes a second that are not copied any more */
	double harm;        /* predicted: bytes a second that die early in the old generation */
	const char *reason; /* whoever made the action owns it */
};

struct outcome {
	bool told;
	enum lever lever;
	double predicted, observed; /* bytes copied a second */
	double margin; /* two standard errors of predicted, by its samples; 0: not known */
};

struct controller_rule {
	bool can_jump, can_set_threshold; /* at run time, in this VM */
	bool can_rest;   /* jumps can be switched off for a round without undoing them */
	bool rewrites;   /* classes, for jumps: code that was compiled goes */
	bool learn_only; /* nothing is moved: what would be is told as if it were, once each */
	bool apply_only; /* only what controller_load gave is moved, and judged */
	uint32_t learn_rounds;  /* before the first decision: 2 */
	uint32_t threshold_now; /* the VM's bound of the threshold */
	double least_gain;      /* of the cost of copying: 0.1 */
	double least_share;     /* of CPU that GC takes, for it to matter: 0.005 */
	double least_pause;     /* or pauses, ns: 10 ms */
	double least_jump;      /* of what a threshold alone saves, that jumps must save beside it:
				   0.1; until 64 collections are over three times as much, or
				   they wait */
	double flag_near;       /* a plain flag is preferred within: 0.05 */
	double worse;           /* measured, that is noticed: 0.05 */
	double changed;         /* measured, that is a new phase: 0.1 */
	uint32_t probe_after;   /* rounds of holding, doubled each time nothing new is found: 16 */
	uint32_t calm_after; /* rounds of holding or of finding nothing to do, after which sampling
				goes down: 8 */
	struct cost cost;
	struct choose_rule choose;
};
/* All numbers as above; can_… false. */
struct controller_rule controller_rule_default(void);

enum controller_state {
	CONTROLLER_LEARN,
	CONTROLLER_SETTLE, /* levers were moved: what was young then still climbs */
	CONTROLLER_HOLD,
	CONTROLLER_PROBE,
	CONTROLLER_WAIT, /* something was taken back */
	CONTROLLER_STATES
};

struct controller;

/* 0 or ERR_NOMEM. */
int controller_init(struct controller **out, const struct controller_rule *rule);
void controller_free(struct controller *c);
/*
 * A decision of an earlier run: in force from the first round on, judged as if taken then. Before
 * the first round. 0, ERR_NOMEM or ERR_LIMIT (more than a
 * file may say, DECISIONS_MOST).
 */
int controller_load_jump(struct controller *c, const struct place_context *at);
/* That place is never chosen. 0 or ERR_NOMEM. */
int controller_keep_out(struct controller *c, const struct place_context *at);
void controller_load_threshold(struct controller *c, uint32_t most);
/*
 * What is loaded stood its test in an earlier run, which would have looked at it again after so
 * many rounds (controller_trusted): so it is here. 0: not known: after 4. Before what is loaded.
 */
void controller_trust(struct controller *c, uint32_t rounds);
/* What was loaded is another program's, as it turns out: it is looked at after 4 rounds at the
 * latest. */
void controller_doubt(struct controller *c);
/* Rounds after which what is in force is looked at again, for the next run; 0: it has not stood its
 * test. */
uint32_t controller_trusted(const struct controller *c);

/*
 * A round is over. s: the learner's snapshot, in which places that were refused are marked; edges
 * as in choose_places. What is to be done is in controller_actions until the next call, and so are
 * the reasons. 0 or ERR_NOMEM (then nothing is decided in this round).
 */
int controller_round(struct controller *c, const struct snapshot *s, const struct round *r,
	const struct choose_edge *edges, size_t edge_count);
const struct action *controller_actions(const struct controller *c, size_t *count);
/*
 * Whether it is worth looking before the round is over, after each of its collections: what it is
 * to tell may be clear sooner. s, r: of the round so far, which goes on. If it is clear the round
 * is to end there, and be given to controller_round.
 */
bool controller_looks(const struct controller *c);
bool controller_is_clear(struct controller *c, const struct snapshot *s, const struct round *r);
const struct outcome *controller_outcome(const struct controller *c);

/* What was decided in the last round is in force only now: classes were rewritten, and so many
 * collections of the round that goes on came meanwhile. */
void controller_acted(struct controller *c, uint32_t collections);
/* The caller could not carry out an action for good (a class that can't be retransformed, …): it is
 * as if it had been taken back, and that place is never chosen again. */
void controller_refused(struct controller *c, const struct action *a);
/* The jump has turned out to do nothing in this VM: all levers go back, as actions, and only the
 * threshold is moved from now on. */
void controller_lose_jumps(struct controller *c, const char *why);
/* All levers back as they were found, as actions: at detach, or on trouble. Nothing is decided any
 * more. */
void controller_stop(struct controller *c, const char *why);

/* What copying is taken to cost in the next decision: the rule's, or *measured (may be NULL). */
struct cost controller_cost(const struct controller *c, bool *measured);
/* Of the round that goes on. */
enum controller_state controller_state(const struct controller *c);
const char *controller_state_text(enum controller_state s);
/* In force now. */
uint32_t controller_threshold(const struct controller *c);
const struct place_context *controller_jumps(const struct controller *c, size_t *count);
/* A larger young generation that would pay, as far as was last seen; bytes 0: none. */
struct young_offer controller_young(const struct controller *c);
/* And what was advised of it, bytes; 0: nothing was. */
uint64_t controller_young_told(const struct controller *c);
bool controller_sampling_low(const struct controller *c);
/* Whether places may be chosen by what is seen in this round and the next. */
bool controller_chooses(const struct controller *c);
/*
 * The flag that would give as much as what is done, without mayfly: a sentence, empty where there
 * is none.
 */
const char *controller_flag(const struct controller *c);
/* Its bound of the threshold; THRESHOLD_MOST where there is none. */
uint32_t controller_flag_bound(const struct controller *c);

#endif
