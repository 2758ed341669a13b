/* The VM's events: which are on when, and the callbacks that bracket each with session_enter. */
#ifndef AGENT_EVENTS_H
#define AGENT_EVENTS_H

#include "base/diag.h"

struct session;

/* Sets the callbacks, and the events that are on as long as the VM is open: VMInit, VMDeath. 0 or
 * ERR_JVM. */
int events_arm(struct session *s);
/* Turns on those of pauses, before anything is recorded: from its return on each pause that begins
 * has both. ERR_JVM with a sentence; events_end undoes it. */
int events_pauses(struct session *s, struct diag *d);
/* Turns on what is recorded; as above. */
int events_begin(struct session *s, struct diag *d);
/*
 * Turns all of it off but deaths, which the VM goes on to tell (vm.h); after the recording nobody
 * listens, and those that it still holds are not known. Any attached thread.
 */
void events_end(struct session *s);

#endif
