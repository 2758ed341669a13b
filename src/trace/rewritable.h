/* What a trace may be written over: a slip of the hand should not cost a program its own file. */
#ifndef TRACE_REWRITABLE_H
#define TRACE_REWRITABLE_H

#include <stdbool.h>

/*
 * Whether a regular file that has that name is empty, or begins as a trace does. Also where nothing
 * has it, or no regular file, and where that can't be read: then nobody knows. Closes a descriptor
 * of the file, and with it what locks this process has on it.
 */
bool rewritable(const char *path);

#endif
