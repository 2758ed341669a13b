/*
 * The turns of tenure's thread: a round every so many young collections, and looks between them.
 * For src/agent/tenure.c.
 */
#ifndef AGENT_TENURE_TURNS_H
#define AGENT_TENURE_TURNS_H

#include "agent/tenure.h"

/* Time and CPU count from now on. */
void tenure_turns_begin(struct tenure *t);
/* The thread's life: until it is stopped. An own_thread's. */
void *tenure_turns(void *tenure);

#endif
