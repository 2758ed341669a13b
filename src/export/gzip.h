/* A gzip file (RFC 1952) in memory. */
#ifndef EXPORT_GZIP_H
#define EXPORT_GZIP_H

#include "base/buf.h"

/* Appends it. 0, ERR_NOMEM or ERR_LIMIT (bytes of 4 GiB or more). */
int gzip_put(struct buf *out, struct slice bytes);

#endif
