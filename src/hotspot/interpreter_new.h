/*
 * How the interpreter makes an object by `new` (x86-64): from the thread's buffer, in place, unless
 * the class says that the VM has to do it:
 *	test $1, %dl; jne slow
 * From JDK 25 on that way calls the VM's probe only if the probe's flag was set when the
 * interpreter was made. With `jae`, which jumps behind any test, the VM does it each time, and
 * tells. That is one byte, and right to execute in either form at any time.
 */
#ifndef HOTSPOT_INTERPRETER_NEW_H
#define HOTSPOT_INTERPRETER_NEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "hotspot/code_blobs.h"

struct interpreter_new {
	uint8_t *condition; /* the byte, in the VM's code; NULL: none that may be written */
};

/* Where in the code of `new`, which begins the slice and is followed by that of others, the byte
 * is; false: it does not look as it should. Nothing outside of the slice is read. */
bool interpreter_new_find(struct slice code, size_t *at);

/* templates: TemplateInterpreter::_normal_table of this process. 0; ERR_NOT_FOUND: the code looks
 * otherwise, and nothing is written ever. */
int interpreter_new_open(
	struct interpreter_new *n, const uint8_t *templates, const struct code_blobs *blobs);
/* Whether the VM is asked for each object. 0, or errors of code_write. */
int interpreter_new_ask(const struct interpreter_new *n, bool each, struct diag *d);

#endif
