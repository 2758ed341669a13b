/*
 * Which JDK a program runs on, by the `release` file that stands in a JDK's home: enough to
 * refuse, before anything starts, what mayfly can't record. Packages of old JDKs may lack the file;
 * rt.jar then tells that it is one (JDK 9 did away with it).
 */
#ifndef CLI_JDK_H
#define CLI_JDK_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"

enum { JDK_RELEASE_MAX = 65536 };

struct jdk {
	char version[64];   /* "17.0.15", "1.8.0_402"; "1.8 or older" */
	unsigned number[3]; /* 17, 0, 15; for 1.8.0_402: 8, 0, 402. All 0: unknown */
	bool openj9;
};

/* Reads the text of a release file. Anything that is missing or malformed stays unknown. */
void jdk_parse(struct jdk *j, struct slice text);

/*
 * Looks for a release file, or rt.jar, in the folders above a file of the JDK (bin/java,
 * lib/server/libjvm.so; symbolic links resolved by the caller). 0, or ERR_NOT_FOUND: *j is unknown.
 */
int jdk_find(struct jdk *j, const char *file);

/* ERR_UNSUPPORTED with a sentence that has the remedy where mayfly can't record this JDK; else 0.
 */
int jdk_refusal(const struct jdk *j, struct diag *d);

/* Whether its method ids may die while a stack is being read (JDK-8313816, mended in
 * 22, 21.0.3, 17.0.11 and 11.0.23). */
bool jdk_method_ids_unsafe(const struct jdk *j);

#endif
