/*
 * A byte kept behind the text of sun.gc.lastCause in this process's own counter memory. The VM
 * rewrites all of that field as a collection cycle starts and as it ends, so the byte is gone
 * exactly when one has. Readers stop at the text's NUL and never see it. This is the one thing
 * that mayfly writes into the VM's counters; only ever in the VM's own process.
 */
#ifndef JVMSTAT_CYCLE_MARK_H
#define JVMSTAT_CYCLE_MARK_H

#include <stdbool.h>

#include "jvmstat/perfdata.h"

struct cycle_mark {
	volatile uint8_t *at; /* the byte; NULL: none */
	struct perfdata
		counters; /* owned: this process's counter file, writable; empty when placed */
};

/*
 * Maps this process's counter file writable and puts the byte in place. ERR_NOT_FOUND where
 * there is no file or no such counter, ERR_UNSUPPORTED where the field is too short, and
 * the errors of perfdata_open.
 */
int cycle_mark_open_self(struct cycle_mark *m, struct diag *d);

/* The same in the memory of this process's VM, where it keeps its counters in no file; the memory
 * stays the VM's, and is there until cycle_mark_release. */
int cycle_mark_open_memory(struct cycle_mark *m, void *memory, size_t size, struct diag *d);

/* Puts the byte at the end of a field of room bytes that the caller keeps alive. ERR_UNSUPPORTED:
 * too short. */
int cycle_mark_place(struct cycle_mark *m, volatile uint8_t *field, size_t room, struct diag *d);

/* Takes the byte back (0, as the VM would leave it) and unmaps. */
void cycle_mark_release(struct cycle_mark *m);

/* Whether the VM has rewritten the field since the last call; puts the byte in place again. */
bool cycle_mark_gone(struct cycle_mark *m);

#endif
