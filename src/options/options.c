#include "options/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"

enum type {
	TYPE_text,
	TYPE_list,
	TYPE_size,
	TYPE_time,
	TYPE_count,
	TYPE_flag,
	TYPE_engine,
	TYPE_exact,
	TYPE_tenure,
	TYPE_stretch
};

struct row {
	struct option_row shown;
	enum type type;
	uint64_t min, max;
	size_t offset;
};

static const struct row rows[] = {
#define OPTION(name, field, type, min, max, preset, argument, help)                                \
	{{(name), (preset), (argument), (help)}, TYPE_##type, (uint64_t)(min), (uint64_t)(max),    \
		offsetof(struct options, field)},
#include "options/options.def"
#undef OPTION
};

size_t options_count(void)
{
	return ARRAY_SIZE(rows);
}

const struct option_row *options_row(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i].shown : NULL;
}

/* Each setter gets the place of the field, the row and the value, and returns 0 or an error. */
static int set_text(void *at, const struct row *r, const char *value)
{
	size_t len = strlen(value);
	if (len >= r->max)
		return ERR_LIMIT;
	memcpy(at, value, len + 1);
	return ERR_NONE;
}

static int set_list(void *at, const struct row *r, const char *value)
{
	char *list = at;
	size_t have = strlen(list), len = strlen(value), colon = have && len;
	if (have + colon + len + 1 > r->max)
		return ERR_LIMIT;
	if (colon)
		list[have++] = ':';
	memcpy(list + have, value, len + 1);
	return ERR_NONE;
}

static int set_number(void *at, const struct row *r, int parsed, uint64_t v)
{
	if (parsed)
		return parsed;
	if (v < r->min || v > r->max)
		return ERR_LIMIT;
	*(uint64_t *)at = v;
	return ERR_NONE;
}

static int set_size(void *at, const struct row *r, const char *value)
{
	uint64_t v = 0;
	int err = units_parse_bytes(value, &v);
	return set_number(at, r, err, v);
}

static int set_time(void *at, const struct row *r, const char *value)
{
	uint64_t v = 0;
	int err = units_parse_time(value, &v);
	return set_number(at, r, err, v);
}

static int set_count(void *at, const struct row *r, const char *value)
{
	uint64_t v = 0;
	int err = units_parse_count(value, UINT64_MAX, &v);
	return set_number(at, r, err, v);
}

static int set_flag(void *at, const struct row *r, const char *value)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
	(void)r;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(value, words[i]) == 0) {
			*(bool *)at = i & 1;
			return ERR_NONE;
		}
	}
	return ERR_FORMAT;
}

static int set_engine(void *at, const struct row *r, const char *value)
{
	static const char *const names[] = {[ENGINE_SAMPLED] = "sampled", [ENGINE_NOP] = "nop"};
	(void)r;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			*(enum engine *)at = (enum engine)i;
			return ERR_NONE;
		}
	}
	return ERR_FORMAT;
}

struct word {
	const char *name;
	int value;
};

/* As a flag, which is 0 or 1, or one of the words. */
static int set_wish(int *at, const struct row *r, const char *value, const struct word *words)
{
	bool yes = false;
	for (; words->name; words++)
		if (strcmp(value, words->name) == 0)
			return *at = words->value, ERR_NONE;
	int err = set_flag(&yes, r, value);
	*at = err ? *at : yes;
	return err;
}

static int set_exact(void *at, const struct row *r, const char *value)
{
	static const struct word words[] = {{"require", EXACT_REQUIRE}, {"trace", EXACT_TRACE},
		{"survivors", EXACT_SURVIVORS}, {NULL, 0}};
	enum exact_wish *field = at;
	int wish = (int)*field, err = set_wish(&wish, r, value, words);
	*field = (enum exact_wish)wish;
	return err;
}

static int set_tenure(void *at, const struct row *r, const char *value)
{
	static const struct word words[] = {{"learn", TENURE_LEARN}, {"apply", TENURE_APPLY},
		{"dry-run", TENURE_DRY_RUN}, {NULL, 0}};
	enum tenure_wish *field = at;
	int wish = (int)*field, err = set_wish(&wish, r, value, words);
	*field = (enum tenure_wish)wish;
	return err;
}

/* A time where it reads as one: "5m" are minutes. A bare number could be either. */
static int set_stretch(void *at, const struct row *r, const char *value)
{
	struct option_stretch s = {0};
	(void)r;
	if (strcasecmp(value, "no") == 0)
		return *(struct option_stretch *)at = s, ERR_NONE;
	if (strlen(value) >= sizeof(s.text))
		return ERR_FORMAT;
	memcpy(s.text, value, strlen(value) + 1);
	if (strspn(value, "0123456789.") == strlen(value))
		return ERR_FORMAT;
	bool time = units_parse_time(value, &s.ns) == ERR_NONE;
	int err = time ? ERR_NONE : units_parse_bytes(value, &s.bytes);
	if (err)
		return err;
	if (time ? s.ns < OPTION_STRETCH_NS || s.ns > INT64_MAX : s.bytes < OPTION_STRETCH_BYTES)
		return ERR_LIMIT;
	*(struct option_stretch *)at = s;
	return ERR_NONE;
}

static const struct {
	int (*set)(void *at, const struct row *r, const char *value);
	const char *takes; /* for the sentence */
} types[] = {
	[TYPE_text] = {set_text, "a shorter text"},
	[TYPE_list] = {set_list, "fewer globs"},
	[TYPE_size] = {set_size, "a size such as 512k or 1m"},
	[TYPE_time] = {set_time, "a time such as 30s or 5m"},
	[TYPE_count] = {set_count, "a whole number"},
	[TYPE_flag] = {set_flag, "yes or no"},
	[TYPE_engine] = {set_engine, "sampled or nop"},
	[TYPE_exact] = {set_exact, "yes, no, require, survivors or trace"},
	[TYPE_tenure] = {set_tenure, "yes, no, learn, apply or dry-run"},
	[TYPE_stretch] = {set_stretch,
		"a time from 1s on (5m: five minutes) or a size from 1mb on (500mb, 2g)"},
};

