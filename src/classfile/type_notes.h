/*
 * Runtime(In)VisibleTypeAnnotations of a Code attribute (JVMS 4.7.20): which of their bytes name
 * a place in the code.
 */
#ifndef CLASSFILE_TYPE_NOTES_H
#define CLASSFILE_TYPE_NOTES_H

#include <stdbool.h>

#include "base/slice.h"

/* Is told of what stands `at` bytes into the content: a place in the code (range false), or a place
 * followed by a length in bytes, of two bytes each. Returns 0 or an error, which ends the walk. */
struct place_eye {
	int (*see)(void *arg, size_t at, bool range);
	void *arg;
};

/* 0, what the eye returned, ERR_FORMAT or ERR_TRUNCATED. */
int type_notes_walk(struct slice content, const struct place_eye *eye);

#endif
