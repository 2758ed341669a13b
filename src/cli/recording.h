/*
 * The options of a recording as the command line gave them: checked against the one table of
 * src/options, and gathered as the string that the agent reads.
 */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H

#include "options/options.h"

struct recording {
	struct options options;           /* as set, over the defaults */
	char text[OPTION_STRING_MAX + 1]; /* for the agent: all that was set but `file` */
};

void recording_init(struct recording *r);
/* Sets one option of the table. Errors as options_set, with the sentence in the command line's
 * words. */
int recording_set(struct recording *r, const char *name, const char *value, struct diag *d);

/* What was set together: an option that says nothing without another, or two that exclude each
 * other. 0, or ERR_USAGE with a sentence. */
int recording_check(const struct recording *r, struct diag *d);
/* The first option that was set, but for this one; NULL: none. */
const char *recording_given(const struct recording *r, const char *but);
/* The option whose value the word was meant to be: `--exact trace` for --exact=trace. NULL: none.
 */
const char *recording_meant(const struct recording *r, const char *word);

/*
 * What only the command line can see, before anything is started: the decisions' file gets an
 * absolute path, since the program may go elsewhere; where it is there it must be one that can be
 * read and understood, and where it is to be saved it must be possible to. 0, or ERR_NOT_FOUND (no
 * such folder), ERR_DENIED, ERR_FORMAT, ERR_LIMIT, ERR_VERSION, ERR_IO with a sentence.
 */
int recording_settle(struct recording *r, struct diag *d);

/*
 * The agent's whole option string, with the trace's path pattern, in out. 0 or ERR_LIMIT with a
 * sentence.
 */
int recording_string(
	const struct recording *r, const char *file, char *out, size_t room, struct diag *d);

#endif
