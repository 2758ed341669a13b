/* Packs with xz, as .gnu_debugdata is. */
#ifndef SUPPORT_XZ_OF_H
#define SUPPORT_XZ_OF_H

#include "base/buf.h"

void xz_of(struct buf *out, struct slice bytes);

#endif
