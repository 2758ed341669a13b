/* `mayfly info --vm`: what the exact engine would find in a VM, looked at from outside. */
#ifndef CLI_INFO_VM_H
#define CLI_INFO_VM_H

#include <stdbool.h>

#include "base/diag.h"
#include "report/text.h"

/*
 * Appends it to `out`. `what`: a process's number, a JAVA_HOME, or a libjvm.so. 0 or an error with
 * a sentence. That the engine can't do something is no error.
 */
int info_vm_put(
	struct buf *out, const char *what, const struct look *look, bool json, struct diag *d);

#endif
