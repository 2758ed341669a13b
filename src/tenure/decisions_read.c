#include "tenure/decisions.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/mem.h"
#include "tenure/java_text.h"

enum { BCI_MOST = 65535, LINE_MOST = 1 << 24 };

struct reading {
	struct json_reader r;
	const char *name;
	struct decisions *all;
	struct diag *diag;
	bool versioned; /* it says that it is such a file */
	char text[DECISION_TEXT];
};

MF_PRINTF(4, 5)
static int refuse(struct reading *g, size_t at, int err, const char *format, ...)
{
	char what[256];
	uint32_t line, column;
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	json_reader_place(&g->r, at, &line, &column);
	return diag_set(g->diag, err, "%s, line %u: %s", g->name, line, what);
}

/* Earlier versions of mayfly wrote names as the VM has them, in modified UTF-8. */
static int not_json(struct reading *g)
{
	if (json_reader_is_foreign(&g->r))
		return refuse(g, g->r.at, ERR_FORMAT,
			"not UTF-8: save the file as UTF-8; where an earlier mayfly wrote this "
			"name, delete the decision, or the file to learn anew");
	return json_reader_say(&g->r, g->name, g->diag);
}

static enum json_token next(struct reading *g)
{
	return json_reader_next(&g->r);
}

/* A field of an object: what its value must be, and where it goes. */
struct field;
typedef int read_field(struct reading *g, const struct field *f, void *to);
struct field {
	const char *key;
	read_field *read;
	size_t offset;
	int64_t most; /* of a number */
};

static int expect(struct reading *g, const struct field *f, enum json_token want)
{
	enum json_token got = next(g);
	if (got == JSON_ERROR)
		return not_json(g);
	return got == want ? ERR_NONE
			   : refuse(g, g->r.start, ERR_FORMAT, "\"%s\" should be %s, not %s",
				     f->key, json_token_text(want), json_token_text(got));
}

static int take_text(struct reading *g, const struct field *f)
{
	int err = expect(g, f, JSON_STRING);
	if (err)
		return err;
	if (json_reader_text(&g->r, g->text, sizeof(g->text)) >= 0)
		return ERR_NONE;
	return refuse(g, g->r.start, ERR_LIMIT, "\"%s\" is longer than %d bytes, or holds a NUL",
		f->key, DECISION_TEXT - 1);
}

static int read_text(struct reading *g, const struct field *f, void *to)
{
	int err = take_text(g, f);
	char *text = err ? NULL : java_text_of(g->text);
	if (err || !text)
		return err ? err : ERR_NOMEM;
	mem_free(*(char **)to);
	*(char **)to = text;
	return ERR_NONE;
}

static int take_number(struct reading *g, const struct field *f, int64_t *value)
{
	int err = expect(g, f, JSON_NUMBER);
	if (err || json_reader_int(&g->r, 0, f->most, value))
		return err;
	return refuse(g, g->r.start, ERR_FORMAT,
		"\"%s\" should be a whole number from 0 to %" PRId64, f->key, f->most);
}

static int read_int(struct reading *g, const struct field *f, void *to)
{
	int64_t value = 0;
	int err = take_number(g, f, &value);
	if (!err)
		*(int32_t *)to = (int32_t)value;
	return err;
}

static int read_hash(struct reading *g, const struct field *f, void *to)
{
	struct decision *d = to;
	int err = take_text(g, f);
	if (err)
		return err;
	if (strlen(g->text) != 16 || strspn(g->text, "0123456789abcdefABCDEF") != 16)
		return refuse(g, g->r.start, ERR_FORMAT,
			"\"%s\" should be 16 hexadecimal digits; leave it out if the class file is "
			"not known",
			f->key);
	d->hash = strtoull(g->text, NULL, 16);
	d->has_hash = true;
	return ERR_NONE;
}

