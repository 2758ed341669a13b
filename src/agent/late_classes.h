/*
 * Classes that are to be turned back and can't be yet, for their code is at work (running.h): each
 * by its name and its loader's number, and when they are tried again. The caller locks.
 */
#ifndef AGENT_LATE_CLASSES_H
#define AGENT_LATE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"
#include "base/vec.h"

enum { LATE_S_LEAST = 2, LATE_S_MOST = 64 };

struct late_class {
	char *name; /* owned; as in the VM: java/util/HashMap */
	int32_t loader;
};

struct late_classes {
	VEC(struct late_class) list;
	struct ns next; /* when to try again */
	uint32_t wait_s;
};

void late_classes_release(struct late_classes *l);
/* Once; without the memory it is not known, and stays as it is. */
void late_classes_add(struct late_classes *l, const char *name, int32_t loader);
void late_classes_remove(struct late_classes *l, const char *name, int32_t loader);
bool late_classes_have(const struct late_classes *l, const char *name, int32_t loader);
/* Of any loader. */
bool late_classes_have_name(const struct late_classes *l, const char *name);

bool late_classes_due(const struct late_classes *l, struct ns now);
/* They were tried: again in LATE_S_LEAST seconds, then twice as many, … LATE_S_MOST. */
void late_classes_tried(struct late_classes *l, struct ns now);

#endif
