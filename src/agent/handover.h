/*
 * What one run of a program hands on to the next by the file of `decisions=`: read at the open,
 * trusted as far as it speaks of what is run, and written at the end.
 */
#ifndef AGENT_HANDOVER_H
#define AGENT_HANDOVER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/decisions_file.h"
#include "agent/jump.h"
#include "base/diag.h"
#include "tenure/controller.h"
#include "tenure/decisions.h"

struct handover {
	char path[PATH_MAX];        /* from the root on; "": there is none */
	struct decisions decisions; /* as it was read; until they are taken over */
	struct decisions_stamp was; /* the file, before it was read */
	struct diag unread;         /* why it was not read, and so is left as it is; "" else */
	bool bounds;                /* it has a bound of the threshold, */
	uint32_t bound;             /* which is this; these two stay */
	uint32_t loaded, strange;   /* places that jump; those that are other code now */
};

/* Where nothing is there yet nothing is read. What can't be read does not keep the program from
 * starting: it is said; and it is not written over. */
void handover_read(struct handover *h, const char *path);
/* Before it is taken over: how far the controller is to trust it, in this VM with this collector.
 */
void handover_trust(
	struct handover *h, struct controller *c, const char *jdk, const char *collector);
/* A place of it that jumps nowhere. Where a good part of what it says is done nowhere in this
 * program, it is another one, and the controller is told so; what only waits for its code to come
 * to rest is in it. */
void handover_miss(struct handover *h, struct controller *c, const struct jump *j);
/* Whether what is to be saved was in force: so far it has stood its test. */
bool handover_tested(const struct decisions *d, size_t in_force);
/* Whether somebody has written the file since it was read, which handover_write undoes: another JVM
 * that has the same, or a person. */
bool handover_overtaken(const struct handover *h);
/* For the next run. 0, or ERR_NOMEM, ERR_IO with a sentence. */
int handover_write(const struct handover *h, struct decisions *d, const char *jdk,
	const char *collector, struct diag *diag);
void handover_release(struct handover *h);

#endif
