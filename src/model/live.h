/* The objects that are being followed at this point of the replay. */
#ifndef MODEL_LIVE_H
#define MODEL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/format.h"

enum { LIVE_MAX = FOLLOWED_MAX };

struct object {
	uint64_t id;
	uint64_t time, alloc;  /* of its birth: ns, the allocation clock */
	uint64_t size;         /* bytes */
	uint64_t young, full;  /* the GC clocks at its birth */
	double weight;         /* lives it stands for; 0: unknown, the object counts for nothing */
	uint32_t site, thread; /* indices */
	bool used;
	bool vague; /* the size is a mean, or not known */
};

struct live {
	struct map index; /* object id → slot */
	VEC(struct object) slots;
	VEC(uint32_t) free;
	size_t peak;
};

void live_release(struct live *l);
/* 0; ERR_USAGE where the id is there already; ERR_LIMIT over LIVE_MAX; ERR_NOMEM. */
int live_add(struct live *l, const struct object *object);
/* Takes it out. False where it is not there. */
bool live_take(struct live *l, uint64_t id, struct object *out);

#endif
