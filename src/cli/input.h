/* A trace by the name that was given for it. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include <stdbool.h>

#include "trace/source.h"

/* "-" is standard input, as often as it is asked for. */
bool input_is_standard(const char *path);
/* What comes through a pipe is taken to its end first, into a file without a name: a trace is read
 * at offsets, and twice. 0, or an error of source_open_file with a sentence. */
int input_open(struct source *s, const char *path, struct diag *d);

#endif
