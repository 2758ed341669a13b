/* Whether a file may be written over: only what the same command once made. */
#ifndef CLI_OVERWRITE_H
#define CLI_OVERWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* Where nothing is, where no regular file is, or an empty one, or one that holds the marker: 0.
 * Else ERR_DENIED; or ERR_IO where it can't be read; with a sentence. what: "a page of mayfly". */
int overwrite_check(const char *path, const char *marker, const char *what, struct diag *d);
/* Whether both paths lead to the same file, which is there. */
bool overwrite_same(const char *a, const char *b);

#endif
