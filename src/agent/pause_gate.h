/*
 * Keeps the VM's pauses out until the counters they are counted by have been read, and tells
 * whoever reads them whether a pause came by meanwhile: what it has added to them may have been
 * read or not.
 *
 *   reader                                     the VM, at a pause's Start and Finish
 *   do {
 *     seen = pause_gate_look(g);               if (!pause_gate_pass(g))
 *     read the counters;                               return;
 *   } while (!pause_gate_open(g, seen));
 *
 * One pause may stand astride: its Start came before the reader looked, its Finish comes behind the
 * opening. A Finish without a Start is that one, and whoever gets it reads the counters again.
 */
#ifndef AGENT_PAUSE_GATE_H
#define AGENT_PAUSE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>

struct pause_gate {
	_Atomic unsigned word; /* 1: open; else those that came by, times two. All 0: shut */
};

/* Whether one may go in; where not, it has been counted. Any thread. */
bool pause_gate_pass(struct pause_gate *g);
/* Of a gate that is shut. */
unsigned pause_gate_look(const struct pause_gate *g);
/* Opens it, unless one came by since that look. */
bool pause_gate_open(struct pause_gate *g, unsigned seen);

#endif
