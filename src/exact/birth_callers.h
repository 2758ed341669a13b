/*
 * Return addresses of the probe that don't tell the place by themselves: of stubs and of the
 * interpreter, four or five in a VM, and of the VM's own functions.
 */
#ifndef EXACT_BIRTH_CALLERS_H
#define EXACT_BIRTH_CALLERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Who called the probe. */
enum caller {
	CALLER_COMPILED, /* straight from compiled code */
	CALLER_STUB,     /* from a stub with a frame of its own (C1): its caller is the place */
	CALLER_INTERPRETER,
	CALLER_VM,
};

/* Whether the address is kept, and who calls from there; any thread. */
enum caller birth_caller_known(uintptr_t pc, bool *known);
/* It is, from now on, as far as there is room; again: nothing changes. Under the births' lock. */
void birth_caller_keep(uintptr_t pc, enum caller caller);
/* None is kept. While no probe is on. */
void birth_callers_forget(void);

/* For entry.S. Return addresses of the stub with a frame of its own, and of the interpreter; 0: not
 * known yet. */
extern _Atomic uintptr_t births_stub, births_templates[2];

#endif
