#include "cli/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/recording.h"
#include "support/tap.h"

struct taken {
	char text[256];
};

static int take_by(void *arg, const char *value, struct diag *d)
{
	struct taken *t = arg;
	if (value && strcmp(value, "wrong") == 0)
		return diag_set(d, ERR_FORMAT, "--by can't be wrong");
	size_t at = strlen(t->text);
	snprintf(t->text + at, sizeof(t->text) - at, "by=%s ", value);
	return ERR_NONE;
}

static int take_all(void *arg, const char *value, struct diag *d)
{
	struct taken *t = arg;
	(void)d;
	size_t at = strlen(t->text);
	snprintf(t->text + at, sizeof(t->text) - at, "all%s ", value ? "!" : "");
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"by", 'b', "WHAT", "sort by it", take_by},
	{"all", 'a', NULL, "all of it", take_all},
	{"alternate", 0, NULL, NULL, take_all},
};

struct run {
	struct taken taken;
	struct recording recording;
	int status, operands;
	char first[32], err[512], out[4096];
};

/* Reads back what was written to a stream that was turned to a temporary file. */
static void give_back(int kept, int fd, FILE *file, char *out, size_t room)
{
	fflush(NULL);
	dup2(kept, fd);
	close(kept);
	rewind(file);
	out[fread(out, 1, room - 1, file)] = '\0';
	fclose(file);
}

static const struct args_preset *presets; /* of the next runs */

/* Runs args_parse on a line of words separated by blanks. */
static void parse(struct run *r, const char *line, bool recording, bool command_follows)
{
	char words[512], *argv[16] = {(char[]){"report"}}, *save;
	int argc = 1, first = 0;
	memset(r, 0, sizeof(*r));
	recording_init(&r->recording);
	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	const struct args a = {.command = "report",
		.usage = "FILE",
		.about = "About it.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = &r->taken,
		.recording = recording ? &r->recording : NULL,
		.presets = presets,
		.command_follows = command_follows};
	FILE *err = tmpfile(), *out = tmpfile();
	fflush(NULL);
	int kept_err = dup(STDERR_FILENO), kept_out = dup(STDOUT_FILENO);
	dup2(fileno(err), STDERR_FILENO);
	dup2(fileno(out), STDOUT_FILENO);
	r->status = args_parse(&a, argc, argv, &first);
	give_back(kept_out, STDOUT_FILENO, out, r->out, sizeof(r->out));
	give_back(kept_err, STDERR_FILENO, err, r->err, sizeof(r->err));
	r->operands = r->status == ARGS_RUN ? argc - first : 0;
	if (r->operands)
		snprintf(r->first, sizeof(r->first), "%s", argv[first]);
}