static int read_action(struct reading *g, const struct field *f, void *to)
{
	int err = take_text(g, f);
	for (int i = 0; i < DECISION_ACTIONS && !err; i++) {
		if (strcmp(g->text, decision_action_texts[i]) != 0)
			continue;
		((struct decision *)to)->action = (enum decision_action)i;
		return ERR_NONE;
	}
	return err ? err
		   : refuse(g, g->r.start, ERR_FORMAT, "\"%s\" should be \"jump\" or \"keep out\"",
			     f->key);
}

static const struct field *field_of(const struct reading *g, const struct field *fields)
{
	for (; fields->key; fields++)
		if (json_reader_is(&g->r, fields->key))
			return fields;
	return NULL;
}

/* Passed over, with all that it holds: a later version's, or a slip of the pen. */
static bool pass_unknown(struct reading *g)
{
	uint32_t line, column;
	json_reader_place(&g->r, g->r.start, &line, &column);
	if (json_reader_text(&g->r, g->text, sizeof(g->text)) < 0)
		g->text[0] = 0;
	if (!g->all->unknown++)
		diag_set(&g->all->first_unknown, ERR_NONE, "line %u: \"%.64s\"", line, g->text);
	return json_reader_skip(&g->r);
}

/* What follows an opening brace, up to its end. */
static int read_fields(struct reading *g, const struct field *fields, void *to)
{
	enum json_token t;
	while ((t = next(g)) == JSON_KEY) {
		const struct field *f = field_of(g, fields);
		int err = ERR_NONE;
		if (f)
			err = f->read(g, f, (char *)to + f->offset);
		else if (!pass_unknown(g))
			err = not_json(g);
		if (err)
			return err;
	}
	return t == JSON_ERROR ? not_json(g) : ERR_NONE;
}

#define TEXT(struct_, member, key_)                                                                \
	{                                                                                          \
		key_, read_text, offsetof(struct struct_, member), 0                               \
	}
#define INT(struct_, member, key_, most_)                                                          \
	{                                                                                          \
		key_, read_int, offsetof(struct struct_, member), most_                            \
	}

static const struct field frame_fields[] = {
	TEXT(decision_frame, class_name, "class"),
	TEXT(decision_frame, method, "method"),
	TEXT(decision_frame, descriptor, "descriptor"),
	INT(decision_frame, bci, "bci", BCI_MOST),
	INT(decision_frame, line, "line", LINE_MOST),
	{NULL, NULL, 0, 0},
};

static int lacks(struct reading *g, size_t at, const char *what)
{
	return refuse(
		g, at, ERR_FORMAT, "%s is missing here: add it, or delete the decision", what);
}

static bool lacks_text(const char *text)
{
	return !text || !*text;
}

/* A frame without a bci has -1. */
static int check_frame(struct reading *g, size_t at, const struct decision_frame *f)
{
	const char *missing = lacks_text(f->class_name)   ? "\"class\""
			      : lacks_text(f->method)     ? "\"method\""
			      : lacks_text(f->descriptor) ? "\"descriptor\""
			      : f->bci < 0                ? "\"bci\""
							  : NULL;
	return missing ? lacks(g, at, missing) : ERR_NONE;
}

static int read_caller(struct reading *g, struct decision *d)
{
	size_t at = g->r.start;
	struct decision_frame *f = &d->caller[d->callers];
	if (d->callers == PLACE_CALLERS)
		return refuse(g, at, ERR_LIMIT, "more than %d callers", PLACE_CALLERS);
	*f = (struct decision_frame){.bci = -1};
	d->callers++;
	int err = read_fields(g, frame_fields, f);
	return err ? err : check_frame(g, at, f);
}

