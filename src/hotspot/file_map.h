/* A whole file, mapped for reading. */
#ifndef HOTSPOT_FILE_MAP_H
#define HOTSPOT_FILE_MAP_H

#include "base/diag.h"
#include "base/slice.h"

/* None is that large; a hostile one would be gone over for hours. */
#define FILE_MAP_MAX (UINT64_C(1) << 31)

/* 0; ERR_LIMIT: it is larger than FILE_MAP_MAX; ERR_NOT_FOUND: it is not there, no regular file, or
 * it is empty; ERR_DENIED; ERR_NOMEM. */
int file_map_open(struct slice *out, const char *path, struct diag *d);
void file_map_close(struct slice *file);

#endif
