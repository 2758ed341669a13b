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

/*
 * The agent's whole option string, with the trace's path pattern, in out. 0 or ERR_LIMIT with a
 * sentence.
 */
int recording_string(
	const struct recording *r, const char *file, char *out, size_t room, struct diag *d);

#endif