TEST(good_lines)
{
	static const struct {
		const char *line, *taken, *first;
		int operands;
	} cases[] = {
		{"", "", "", 0},
		{"f.mfly --by class -a", "by=class all ", "f.mfly", 1},
		{"-bclass --by=site f g", "by=class by=site ", "f", 2},
		{"-a -- -b", "all ", "-b", 1},
		{"--b x", "by=x ", "", 0},
		{"--alternate", "all ", "", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run r;
		parse(&r, cases[i].line, false, false);
		EXPECT_INT(ARGS_RUN, r.status);
		EXPECT_STR(cases[i].taken, r.taken.text);
		EXPECT_STR(cases[i].first, r.first);
		EXPECT_INT(cases[i].operands, r.operands);
		EXPECT_STR("", r.err);
	}
}

TEST(mistakes)
{
	static const struct {
		const char *line, *sentence;
	} cases[] = {
		{"--bye", "unknown option '--bye'; did you mean '--by'?"},
		{"--frobnicate=3", "unknown option '--frobnicate'."},
		{"-x", "unknown option '-x'."},
		{"--by", "--by needs a value: --by WHAT."},
		{"-b", "--by needs a value: --by WHAT."},
		{"--all=yes", "--all takes no value."},
		{"--al", "'--al' could be several options; write it in full."},
		{"--by wrong", "--by can't be wrong."},
		{"-ax", "unknown option '-x'."},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run r;
		char want[256];
		parse(&r, cases[i].line, false, false);
		snprintf(want, sizeof(want), "mayfly report: %s\nTry 'mayfly report --help'.\n",
			cases[i].sentence);
		EXPECT_INT(EXIT_USAGE, r.status);
		EXPECT_STR(want, r.err);
		EXPECT_STR("", r.out);
	}
}

TEST(recording_options)
{
	struct run r;
	parse(&r, "-i 64k --duration=30s --no-compress --paused --include a --include b x", true,
		false);
	EXPECT_INT(ARGS_RUN, r.status);
	EXPECT_STR("interval=64k,duration=30s,compress=no,paused=yes,include=a,include=b",
		r.recording.text);
	EXPECT_STR("x", r.first);
	parse(&r, "--interval 64k", false, false);
	EXPECT_INT(EXIT_USAGE, r.status);
	parse(&r, "--interval 512x", true, false);
	EXPECT_INT(EXIT_USAGE, r.status);
	EXPECT(strstr(r.err, "interval=512x: interval takes a size such as 512k or 1m.") != NULL);
	parse(&r, "--intervall 64k", true, false);
	EXPECT(strstr(r.err, "unknown option '--intervall'; did you mean '--interval'?") != NULL);
	parse(&r, "--compress", true, false);
	EXPECT(strstr(r.err, "unknown option '--compress'; did you mean '--no-compress'?") != NULL);
}

TEST(another_command_line_follows)
{
	struct run r;
	parse(&r, "-a java --by x", false, true);
	EXPECT_INT(ARGS_RUN, r.status);
	EXPECT_STR("all ", r.taken.text);
	EXPECT_STR("java", r.first);
	EXPECT_INT(3, r.operands);
	parse(&r, "-a -- java -b", false, true);
	EXPECT_STR("java", r.first);
	EXPECT_INT(2, r.operands);
}

TEST(what_a_command_sets_for_itself)
{
	static const struct args_preset own[] = {{"interval", "128k", false, false},
		{"tenure", "yes", true, false}, {"seed", NULL, true, false},
		{"depth", "77", false, true}, {"max-live", "65536", false, true},
		{"max-rate", "0", false, true}, {NULL, NULL, false, false}};
	struct run r;
	parse(&r, "--help", true, false);
	EXPECT(strstr(r.out, "16384; 8192 on JDK 11") != NULL && strstr(r.out, "(no)") == NULL);
	presets = own;
	parse(&r, "x", true, false);
	EXPECT_STR("interval=128k,tenure=yes", r.recording.text);
	EXPECT_INT(128 << 10, r.recording.options.interval);
	parse(&r, "--interval 1m", true, false);
	EXPECT_STR("interval=128k,tenure=yes,interval=1m", r.recording.text);
	EXPECT_INT(1 << 20, r.recording.options.interval);
	parse(&r, "--seed 3", true, false);
	EXPECT_INT(EXIT_USAGE, r.status);
	parse(&r, "--tenure", true, false);
	EXPECT_INT(EXIT_USAGE, r.status);
	parse(&r, "--help", true, false);
	EXPECT(strstr(r.out, "(128k)\n") != NULL && strstr(r.out, "(512k)") == NULL);
	EXPECT(strstr(r.out, "(77)\n") != NULL && strstr(r.out, "bound (0)\n") != NULL);
	EXPECT(strstr(r.out, "objects followed at once (65536)\n") != NULL);
	EXPECT(strstr(r.out, "--seed") == NULL && strstr(r.out, "--tenure ") == NULL);
	EXPECT(strstr(r.out, "--tenure[") == NULL && strstr(r.out, "--tenure-round") != NULL);
	presets = NULL;
}

TEST(help)
{
	struct run r;
	parse(&r, "--help", true, false);
	EXPECT_INT(EXIT_OK, r.status);
	EXPECT_STR("", r.err);
	static const char head[] = "usage: mayfly report FILE\n\nAbout it.\n\n";
	EXPECT(strncmp(r.out, head, sizeof(head) - 1) == 0);
	EXPECT(strstr(r.out, "\n  -b --by WHAT        sort by it\n") != NULL);
	EXPECT(strstr(r.out, "--alternate") == NULL);
	EXPECT(strstr(r.out, "(512k)\n") != NULL);
	int lines = 0;
	for (const char *at = r.out; *at; lines++) {
		size_t len = strcspn(at, "\n");
		EXPECT(len <= 80);
		at += len + 1;
	}
	EXPECT(lines <= 45); /* fits a screen */
	/* All options of the table are there. */
	for (size_t i = 0; i < options_count(); i++)
		EXPECT(strstr(r.out, options_row(i)->name) != NULL);
}
