/*
 * A command's options as a table: getopt_long, the sentences for mistakes and the text of
 * --help are all made from its rows. --help itself is added to every table.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct recording;

struct args_row {
	const char *name;     /* the long name, without dashes */
	char letter;          /* the short name, or 0 */
	const char *argument; /* what the help calls its value; NULL: it takes none */
	const char *help;     /* a phrase; NULL: not shown in the help (another row's alias) */
	/* Takes the value (NULL without argument). 0, or an error of base/error.h with a sentence.
	 */
	int (*set)(void *arg, const char *value, struct diag *d);
};

/* What a command sets for itself of the recording's options. */
struct args_preset {
	const char *name;
	const char *value; /* in place of the default; NULL: that stays */
	bool hidden;       /* the command has no such option */
	bool known;        /* the agent sees to it, where nobody asks for another: the help says it
			    */
};

struct args {
	const char *command;         /* its name in commands.def */
	const char *usage;           /* what follows the name: "FILE [options]" */
	const char *about;           /* what the help says above the options; ends with a newline */
	const struct args_row *rows; /* rows[0 … count) */
	size_t count;
	void *arg; /* given to the setters */
	/* Where the options of src/options go, which the command then takes too; NULL: it does not.
	 */
	struct recording *recording;
	const struct args_preset *presets; /* ends with a NULL name; NULL: none */
	bool command_follows; /* the first operand ends the options: the rest is another command
				 line */
};

enum { ARGS_RUN = -1 };

/*
 * Reads argv. ARGS_RUN: all is set, and the operands are argv[*first] … argv[argc - 1] (moved
 * to the end). Otherwise the command is over, and the result is its exit status: EXIT_OK after
 * --help, EXIT_USAGE after a mistake, which has been explained on stderr.
 */
int args_parse(const struct args *a, int argc, char **argv, int *first);

/* The text of --help, on stdout. */
void args_help(const struct args *a);

#endif
