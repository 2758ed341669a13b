/*
 * The command line: the only room that prints or exits. A command is one file, cmd_NAME.c,
 * and one row in commands.def; it gets argv with argv[0] = its name and returns the exit
 * status: 0, 1 (it failed) or 2 (it was used in a way that is not allowed).
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/diag.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

#define COMMAND(name, summary) int cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
};
/* Row i of the table, or NULL behind the last. */
const struct command *command_row(unsigned i);
const struct command *command_find(const char *name);
/* Says that there is no such command, with the nearest name. Returns EXIT_USAGE. */
int command_unknown(const char *name);

/* "mayfly: SENTENCE." on stderr (the full stop is added where it is missing). Returns EXIT_FAILED.
 */
int cli_fail(const char *format, ...) MF_PRINTF(1, 2);
/* The same for an error of the library: its sentence, or the error's phrase where there is none. */
int cli_fail_err(int err, const struct diag *d);
/* "mayfly COMMAND: SENTENCE." and where the help is. Returns EXIT_USAGE. */
int cli_usage(const char *command, const char *format, ...) MF_PRINTF(2, 3);
/* "mayfly: SENTENCE." on stderr: something to know that is no failure. */
void cli_note(const char *format, ...) MF_PRINTF(1, 2);

/* Whether colours and redrawn lines are welcome on the stream: a terminal, not TERM=dumb, no
 * NO_COLOR. */
bool cli_fancy(FILE *stream);

#endif
