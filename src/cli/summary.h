/* What is shown at the end of a recording: the report, or one line that says where the trace is. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli/outcome.h"
#include "cli/recording.h"

enum show {
	SHOW_AUTO,   /* the report where stdout is a terminal, else the line: a pipe stays the
			program's own */
	SHOW_REPORT, /* --report */
	SHOW_LINE,   /* --no-report */
};

/*
 * What record and attach are both told. It is the first member of their own structs, so that
 * the setters of these rows can take its address.
 */
struct ending {
	struct recording recording;
	enum show show;
	const char *view; /* the report's option, "--tenure"; NULL: the rows */
};

#define ENDING_ROWS                                                                                \
	{"output", 0, "FILE", NULL, ending_set_output},                                            \
		{"report", 0, NULL,                                                                \
			"print the report at the end, also where stdout is no terminal",           \
			ending_set_report},                                                        \
	{                                                                                          \
		"no-report", 0, NULL, "do not print the report at the end", ending_set_no_report   \
	}

int ending_set_output(void *arg, const char *value, struct diag *d);
int ending_set_report(void *arg, const char *value, struct diag *d);
int ending_set_no_report(void *arg, const char *value, struct diag *d);

/* "wrote FILE (…)" on stderr, and what is wrong with it; EXIT_OK, or EXIT_FAILED where the
 * recording failed. view: as in struct ending. */
int summary_line(const char *path, const struct outcome *o, const char *view);

/*
 * The line, then the report on stdout where `show` asks for it (instead of the ending's own) and
 * there is something in it. Returns as summary_line.
 */
int summary_show(const char *path, const struct outcome *o, const struct ending *e, enum show show);

#endif
