/* Where a path leads from, told: what it names stays the same when the program changes its folder.
 */
#ifndef BASE_FULL_PATH_H
#define BASE_FULL_PATH_H

#include <stddef.h>

/* The path, with the current folder before it unless it has one from the root on. ERR_IO, with
 * errno: the folder is gone; ERR_LIMIT: it does not fit; out is what was given then, as far as it
 * fits. */
int full_path(const char *path, char *out, size_t room);

#endif
