/* Several listeners to one replay: each is told in their order. */
#ifndef MODEL_FAN_H
#define MODEL_FAN_H

#include "model/replay.h"

enum { FAN_MAX = 4 };

struct fan {
	struct listener to[FAN_MAX];
	size_t count;
};

/* The functions that pass all on; the first error ends the replay. */
struct listener fan_listener(struct fan *f);

#endif
