/* Where a path leads in the end: a file that is written anew is to stand there, not in the place of
 * a link to it. */
#ifndef BASE_REAL_PATH_H
#define BASE_REAL_PATH_H

#include <limits.h>

/* Of a path whose last link leads to nothing, where that would be. 0; ERR_LIMIT: longer than
 * PATH_MAX, or links that lead round and round. */
int real_path(const char *path, char out[PATH_MAX]);

#endif
