/*
 * Java names: from the VM's signatures to the names people write, with what differs from run
 * to run taken out (doc/metrics.md, "Normalised names").
 */
#ifndef AGENT_NAMES_H
#define AGENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum {
	NAME_MAX_LEN = 1024,
	NAME_READ = NAME_MAX_LEN + 4, /* of the VM's, with a NUL: it may be cut behind them */
};

struct name {
	char text[NAME_MAX_LEN]; /* NUL-terminated; a longer one is cut and ends in "…" */
	bool array, normalised, hidden;
};

/*
 * "Ljava/util/List;" → "java.util.List", "[[I" → "int[][]", "LFoo$$Lambda$14.0x0000;" →
 * "Foo$$Lambda" (hidden, normalised). Anything that is no signature comes out as it is. A signature
 * of NAME_READ bytes or more may be cut there: the name is the same.
 */
void name_of_signature(struct name *n, const char *signature);
/* Of a class as the VM names it: "java/util/List" → "java.util.List". */
void name_of_class(struct name *n, const char *vm_name);

/* Whether the thread or class matches one of the ':'-separated globs (fnmatch, '*' crosses dots).
 * Empty list: false. */
bool name_in_globs(const char *globs, const char *name);

#endif
