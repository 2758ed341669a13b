/* The landing mark for indirect calls that some builds begin functions with; it does nothing else.
 */
#ifndef HOTSPOT_ENDBR64_H
#define HOTSPOT_ENDBR64_H

#include <string.h>

#include "base/slice.h"

enum { ENDBR64_LEN = 4 };

/* Bytes of the mark at the code's begin: ENDBR64_LEN or 0. */
static inline size_t endbr64_len(struct slice code)
{
	static const unsigned char mark[ENDBR64_LEN] = {0xf3, 0x0f, 0x1e, 0xfa};
	return code.len >= ENDBR64_LEN && memcmp(code.at, mark, ENDBR64_LEN) == 0 ? ENDBR64_LEN : 0;
}

#endif
