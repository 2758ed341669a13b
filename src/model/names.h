/* Java names as parts: packages, simple names, and whose code it is. Slices point into the name. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include <stdbool.h>

#include "base/slice.h"

/* "java.util" of "java.util.Map$Entry[]"; empty without a package. */
struct slice name_package(struct slice class_name);
/* "Map$Entry[]" of it. */
struct slice name_simple(struct slice class_name);

#endif
