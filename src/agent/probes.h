/*
 * The VM's allocation probes, led to us: the functions that they call jump to births_entry_*, and
 * DTraceAllocProbes is set, so that interpreter, C1 and C2 call them (doc/jvm.md, "Probes and
 * patches"). Once in a process; the jumps stay, the flag goes off with the recording.
 */
#ifndef AGENT_PROBES_H
#define AGENT_PROBES_H

#include "agent/vm.h"
#include "exact/birth_mark.h"
#include "hotspot/interpreter_new.h"
#include "hotspot/landmarks.h"
#include "hotspot/library.h"
#include "hotspot/vm_flags.h"

struct probes {
	struct vm_library library; /* owned while open */
	struct landmarks landmarks;
	struct vm_flags flags;
	bool *alloc;                        /* the VM's flag */
	struct interpreter_new interpreter; /* where it was made without the probe */
	bool open, installed;
	enum birth_header header;
	bool sites; /* each mark will have room for a site (vm_objects.sites) */
};

/* The process's one. */
struct probes *probes_get(void);
/*
 * Looks whether this VM will do, and patches what must be; the flag stays as it is. ERR_UNSUPPORTED
 * with a sentence that names what is missing; errors of code_write.
 */
int probes_install(struct probes *p, const struct vm *vm, struct diag *d);
/* Code that is compiled from now on calls the probes, or does not. */
void probes_set(struct probes *p, bool on);

#endif
