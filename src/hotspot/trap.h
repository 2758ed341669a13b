/*
 * A callback at the entry of one of the VM's functions that runs seldom, by one byte: 0xCC over
 * `push %rbp`. One byte is atomic, so that it may be put on and taken off while the program runs.
 * The handler of SIGTRAP does the push, calls back, and goes on behind it; other traps go to the
 * handler that was there before, or came later (trap_guard).
 *
 * The callback runs in a signal handler, on the thread that called the function (for the full
 * collections the VM thread, with the world stopped): it takes no lock that the VM or malloc may
 * hold, and needs little stack, as it may be on the thread's alternative one.
 */
#ifndef HOTSPOT_TRAP_H
#define HOTSPOT_TRAP_H

#include "hotspot/code_patch.h"

enum { TRAPS_MAX = 8 }; /* at a time, in a process */

struct trap {
	struct code_patch patch;
	int slot; /* in the handler's table; -1: off */
};

/* `function` begins with 0x55, or with an endbr64 and 0x55; else ERR_UNSUPPORTED. ERR_FULL. Called
 * by one thread at a time. */
int trap_set(
	struct trap *t, void *function, void (*callback)(void *arg), void *arg, struct diag *d);
/*
 * Whoever has put a handler of SIGTRAP in the place of ours, or taken ours away with its own, would
 * end the process at the next trap: ours is put there again, and what it found gets the traps of
 * others. From any thread; 0 or ERR_DENIED. Cheap: one system call where nothing has changed.
 */
int trap_guard(void);
/* The byte again. The handler stays; a thread that has hit the trap just now is served still. */
int trap_clear(struct trap *t, struct diag *d);

#endif
