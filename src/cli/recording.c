#include "cli/recording.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/full_path.h"
#include "base/real_path.h"
#include "tenure/decisions.h"

void recording_init(struct recording *r)
{
	options_init(&r->options);
	r->text[0] = '\0';
}

/* The agent would find the same fault, but only in the running program. */
static int check_pattern(const char *pattern, struct diag *d)
{
	regex_t compiled;
	char why[128];
	int bad = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB);
	if (!bad) {
		regfree(&compiled);
		return ERR_NONE;
	}
	regerror(bad, &compiled, why, sizeof(why));
	return diag_set(d, ERR_FORMAT, "thread=%.80s: %s", pattern, why);
}

static int check_file(const char *pattern, struct diag *d)
{
	char path[2 * OPTION_PATH];
	if (!*pattern)
		return diag_set(d, ERR_FORMAT, "the file's name is empty");
	return options_expand_file(pattern, 1, 0, path, sizeof(path), d);
}

int recording_set(struct recording *r, const char *name, const char *value, struct diag *d)
{
	int err = options_set(&r->options, name, value, d);
	if (!err && strcmp(name, "thread") == 0)
		err = check_pattern(value, d);
	if (!err && strcmp(name, "file") == 0)
		err = check_file(value, d);
	if (err || strcmp(name, "file") == 0)
		return err;
	if (options_append(r->text, sizeof(r->text), name, value))
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	return ERR_NONE;
}

static bool counts(const struct options *o)
{
	return o->exact != EXACT_NO;
}

static bool has_tenure(const struct options *o)
{
	return o->tenure != TENURE_NO;
}

static const struct {
	const char *option;
	bool (*needs)(const struct options *o);
	const char *what; /* the option needed, and why */
} needs[] = {
	{"every", counts, "--exact: call paths are walked where allocations are counted"},
	{"audit", counts, "--exact: it holds counts against the heap"},
	{"decisions", has_tenure, "--tenure: nothing is learnt or done without"},
	{"tenure-round", has_tenure, "--tenure: nothing is decided without"},
};

static int check_needs(const struct options *o, struct diag *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (options_given(o, needs[i].option) && !needs[i].needs(o))
			return diag_set(
				d, ERR_USAGE, "--%s needs %s", needs[i].option, needs[i].what);
	return ERR_NONE;
}

static int check_filters(const struct options *o, struct diag *d)
{
	static const char *const filters[] = {"thread", "include", "exclude"};
	for (size_t i = 0; counts(o) && i < ARRAY_SIZE(filters); i++)
		if (options_given(o, filters[i]))
			return diag_set(d, ERR_USAGE,
				"--exact counts every allocation, whatever --%s says: leave one of "
				"them out",
				filters[i]);
	return ERR_NONE;
}

const char *recording_given(const struct recording *r, const char *but)
{
	const struct option_row *row;
	for (size_t i = 0; (row = options_row(i)); i++)
		if (strcmp(row->name, but) != 0 && options_given(&r->options, row->name))
			return row->name;
	return NULL;
}

int recording_check(const struct recording *r, struct diag *d)
{
	const struct options *o = &r->options;
	int err = check_needs(o, d);
	err = err ? err : check_filters(o, d);
	if (!err && options_given(o, "decisions") && !*o->decisions)
		return diag_set(d, ERR_USAGE, "--decisions needs the name of a file");
	if (!err && o->engine == ENGINE_NOP && (counts(o) || has_tenure(o)))
		return diag_set(d, ERR_USAGE,
			"--engine nop does nothing with what the VM tells, and so can't %s: leave "
			"it out",
			counts(o) ? "count" : "learn");
	return err;
}

const char *recording_meant(const struct recording *r, const char *word)
{
	for (size_t i = 0; i < options_count(); i++) {
		const struct option_row *row = options_row(i);
		struct options scratch;
		if (!row->argument || *row->argument != '[' ||
			!options_given(&r->options, row->name))
			continue;
		options_init(&scratch);
		if (options_set(&scratch, row->name, word, NULL) == ERR_NONE)
			return row->name;
	}
	return NULL;
}

