/* The one-word answer: what kind of life the objects of a site lead, by numbers on the age curve.
 */
#ifndef STAT_SHAPE_H
#define STAT_SHAPE_H

#include <stdint.h>

#include "stat/curve.h"

enum shape {
#define SHAPE(name, text, rule) SHAPE_##name,
#include "stat/shape.def"
#undef SHAPE
	SHAPES
};

enum { SHAPE_TENURING = 15 }; /* HotSpot's default MaxTenuringThreshold */

/* c counts collections (survival_curve). Tenuring is the VM's threshold, 1 … 15; 0 counts as 1. */
enum shape shape_of(const struct curve *c, uint32_t tenuring);
/* "churn", … as in the report. */
const char *shape_text(enum shape shape);

#endif
