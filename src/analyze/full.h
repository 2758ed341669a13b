/* Full collections, and whether it is what lives that fills the heap. */
#ifndef ANALYZE_FULL_H
#define ANALYZE_FULL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* One for want of room in the heap: not asked for, nor for want of room for classes. */
bool full_for_room(const struct model *m, const struct gc *gc);

/* Whether so many bytes in use after `count` of them, all together, are more than garbage could
 * explain. heap_max: 0 unknown. */
bool full_of_what_lives(uint64_t count, double left, double heap_max);

#endif