/* The elements of an array of objects, each by `one`. */
typedef int read_one(struct reading *g, void *to);
static int read_objects(struct reading *g, const struct field *f, read_one *one, void *to)
{
	enum json_token t;
	int err = expect(g, f, JSON_ARRAY);
	while (!err && (t = next(g)) != JSON_ARRAY_END) {
		if (t == JSON_ERROR)
			return not_json(g);
		if (t != JSON_OBJECT)
			return refuse(g, g->r.start, ERR_FORMAT,
				"\"%s\" should hold objects, not %s", f->key, json_token_text(t));
		err = one(g, to);
	}
	return err;
}

static int one_caller(struct reading *g, void *to)
{
	return read_caller(g, to);
}

static int read_callers(struct reading *g, const struct field *f, void *to)
{
	return read_objects(g, f, one_caller, to);
}

static const struct field decision_fields[] = {
	TEXT(decision, at.class_name, "class"),
	TEXT(decision, at.method, "method"),
	TEXT(decision, at.descriptor, "descriptor"),
	INT(decision, at.bci, "bci", BCI_MOST),
	INT(decision, at.line, "line", LINE_MOST),
	TEXT(decision, opcode, "opcode"),
	{"hash", read_hash, 0, 0},
	TEXT(decision, allocates, "allocates"),
	{"action", read_action, 0, 0},
	TEXT(decision, why, "why"),
	{"callers", read_callers, 0, 0},
	{NULL, NULL, 0, 0},
};

static int check_decision(struct reading *g, size_t at, const struct decision *d)
{
	int err = check_frame(g, at, &d->at);
	if (err)
		return err;
	const char *missing = lacks_text(d->allocates)        ? "\"allocates\""
			      : d->action == DECISION_ACTIONS ? "\"action\""
							      : NULL;
	return missing ? lacks(g, at, missing) : ERR_NONE;
}

static int one_decision(struct reading *g, void *to)
{
	size_t at = g->r.start;
	struct decisions *all = to;
	if (all->list.count >= DECISIONS_MOST)
		return refuse(g, at, ERR_LIMIT, "more than %d decisions", DECISIONS_MOST);
	struct decision *d = decisions_add(all);
	if (!d)
		return ERR_NOMEM;
	d->at.bci = -1;
	d->action = DECISION_ACTIONS;
	int err = read_fields(g, decision_fields, d);
	return err ? err : check_decision(g, at, d);
}

static int read_list(struct reading *g, const struct field *f, void *to)
{
	return read_objects(g, f, one_decision, to);
}

static int read_threshold(struct reading *g, const struct field *f, void *to)
{
	struct decisions *d = to;
	int32_t threshold = 0;
	int err = read_int(g, f, &threshold);
	if (err)
		return err;
	d->threshold = (uint32_t)threshold;
	d->has_threshold = true;
	return ERR_NONE;
}

static int read_version(struct reading *g, const struct field *f, void *to)
{
	int32_t version = 0;
	(void)to;
	int err = read_int(g, f, &version);
	g->versioned = true;
	if (!err && version != DECISIONS_VERSION)
		return refuse(g, g->r.start, ERR_VERSION,
			"made by another version of mayfly (%d, not %d): delete the file to learn "
			"anew",
			version, DECISIONS_VERSION);
	return err;
}

static int read_figure(struct reading *g, const struct field *f, void *to)
{
	int64_t value = 0;
	int err = take_number(g, f, &value);
	if (!err)
		*(uint64_t *)to = (uint64_t)value;
	return err;
}

static int read_young_action(struct reading *g, const struct field *f, void *to)
{
	struct decision_young *y = to;
	int err = take_text(g, f);
	if (err)
		return err;
	y->set = strcmp(g->text, decision_young_texts[true]) == 0;
	y->there = y->set || strcmp(g->text, decision_young_texts[false]) == 0;
	return y->there ? ERR_NONE
			: refuse(g, g->r.start, ERR_FORMAT,
				  "\"%s\" should be \"set\" or \"keep out\"", f->key);
}

