/* What a trace says of itself: facts, notes, and the sampling in force at any time. */
#ifndef MODEL_FACTS_H
#define MODEL_FACTS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/odd.h"
#include "model/texts.h"
#include "trace/record.h"

enum { NOTES_MAX = 1000, FACTS_MAX = 1000 };

/* Which collections tell that an object is dead (the fact `deaths`). */
enum deaths {
	DEATHS_COLLECTION, /* each: also where the fact is missing */
	DEATHS_OLD,        /* only those that can find dead objects of the old generation */
	DEATHS_NONE,
};

struct note_def {
	uint64_t time; /* ns */
	uint32_t severity, text;
};

/* The sampling in force. Element 0, and what a trace got wrong, is not valid. */
struct config_def {
	uint64_t interval, capacity, time;
	double walk, track; /* inverse probabilities, at least 1 */
	uint64_t samples;   /* that named it so far */
	bool valid;
};

/* From then on it was in force. */
struct config_turn {
	uint64_t time;   /* ns */
	uint32_t config; /* index */
};

struct fact {
	uint32_t key, value; /* texts */
};

struct facts {
	VEC(struct fact) facts; /* in the order of their first coming */
	VEC(struct note_def) notes;
	VEC(struct config_def) configs;
	struct map config_ids;
	VEC(struct config_turn) turns; /* in the order of time */
	struct {
		uint64_t id;
		uint32_t index;
	} last_config;   /* that was asked for: samples in a row have the same */
	uint64_t unkept; /* notes and facts over the maxima */
	enum deaths deaths;
	uint32_t tenuring_max;     /* the fact tenuring.max; 15 where it is missing */
	bool chooses_first;        /* the fact gc is G1: of thresholds, as in struct gcs */
	uint64_t exact_from;       /* the fact exact.from: ns; 0 where it is missing */
	uint64_t exact_from_young; /* exact.from.young: the clock then; the same */
	uint64_t waited;           /* the fact waited: ns; 0 where it is missing */
	/* The fact follow.max: larger objects, in bytes, are not followed; UINT64_MAX where it is
	 * missing, or 0. */
	uint64_t follow_max;
};

/* 0 or ERR_NOMEM. */
int facts_init(struct facts *f);
void facts_release(struct facts *f);
/* Takes a fact, note or config. 1 taken, 0 none of these, or ERR_NOMEM. */
int facts_read(struct facts *f, struct texts *texts, const struct record *r, struct odds *odds);
/* The index of the configuration with this id in the file; 0 where there is none. */
uint32_t facts_config(struct facts *f, uint64_t id);
/* The configuration that was in force last; element 0, where there was none. */
const struct config_def *facts_in_force(const struct facts *f);
/* The fact's value; empty where it was not given. */
struct slice facts_get(const struct facts *f, const struct texts *texts, const char *key);

#endif
