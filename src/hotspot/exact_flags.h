/*
 * The -XX flags of a VM under which the exact engine can't work: looked at by the agent before it
 * touches the VM, and from outside by who asks what could be done there.
 */
#ifndef HOTSPOT_EXACT_FLAGS_H
#define HOTSPOT_EXACT_FLAGS_H

#include <stdbool.h>

enum exact_flags_group {
	EXACT_FLAGS_VM = 1,     /* how objects look, and who compiles */
	EXACT_FLAGS_PROBES = 2, /* who has the probes: once they are on, the engine itself has */
	EXACT_FLAGS_AGES = 4,   /* how old an object gets while it is young */
};

/* Gives the first `width` bytes (1 or 4) of a flag's value; false: there is no such flag, or it
 * can't be read. */
typedef bool exact_flags_read(const void *arg, const char *name, unsigned width, void *out);

/* What keeps the engine away, of some groups: a sentence without its full stop, which lives for
 * ever. NULL: nothing. */
const char *exact_flags_lack(unsigned groups, exact_flags_read *read, const void *arg);
/* Reads those of this process's VM; arg: a struct vm_flags. */
bool exact_flags_here(const void *arg, const char *name, unsigned width, void *out);

#endif
