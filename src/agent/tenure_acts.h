/*
 * What tenure's controller has chosen, done and told in the trace. For src/agent/tenure.c and its
 * thread.
 */
#ifndef AGENT_TENURE_ACTS_H
#define AGENT_TENURE_ACTS_H

#include "agent/tenure.h"

/* The reason of what comes from the file. */
extern const char tenure_says_so[];

/* Whether levers are moved; else what would be done is told. */
bool tenure_acts(const struct tenure *t);
/* The controller's actions; under the lock. Jumps are only put down: tenure_act makes them. */
void tenure_carry_out(struct tenure *t);
/* In the VM: names are asked for and classes rewritten. Without the lock, as these two. */
void tenure_act(struct tenure *t);
/* What was done since the last look is told, too. */
void tenure_tell_last(struct tenure *t);
/* NULL: it can't be had. Else tenure_leave_vm follows. */
JNIEnv *tenure_join_vm(const struct tenure *t);
void tenure_leave_vm(const struct tenure *t);

#endif
