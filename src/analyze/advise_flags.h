/*
 * The options of the VM that advice may name (flags.def): never one that the VM of the trace does
 * not have, or that its collector does not heed.
 */
#ifndef ANALYZE_ADVISE_FLAGS_H
#define ANALYZE_ADVISE_FLAGS_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/model.h"

/* Those with a young generation whose objects are copied from age to age; as a set. */
enum collector {
	COLLECTOR_OTHER = 0,
	COLLECTOR_SERIAL = 1,
	COLLECTOR_PARALLEL = 2,
	COLLECTOR_G1 = 4,
};

enum flag {
#define FLAG(name, text, collectors, from, to) FLAG_##name,
#include "analyze/flags.def"
#undef FLAG
	FLAGS
};

/* By the fact `gc`. */
enum collector collector_of(const struct model *m);

bool flag_known(enum flag f, enum collector c, unsigned jdk);
/* Appends it with its value, as it stands on a command line. */
void flag_put(struct buf *out, enum flag f, unsigned value);

#endif
