/*
 * The story of tenure in a trace: what was decided, and what the collector did before and after.
 * doc/metrics.md, "Tenure, before and after".
 */
#ifndef ANALYZE_STORY_H
#define ANALYZE_STORY_H

#include <stdbool.h>

#include "base/vec.h"
#include "model/model.h"

enum story_figure {
#define FIGURE(name, word, unit, what) STORY_##name,
#include "analyze/story_figure.def"
#undef FIGURE
	STORY_FIGURES
};
enum story_unit { STORY_IN_BYTES, STORY_IN_NS, STORY_IN_TIMES, STORY_IN_SHARES };

struct story_row {
	const char *word; /* of JSON */
	enum story_unit unit;
	const char *what;
};
const struct story_row *story_row(enum story_figure f);

/* Some rounds. */
struct story_side {
	size_t rounds;               /* that belong to it */
	double value[STORY_FIGURES]; /* NaN: not known */
	/* Rounds that it was found from; STORY_PAUSE, STORY_FULL: pauses. */
	size_t n[STORY_FIGURES];
};

/* A place whose objects were made to jump, as it stands at the end. */
struct story_place {
	uint32_t site, reason; /* index, text: of the last decision */
	uint64_t time, round;  /* of that */
	uint64_t gain, harm;   /* foretold when it was last taken: bytes copied a second */
	bool in_force;
};

/* What was asked for; of a trace that does not say, but has records of tenure: STORY_ASKED_YES. */
enum story_asked {
	STORY_ASKED_NO,
	STORY_ASKED_YES,
	STORY_ASKED_LEARN,
	STORY_ASKED_APPLY,
	STORY_ASKED_DRY_RUN
};

/* Why nothing was done. */
enum story_why {
	STORY_DONE,    /* something was */
	STORY_UNASKED, /* it was not recorded with tenure */
	STORY_OFF, /* it can't be done there: `off` has the sentence, where the agent told one */
	STORY_COLLECTOR, /* the collector has no ages */
	STORY_FEW,       /* too few rounds */
	STORY_ADVISED,   /* an option of the VM does it */
	STORY_NOTHING,   /* nothing to gain; of what a file says, where that alone was to be done,
			    nothing was */
};

enum { STORY_ROUNDS_LEAST = 2, STORY_ROUND_DEFAULT = 16 };
#define STORY_NEVER UINT64_MAX

struct story {
	const struct model *model; /* borrowed */
	enum story_asked asked;
	enum story_why why;
	bool acts; /* what was decided was done: not only learnt */
	struct slice off;
	/* Of the age jump: "passed", "failed", "open"; why not passed. Empty: none was told of. */
	struct slice test, test_why;
	uint64_t round_length; /* young collections of a round */
	/* Rounds after whose end a lever was moved for the first time (0: from the start on), and
	 * for the last time that a round followed. STORY_NEVER. */
	uint64_t first, last;
	bool unfollowed; /* and one was moved since then, after the last round: no side is of what
			    is in force at the end */
	uint64_t looked; /* round of that look before the last change; 0: none, or there is a later
			    one */
	/* The last rounds before the last change with nothing in force, after all was taken back
	 * and after any look; 0: none. */
	uint64_t idle_from, idle_to;
	/* `rest`: in which the levers were without effect for a look, since the last change, those
	 * that went on for a whole round, where one did; without such a look what is nearer
	 * before it: the last one, which may be what brought it about, or the last rounds in which
	 * nothing was in force. */
	struct story_side before, rest, after;
	bool brief; /* `rest` is of looks that were over sooner: more is copied without than in them
		     */
	VEC(struct story_place) places; /* in force first, most gain first */
	size_t in_force;                /* of them */
	VEC(uint32_t) moves;            /* decisions on the threshold */
	VEC(uint32_t) young;            /* on the young generation: what it began with, and will */
	size_t taken_back;              /* decisions that were, whatever the lever; and */
	size_t nowhere;                 /* of them a decisions file's that fit no place here */
	uint64_t jumps, threshold;      /* as it stands at the end; TENURE_UNBOUND: none */
	bool full_heap;                 /* what lives fills it: full collections found no room */
	/* The last that still holds: of a threshold, until another round moved a lever, and no
	 * other one than what stands where no object jumps. NULL: none. */
	const struct tenure_decision *advice, *young_advice;
};

/* *s is overwritten, to be given to story_release. The model stays where it is until then. 0 or
 * ERR_NOMEM. */
int story_find(struct story *s, const struct model *m);
void story_release(struct story *s);

/* Of what the collector copied in the round after which what is in force was taken, the share that
 * was foretold to be spared. NaN: nothing was, or that round is not told. */
double story_spared(const struct story *s);
/* What `after` is held against: `rest`, where there is one, for the program did the same then; else
 * `before`. Of no rounds: nothing. */
const struct story_side *story_without(const struct story *s);
/* Whether full collections took so much of the time in pauses, before or after, that the figures
 * are mostly theirs. */
bool story_is_of_full(const struct story *s);
/* Whether about as much was copied as was foretold, when what is in force was held to that last:
 * what fell beyond it did so for other reasons. */
bool story_came_true(const struct story *s);
/* observed over predicted, less 1; NaN where nothing was predicted. */
double story_error(const struct tenure_outcome *o);

#endif
