#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

int diag_set(struct diag *d, int err, const char *format, ...)
{
	if (d) {
		va_list args;
		va_start(args, format);
		vsnprintf(d->text, sizeof(d->text), format, args);
		va_end(args);
	}
	return err;
}
