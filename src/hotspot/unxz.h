/*
 * Unpacks xz, by the system's liblzma, which is loaded for it: the agent depends on libc alone. The
 * bytes are hostile, so memory and output are bounded.
 */
#ifndef HOTSPOT_UNXZ_H
#define HOTSPOT_UNXZ_H

#include "base/buf.h"
#include "base/diag.h"

enum { UNXZ_OUTPUT_MAX = 64 << 20, UNXZ_MEMORY_MAX = 80 << 20 };

/*
 * Appends to `out`; what was appended before an error stays. 0; ERR_UNSUPPORTED: liblzma.so.5 is
 * not there; ERR_CORRUPT, ERR_TRUNCATED; ERR_LIMIT: it needs or gives more than the maximum;
 * ERR_NOMEM. With a phrase: "liblzma.so.5 is not there to unpack them".
 */
int unxz(struct buf *out, struct slice packed, struct diag *d);

#endif
