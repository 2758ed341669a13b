/* HotSpot's constants, by name (gHotSpotVMIntConstants and gHotSpotVMLongConstants), and the sizes
 * of its types (gHotSpotVMTypes). */
#ifndef HOTSPOT_VM_CONSTANTS_H
#define HOTSPOT_VM_CONSTANTS_H

#include "hotspot/vm_table.h"

enum vm_constants_column { VM_CONSTANTS_NAME, VM_CONSTANTS_VALUE };

struct vm_constants {
	struct vm_table ints, longs, types; /* columns: name, value; of types, their size */
};

/* Of the VM whose library `inside` points into. */
struct vm_constants vm_constants_of(const void *inside);
/* Of the ints, else of the longs. Whether it is told. */
bool vm_constants_find(const struct vm_constants *c, const char *name, int64_t *out);
/* sizeof, bytes. Whether it is told. */
bool vm_constants_type(const struct vm_constants *c, const char *name, uint64_t *out);

#endif
