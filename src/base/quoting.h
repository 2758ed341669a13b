/* A name in a command that is shown to be copied. */
#ifndef BASE_QUOTING_H
#define BASE_QUOTING_H

#include "base/buf.h"

/* Appends the text as one word to a POSIX shell: as it is where that is one, else in '…', or with
 * control characters "$(printf '…')", which shows them as numbers. */
void quoting_put(struct buf *b, const char *text);

#endif