static bool saves(const struct options *o)
{
	return o->tenure == TENURE_YES || o->tenure == TENURE_LEARN;
}

/* It is written beside and put in its place, so the folder must take a file. */
static int check_folder(const struct recording *r, const char *path, struct diag *d)
{
	char folder[PATH_MAX];
	if (real_path(path, folder))
		return diag_set(d, ERR_LIMIT, "--decisions %s: too many links, or too long", path);
	char *slash = strrchr(folder, '/');
	slash[slash == folder] = '\0';
	if (access(folder, F_OK))
		return diag_set(
			d, ERR_NOT_FOUND, "--decisions %s: there is no folder %s", path, folder);
	if (saves(&r->options) && access(folder, W_OK | X_OK))
		return diag_set(d, ERR_DENIED, "--decisions %s: nothing can be saved in %s: %s",
			path, folder, strerror(errno));
	return ERR_NONE;
}

static int check_absent(const struct recording *r, const char *path, struct diag *d)
{
	if (errno != ENOENT)
		return diag_set(d, ERR_DENIED, "--decisions %s: %s", path, strerror(errno));
	if (r->options.tenure == TENURE_APPLY)
		return diag_set(d, ERR_NOT_FOUND,
			"--decisions %s: there is no such file, so there is nothing to apply",
			path);
	return check_folder(r, path, d);
}

static int read_all(const char *path, struct buf *b)
{
	char part[4096];
	size_t got;
	FILE *f = fopen(path, "re");
	if (!f)
		return ERR_DENIED;
	while ((got = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(b, part, got);
	int err = ferror(f) ? ERR_IO : b->failed;
	fclose(f);
	return err;
}

/* The agent would find the same fault, but begins without the file then. */
static int check_content(const char *path, struct diag *d)
{
	struct decisions decisions = {.list = {0}};
	struct buf b = {0};
	int err = read_all(path, &b);
	if (err)
		diag_set(d, err, "--decisions %s: %s", path,
			err == ERR_NOMEM ? err_text(err) : strerror(errno));
	else
		err = decisions_read(&decisions, slice(b.at, b.len), path, d);
	decisions_release(&decisions);
	buf_release(&b);
	return err;
}

static int check_decisions(const struct recording *r, const char *path, struct diag *d)
{
	struct stat st;
	if (stat(path, &st))
		return check_absent(r, path, d);
	if (!S_ISREG(st.st_mode))
		return diag_set(d, ERR_FORMAT, "--decisions %s: that is no plain file", path);
	if (st.st_size > DECISIONS_BYTES)
		return diag_set(d, ERR_LIMIT,
			"--decisions %s: that is larger than %d MB, and so no file of decisions",
			path, DECISIONS_BYTES >> 20);
	int err = check_content(path, d);
	return err ? err : check_folder(r, path, d);
}

static int make_absolute(const char *path, char *out, size_t room, struct diag *d)
{
	int err = full_path(path, out, room);
	if (err == ERR_IO)
		return diag_set(d, err, "the current folder is gone: %s", strerror(errno));
	if (err)
		return diag_set(d, err, "--decisions: the path is too long: %.80s…", path);
	return ERR_NONE;
}

int recording_settle(struct recording *r, struct diag *d)
{
	char path[OPTION_PATH];
	if (!*r->options.decisions)
		return ERR_NONE;
	int err = make_absolute(r->options.decisions, path, sizeof(path), d);
	err = err ? err : check_decisions(r, path, d);
	if (err || strcmp(path, r->options.decisions) == 0)
		return err;
	return recording_set(r, "decisions", path, d);
}

int recording_string(
	const struct recording *r, const char *file, char *out, size_t room, struct diag *d)
{
	size_t len = strlen(r->text);
	if (len + 1 > room)
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	memcpy(out, r->text, len + 1);
	if (options_append(out, room, "file", file))
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	return ERR_NONE;
}