/* None of 0: that is told from one that is missing. */
static int read_young_size(struct reading *g, const struct field *f, void *to)
{
	int err = read_int(g, f, to);
	if (err || *(int32_t *)to)
		return err;
	return refuse(g, g->r.start, ERR_FORMAT, "\"%s\" should be 1 at least", f->key);
}

#define FIGURE(member, key_)                                                                       \
	{                                                                                          \
		key_, read_figure, offsetof(struct decision_young, member), DECISIONS_FIGURE       \
	}
static const struct field young_fields[] = {
	{"action", read_young_action, 0, 0},
	{"mb", read_young_size, offsetof(struct decision_young, mb), DECISIONS_YOUNG},
	INT(decision_young, heap_mb, "heap_mb", DECISIONS_YOUNG),
	INT(decision_young, before_mb, "before_mb", DECISIONS_YOUNG),
	FIGURE(before.copied, "copied_before"),
	FIGURE(expected, "copied_expected"),
	FIGURE(before.cpu, "cpu_before"),
	FIGURE(before.cpu_calm, "cpu_calm_before"),
	FIGURE(before.full, "full_before"),
	INT(decision_young, runs, "runs", DECISIONS_TRUST),
	{NULL, NULL, 0, 0},
};

static int read_young(struct reading *g, const struct field *f, void *to)
{
	struct decision_young *y = to;
	int err = expect(g, f, JSON_OBJECT);
	if (err)
		return err;
	size_t at = g->r.start;
	*y = (struct decision_young){.before.full = YOUNG_FULL_UNKNOWN};
	err = read_fields(g, young_fields, y);
	if (!err && (!y->there || !y->mb))
		return refuse(g, at, ERR_FORMAT, "%s is missing here: add it, or delete \"young\"",
			y->there ? "\"mb\"" : "\"action\"");
	return err;
}

static const struct field file_fields[] = {
	{"mayfly", read_version, 0, INT32_MAX},
	TEXT(decisions, jdk, "jdk"),
	TEXT(decisions, gc, "gc"),
	{"threshold", read_threshold, 0, 15},
	INT(decisions, trusted, "trusted", DECISIONS_TRUST),
	{"young", read_young, offsetof(struct decisions, young), 0},
	{"decisions", read_list, 0, 0},
	{NULL, NULL, 0, 0},
};

static int read_file(struct reading *g, struct decisions *d)
{
	enum json_token t = next(g);
	if (t == JSON_ERROR)
		return not_json(g);
	if (t != JSON_OBJECT)
		return refuse(g, g->r.start, ERR_FORMAT, "an object should be here, not %s",
			json_token_text(t));
	size_t at = g->r.start;
	int err = read_fields(g, file_fields, d);
	if (!err && next(g) != JSON_END)
		err = not_json(g);
	/* It would be written over. */
	if (!err && !g->versioned)
		err = refuse(g, at, ERR_FORMAT,
			"no file of decisions: those have \"mayfly\": %d first", DECISIONS_VERSION);
	return err;
}

/* Editors on Windows put a mark of their own first, which a person does not see. */
static struct slice without_mark(struct slice bytes)
{
	static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
	bool has = bytes.len >= sizeof(mark) && memcmp(bytes.at, mark, sizeof(mark)) == 0;
	return has ? slice(bytes.at + sizeof(mark), bytes.len - sizeof(mark)) : bytes;
}

int decisions_read(struct decisions *d, struct slice bytes, const char *name, struct diag *diag)
{
	*d = (struct decisions){0};
	if (bytes.len > DECISIONS_BYTES)
		return diag_set(diag, ERR_LIMIT, "%s: larger than %d MB: not a file of decisions",
			name, DECISIONS_BYTES >> 20);
	struct reading *g = mem_zalloc(1, sizeof(*g));
	if (!g)
		return ERR_NOMEM;
	g->r = json_reader_init(without_mark(bytes));
	g->name = name;
	g->all = d;
	g->diag = diag;
	int err = read_file(g, d);
	mem_free(g);
	return err;
}
