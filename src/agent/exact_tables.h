/*
 * What the exact engine needs for one recording: its tables, by the heap and the code that the VM
 * has, and who is asked about them.
 */
#ifndef AGENT_EXACT_TABLES_H
#define AGENT_EXACT_TABLES_H

#include "agent/exact.h"

/* 0; else an error with a sentence, and all is given back. What can be done without (single
 * objects, call paths) is noted in the trace where it can't be had. */
int exact_tables_open(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *why);
/* Nobody is at it any more. Births keep theirs (births_close). */
void exact_tables_close(struct exact *e);

#endif
