/* Builds the memory of a VM's performance counters, for tests. */
#ifndef SUPPORT_PERFIMAGE_H
#define SUPPORT_PERFIMAGE_H

#include <stdint.h>

#include "base/buf.h"

enum { PERFIMAGE_TEXT = 81 }; /* what the VM keeps for sun.gc.cause */

struct perfimage {
	struct buf bytes; /* owned; at is 16-byte aligned as malloc makes it */
	uint32_t count;
};

void perfimage_init(struct perfimage *i);
void perfimage_release(struct perfimage *i);
/* Each returns the value's offset. */
uint32_t perfimage_long(struct perfimage *i, const char *name, int64_t value);
uint32_t perfimage_text(struct perfimage *i, const char *name, const char *value, uint32_t room);
/* Overwrite what is at an offset. The VM's text write fills the whole room. */
void perfimage_set_long(struct perfimage *i, uint32_t at, int64_t value);
void perfimage_set_text(struct perfimage *i, uint32_t at, const char *value, uint32_t room);
void perfimage_set_u32(struct perfimage *i, uint32_t at, uint32_t value);
/* name.name/invocations/time/lastEntryTime/lastExitTime of collector n; returns the offset of
 * invocations. */
uint32_t perfimage_collector(struct perfimage *i, int n, const char *name, int64_t invocations);

#endif
