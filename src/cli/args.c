#include "cli/args.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli/cli.h"
#include "cli/recording.h"

enum { ENTRIES_MAX = 64, NAME_MAX_LEN = 32, LONG_BASE = 256, HELP_COLUMN = 22, HELP_WIDTH = 80 };

/* One option that the command takes, from its own rows or from the recording's. */
struct entry {
	char name[NAME_MAX_LEN];
	char letter;
	const char *argument, *help;
	const char *preset;                 /* the default, where it has an argument */
	const struct args_row *row;         /* its own, or NULL: */
	const struct option_row *recording; /* the recording's */
	bool negated; /* a flag that is set by default: --no-NAME takes it away */
	bool own;     /* the preset is the command's, in place of what the help says of it */
};

struct table {
	struct entry entries[ENTRIES_MAX];
	size_t count;
	struct option longs[ENTRIES_MAX + 1];
	char letters[2 * ENTRIES_MAX + 3];
};

static const struct args_row help_row = {"help", 'h', NULL, "show this", NULL};

/* The recording's options that have a short name too. */
static const struct {
	const char *name;
	char letter;
} letters[] = {{"file", 'o'}, {"duration", 'd'}, {"interval", 'i'}};

static void add(struct table *t, const struct entry *e)
{
	if (t->count < ENTRIES_MAX)
		t->entries[t->count++] = *e;
}

static void add_row(struct table *t, const struct args_row *row)
{
	struct entry e = {
		.letter = row->letter, .argument = row->argument, .help = row->help, .row = row};
	snprintf(e.name, sizeof(e.name), "%s", row->name);
	add(t, &e);
}

