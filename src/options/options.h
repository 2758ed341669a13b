/*
 * What a recording was told. One table (options.def) serves the agent's option string, the
 * command line and the help texts.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define OPTION_STRETCH_BYTES (1ull << 20) /* the least that a stretch can be */
#define OPTION_STRETCH_NS    (1000000000ull)

enum {
	OPTION_PATH = 1024,
	OPTION_PATTERN = 256,
	OPTION_LIST = 1024,
	OPTION_SOCKET = 108,             /* sun_path's own room */
	OPTION_LIVE_MAX = (1 << 24) - 1, /* a tag has 24 bits for the object's place */
	OPTION_STRING_MAX = 8192,
	OPTION_COUNTED_SPREAD = 1, /* 512k begins as 1m where all births are counted */
	OPTION_COUNTED_MEMORY = 64 << 20,
};

enum engine { ENGINE_SAMPLED, ENGINE_NOP };
/* TRACE: of every single object; SURVIVORS: of every one that outlives a collection. */
enum exact_wish { EXACT_NO, EXACT_YES, EXACT_REQUIRE, EXACT_TRACE, EXACT_SURVIVORS };
/* LEARN: decide, and act on nothing; APPLY: only what was decided before; DRY_RUN: as LEARN, and
 * keep nothing. */
enum tenure_wish { TENURE_NO, TENURE_YES, TENURE_LEARN, TENURE_APPLY, TENURE_DRY_RUN };

/* The last stretch of a recording, by its time or its bytes: one of both, or none (both 0). */
struct option_stretch {
	uint64_t bytes, ns;
	char text[32]; /* as it was given */
};

#define OPTION_FIELD_stretch(field, max) struct option_stretch field
#define OPTION_FIELD_text(field, max)    char field[max]
#define OPTION_FIELD_list(field, max)    char field[max] /* globs, separated by ':' */
#define OPTION_FIELD_size(field, max)    uint64_t field
#define OPTION_FIELD_time(field, max)    uint64_t field
#define OPTION_FIELD_count(field, max)   uint64_t field
#define OPTION_FIELD_flag(field, max)    bool field
#define OPTION_FIELD_engine(field, max)  enum engine field
#define OPTION_FIELD_exact(field, max)   enum exact_wish field
#define OPTION_FIELD_tenure(field, max)  enum tenure_wish field

struct options {
	uint64_t given; /* a bit for each row that was set since options_init, in their order */
	uint8_t spread; /* so often the interval is doubled at first, as all births are counted */
#define OPTION(name, field, type, min, max, preset, argument, help) OPTION_FIELD_##type(field, max);
#include "options/options.def"
#undef OPTION
};

/* A row of the table, for help texts and command lines. */
struct option_row {
	const char *name, *preset, *argument,
		*help; /* argument NULL: a flag; "[…": may be left out */
};
size_t options_count(void);
const struct option_row *options_row(size_t i);

/* Sets every option to its default. */
void options_init(struct options *o);

/*
 * Sets one option by name. ERR_NOT_FOUND (no such option; the sentence offers the nearest),
 * ERR_FORMAT or ERR_LIMIT (bad value), each with one sentence.
 */
int options_set(struct options *o, const char *name, const char *value, struct diag *d);

/* Whether single objects of the exact engine's are asked for. */
static inline bool options_trace(const struct options *o)
{
	return o->exact == EXACT_TRACE || o->exact == EXACT_SURVIVORS;
}

/* Whether an option was set since options_init, be it to its default. */
bool options_given(const struct options *o, const char *name);

/*
 * For a recording that counts all births: samples only tell who called, and the later lives of a
 * few, so fewer do (spread), unless their interval was given or something learns from them. Every
 * site has a name then, not those alone that were sampled: they may take more memory.
 */
void options_count_births(struct options *o);

/*
 * Reads "name=value,name=value,flag" on top of what is set. A backslash takes the next
 * character as it is, so that values may hold commas. NULL and "" are fine. Errors as options_set,
 * ERR_LIMIT over OPTION_STRING_MAX bytes.
 */
int options_parse(struct options *o, const char *text, struct diag *d);

/* Appends ",name=value" escaped for options_parse; 0 or ERR_LIMIT where it does not fit in room. */
int options_append(char *text, size_t room, const char *name, const char *value);

/*
 * The trace's path: %p becomes the process id, %t the time as YYYYMMDD-HHMMSS, %% a percent
 * sign. 0; ERR_FORMAT for another letter, ERR_LIMIT where it does not fit.
 */
int options_expand_file(
	const char *pattern, long pid, int64_t unix_time, char *out, size_t room, struct diag *d);

#endif
