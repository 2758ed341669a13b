/*
 * A sentence for the person who reads the error: what happened, to what, and what to do.
 * The library that finds the trouble writes it; the command prints it.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/compiler.h"

enum { DIAG_MAX = 512 };

struct diag {
	char text[DIAG_MAX]; /* NUL-terminated, empty where nothing was said */
};

/* Sets the sentence, cut to DIAG_MAX, and returns err, so that `return diag_set(d, ERR_IO, …)`
 * reads well. d may be NULL. */
int diag_set(struct diag *d, int err, const char *format, ...) MF_PRINTF(3, 4);

#endif