static const struct args_preset *preset_for(const struct args *a, const char *name)
{
	for (const struct args_preset *p = a->presets; p && p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static void add_recording(struct table *t, const struct args *a, const struct option_row *o)
{
	const struct args_preset *p = preset_for(a, o->name);
	struct entry e = {.argument = o->argument,
		.help = o->help,
		.preset = p && p->value ? p->value : o->preset,
		.recording = o,
		.own = p && p->value};
	if (p && p->hidden)
		return;
	e.negated = !o->argument && strcmp(o->preset, "yes") == 0;
	snprintf(e.name, sizeof(e.name), "%s%s", e.negated ? "no-" : "", o->name);
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (strcmp(letters[i].name, o->name) == 0)
			e.letter = letters[i].letter;
	add(t, &e);
}

static void collect(struct table *t, const struct args *a)
{
	t->count = 0;
	for (size_t i = 0; a->recording && i < options_count(); i++)
		add_recording(t, a, options_row(i));
	for (size_t i = 0; i < a->count; i++)
		add_row(t, &a->rows[i]);
	add_row(t, &help_row);
}

/* The two forms that getopt_long reads. Leading '+': stop at the first operand; ':': tell a missing
 * value from a wrong option. */
static void compile(struct table *t, const struct args *a)
{
	char *letter = t->letters;
	if (a->command_follows)
		*letter++ = '+';
	*letter++ = ':';
	memset(t->longs, 0, sizeof(t->longs));
	for (size_t i = 0; i < t->count; i++) {
		const struct entry *e = &t->entries[i];
		t->longs[i] = (struct option){.name = e->name,
			.has_arg = !e->argument          ? no_argument
				   : *e->argument == '[' ? optional_argument
							 : required_argument,
			.val = LONG_BASE + (int)i};
		if (e->letter)
			*letter++ = e->letter;
		if (e->letter && e->argument)
			*letter++ = ':';
	}
	*letter = '\0';
}

static const struct entry *entry_of(const struct table *t, int val)
{
	if (val >= LONG_BASE && (size_t)(val - LONG_BASE) < t->count)
		return &t->entries[val - LONG_BASE];
	for (size_t i = 0; i < t->count; i++)
		if (val && t->entries[i].letter == val)
			return &t->entries[i];
	return NULL;
}

static int unknown(const struct args *a, const struct table *t, const char *word)
{
	const char *names[ENTRIES_MAX];
	char name[64];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	for (size_t i = 0; i < t->count; i++)
		names[i] = t->entries[i].name;
	const char *dashes = word[0] == '-' && word[1] == '-' ? "--" : "-";
	const char *best = nearest_find(name + strspn(name, "-"), names, t->count);
	if (best)
		return cli_usage(
			a->command, "unknown option '%s'; did you mean '--%s'?", name, best);
	return cli_usage(a->command, "unknown option '%s%s'", dashes, name + strspn(name, "-"));
}

static size_t begun_with(const struct table *t, const char *word)
{
	size_t hits = 0;
	for (size_t i = 0; i < t->count; i++)
		hits += strncmp(t->entries[i].name, word, strcspn(word, "=")) == 0;
	return hits;
}

/* getopt_long found a fault: which one it was, and what to do. */
static int explain(const struct args *a, const struct table *t, int result, char **argv)
{
	const struct entry *e = entry_of(t, optopt);
	const char *word = argv[optind - 1];
	bool is_long = word && strncmp(word, "--", 2) == 0;
	char letter[3] = {'-', (char)optopt, '\0'};
	if (result == ':' && e)
		return cli_usage(
			a->command, "--%s needs a value: --%s %s", e->name, e->name, e->argument);
	if (is_long && e)
		return cli_usage(a->command, "--%s takes no value", e->name);
	if (is_long && begun_with(t, word + 2) > 1)
		return cli_usage(
			a->command, "'%s' could be several options; write it in full", word);
	return unknown(a, t, is_long ? word : letter);
}

static int take(const struct args *a, const struct entry *e, const char *value, struct diag *d)
{
	if (e->row)
		return e->row->set(a->arg, value, d);
	if (!e->argument || !value)
		value = e->negated ? "no" : "yes";
	return recording_set(a->recording, e->recording->name, value, d);
}

static int take_presets(const struct args *a)
{
	struct diag d = {""};
	int err = ERR_NONE;
	for (const struct args_preset *p = a->presets; p && p->name && !err; p++)
		if (p->value && !p->known)
			err = recording_set(a->recording, p->name, p->value, &d);
	return err ? cli_fail_err(err, &d) : ARGS_RUN;
}

/* ARGS_RUN, or the status of options that can't be had together. */
static int check_recording(const struct args *a)
{
	struct diag d = {""};
	if (!a->recording || !recording_check(a->recording, &d))
		return ARGS_RUN;
	return cli_usage(a->command, "%s", d.text);
}

/* ARGS_RUN, or the status that the option ends the command with. */
static int take_one(const struct args *a, const struct table *t, int got, char **argv)
{
	struct diag d = {""};
	const struct entry *e = entry_of(t, got);
	if (got == ':')
		return explain(a, t, got, argv);
	if (got == '?' || !e) /* getopt gives out only what it was given */
		return explain(a, t, '?', argv);
	if (e->row == &help_row) {
		args_help(a);
		return EXIT_OK;
	}
	int err = take(a, e, optarg, &d);
	return err ? cli_usage(a->command, "%s", d.text[0] ? d.text : err_text(err)) : ARGS_RUN;
}

int args_parse(const struct args *a, int argc, char **argv, int *first)
{
	struct table t;
	int status = take_presets(a);
	if (status != ARGS_RUN)
		return status;
	collect(&t, a);
	compile(&t, a);
	optind = 0; /* starts getopt anew */
	opterr = 0;
	for (int got; status == ARGS_RUN; status = take_one(a, &t, got, argv)) {
		got = getopt_long(argc, argv, t.letters, t.longs, NULL);
		if (got == -1)
			break;
	}
	*first = optind;
	return status == ARGS_RUN ? check_recording(a) : status;
}

/* Prints words from the column on, wrapped. */
static void wrap(int column, const char *text)
{
	int at = column;
	while (*text) {
		int len = (int)strcspn(text, " ");
		if (at > column && at + 1 + len > HELP_WIDTH) {
			printf("\n%*s", column, "");
			at = column;
		} else if (at > column) {
			putchar(' ');
			at++;
		}
		printf("%.*s", len, text);
		at += len;
		text += len + (int)strspn(text + len, " ");
	}
	putchar('\n');
}

/* The default, where there is one worth telling. */
static const char *preset_of(const struct entry *e)
{
	if (!e->recording || !e->argument || *e->argument == '[')
		return "";
	bool none = strcmp(e->preset, "0") == 0 || strcmp(e->preset, "no") == 0;
	return none && !e->own ? "" : e->preset;
}

/* How much of the help to show: where the command has its own default, not what it says of one. */
static int help_length(const struct entry *e)
{
	const char *told = e->own ? strstr(e->help, " (default") : NULL;
	return told ? (int)(told - e->help) : (int)strlen(e->help);
}

static void help_entry(const struct entry *e)
{
	char head[80], text[256];
	if (!e->help)
		return;
	int len = snprintf(head, sizeof(head), "  %c%c --%s%s%s", e->letter ? '-' : ' ',
		e->letter ? e->letter : ' ', e->name, e->argument && *e->argument != '[' ? " " : "",
		e->argument ? e->argument : "");
	const char *preset = preset_of(e);
	snprintf(text, sizeof(text), "%s%.*s%s%s%s", e->negated ? "do not " : "", help_length(e),
		e->help, *preset ? " (" : "", preset, *preset ? ")" : "");
	printf("%-*s%s", HELP_COLUMN, head, len >= HELP_COLUMN ? " " : "");
	wrap(len >= HELP_COLUMN ? len + 1 : HELP_COLUMN, text);
}

void args_help(const struct args *a)
{
	struct table t;
	printf("usage: mayfly %s %s\n\n%s\n", a->command, a->usage, a->about);
	collect(&t, a);
	for (size_t i = 0; i < t.count; i++)
		help_entry(&t.entries[i]);
}
