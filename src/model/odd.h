/* What was wrong with a trace, by kind, as counts. */
#ifndef MODEL_ODD_H
#define MODEL_ODD_H

#include <stdint.h>

enum odd {
#define ODD(name, one, more) ODD_##name,
#include "model/odd.def"
#undef ODD
	ODD_COUNT
};

struct odds {
	uint64_t count[ODD_COUNT];
};

/* The phrase that follows the count. */
const char *odd_text(enum odd odd, uint64_t count);

static inline void odd_add(struct odds *o, enum odd odd)
{
	o->count[odd]++;
}

/* True, and counted, where `is`: so that a check and its count are one line. */
static inline int odd_if(struct odds *o, enum odd odd, int is)
{
	o->count[odd] += is != 0;
	return is;
}

#endif
