/*
 * Which of its arguments a function tells of, as the values at its probe show.
 *
 * hotspot:object__alloc tells the name of the object's class: object → class → name → its text,
 * each a load (of the class also from the mark, and with a base and a shift). So if the probe's
 * second value comes that way from the function's n-th argument on every path, that argument is the
 * object, whatever the compiler made of the function; if not, nothing is said. The fourth value,
 * the size in bytes, tells in the same way which argument was the size in words.
 */
#ifndef HOTSPOT_OBJECT_TRACE_H
#define HOTSPOT_OBJECT_TRACE_H

#include "base/diag.h"
#include "base/slice.h"
#include "hotspot/sdt_note.h"

enum { OBJECT_TRACE_CODE_MAX = 4096, OBJECT_TRACE_NONE = -1 };

struct object_trace {
	int object; /* the argument's number: 0 in rdi, 1 in rsi … */
	int words;  /* the same of the size; OBJECT_TRACE_NONE: it is not one of the arguments */
};

/*
 * `code`: the function, from its entry; the probe is at `probe`, from there, and has these
 * arguments. 0; ERR_UNSUPPORTED: it can't be told, with a phrase why; ERR_NOMEM.
 */
int object_trace_find(struct object_trace *out, struct slice code, uint64_t probe,
	struct slice arguments, struct diag *why);

#endif
