/* A file's name in a command that is shown to be copied. */
#ifndef CLI_QUOTING_H
#define CLI_QUOTING_H

#include "base/buf.h"

/* Appends the text as one word to a POSIX shell: as it is where that is one, else in '…'. */
void quoting_put(struct buf *b, const char *text);

#endif