void options_init(struct options *o)
{
	memset(o, 0, sizeof(*o));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		types[rows[i].type].set((char *)o + rows[i].offset, &rows[i], rows[i].shown.preset);
	/* 0 = "by the JDK", and "none", which the rows' ranges do not allow anyone to ask for. */
	o->max_live = 0;
	o->every = 0;
}

static const struct row *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].shown.name, name) == 0)
			return &rows[i];
	return NULL;
}

static_assert(ARRAY_SIZE(rows) <= 64, "a bit for each row");
static uint64_t bit(const struct row *r)
{
	return 1ull << (r - rows);
}

static int unknown(const char *name, struct diag *d)
{
	const char *names[ARRAY_SIZE(rows)];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		names[i] = rows[i].shown.name;
	const char *best = nearest_find(name, names, ARRAY_SIZE(rows));
	if (best)
		return diag_set(
			d, ERR_NOT_FOUND, "unknown option '%.60s'; did you mean '%s'?", name, best);
	return diag_set(d, ERR_NOT_FOUND, "unknown option '%.60s'", name);
}

static int bad_value(const struct row *r, const char *value, int err, struct diag *d)
{
	char range[96] = "";
	if (err == ERR_LIMIT && (r->type == TYPE_size || r->type == TYPE_count))
		snprintf(range, sizeof(range), " from %llu to %llu", (unsigned long long)r->min,
			(unsigned long long)r->max);
	return diag_set(d, err, "%s=%.80s: %s takes %s%s", r->shown.name, value, r->shown.name,
		types[r->type].takes, range);
}

int options_set(struct options *o, const char *name, const char *value, struct diag *d)
{
	const struct row *r = find(name);
	if (!r)
		return unknown(name, d);
	int err = types[r->type].set((char *)o + r->offset, r, value);
	if (err)
		return bad_value(r, value, err, d);
	o->given |= bit(r);
	return ERR_NONE;
}

bool options_given(const struct options *o, const char *name)
{
	const struct row *r = find(name);
	return r && (o->given & bit(r));
}

void options_count_births(struct options *o)
{
	if (!options_given(o, "interval") && o->tenure == TENURE_NO)
		o->spread = OPTION_COUNTED_SPREAD;
	if (!options_given(o, "memory"))
		o->memory = OPTION_COUNTED_MEMORY;
}

/* Copies one "name=value" with its escapes undone; returns where the next begins. */
static const char *next_pair(const char *text, char *pair)
{
	while (*text && *text != ',') {
		if (*text == '\\' && text[1])
			text++;
		*pair++ = *text++;
	}
	*pair = '\0';
	return *text ? text + 1 : text;
}

int options_parse(struct options *o, const char *text, struct diag *d)
{
	char pair[OPTION_STRING_MAX + 1];
	if (!text)
		return ERR_NONE;
	if (strlen(text) > OPTION_STRING_MAX)
		return diag_set(d, ERR_LIMIT, "the option string is longer than %d bytes",
			OPTION_STRING_MAX);
	while (*text) {
		text = next_pair(text, pair);
		if (!*pair)
			continue;
		char *value = strchr(pair, '=');
		if (value)
			*value++ = '\0';
		const struct row *r = find(pair);
		if (r && r->shown.argument && *r->shown.argument != '[' && !value)
			return diag_set(d, ERR_FORMAT, "%s needs a value: %s=%s", pair, pair,
				r->shown.argument);
		int err = options_set(o, pair, value ? value : "yes", d);
		if (err)
			return err;
	}
	return ERR_NONE;
}

int options_append(char *text, size_t room, const char *name, const char *value)
{
	size_t at = strlen(text);
	if (at + strlen(name) + 2 * strlen(value) + 3 > room)
		return ERR_LIMIT;
	if (at)
		text[at++] = ',';
	at += (size_t)snprintf(text + at, room - at, "%s=", name);
	for (; *value; value++) {
		if (*value == ',' || *value == '\\')
			text[at++] = '\\';
		text[at++] = *value;
	}
	text[at] = '\0';
	return ERR_NONE;
}

/* What a letter after % stands for, or NULL. */
static const char *expansion(char letter, long pid, int64_t unix_time, char *room, size_t size)
{
	struct tm tm;
	time_t t = (time_t)unix_time;
	switch (letter) {
	case '%':
		return "%";
	case 'p':
		snprintf(room, size, "%ld", pid);
		return room;
	case 't':
		localtime_r(&t, &tm);
		strftime(room, size, "%Y%m%d-%H%M%S", &tm);
		return room;
	default:
		return NULL;
	}
}

int options_expand_file(
	const char *pattern, long pid, int64_t unix_time, char *out, size_t room, struct diag *d)
{
	size_t len = 0;
	for (const char *p = pattern; *p; p++) {
		char small[32] = {*p, '\0'};
		const char *piece = small;
		if (*p == '%')
			piece = expansion(*++p, pid, unix_time, small, sizeof(small));
		if (!piece)
			return diag_set(d, ERR_FORMAT,
				"%s: only %%p, %%t and %%%% can stand in a file name", pattern);
		size_t n = strlen(piece);
		if (len + n + 1 > room)
			return diag_set(d, ERR_LIMIT, "the file name %.60s… is too long", pattern);
		memcpy(out + len, piece, n);
		len += n;
	}
	out[len] = '\0';
	return ERR_NONE;
}
