/* The VM's events: which are on when, and the callbacks that bracket each with session_enter. */
#ifndef AGENT_EVENTS_H
#define AGENT_EVENTS_H

#include "base/diag.h"

#include <jni.h>

struct session;

/* Sets the callbacks, and the events that are on from the beginning to the end: VMInit, VMDeath. 0
 * or ERR_JVM. */
int events_arm(struct session *s);
/* Turns on what is recorded. ERR_JVM with a sentence; events_end undoes it. */
int events_begin(struct session *s, JNIEnv *jni, struct diag *d);
/* Turns all of it off. Deaths that the VM still holds are not told any more. Any attached thread.
 */
void events_end(struct session *s);

#endif
