/* A simulation that fails has no business among the seeds. */
#include <stdio.h>
#include <stdlib.h>

#include "support/tap.h"

void tap_check(bool ok, const char *file, int line, const char *format, ...)
{
	(void)format;
	if (ok)
		return;
	fprintf(stderr, "%s:%d\n", file, line);
	exit(1);
}
