/* A whole recording against the fake VM: opened with a trace and a socket in a folder of its own,
 * talked to, and taken down. */
#ifndef SUPPORT_AGENT_RIG_H
#define SUPPORT_AGENT_RIG_H

#include "agent/session.h"
#include "support/agent_trace.h"
#include "support/fake_vm.h"

struct rig {
	struct session *session;
	char folder[64], file[128], socket[128];
	uint64_t held;    /* memory before */
	struct diag diag; /* of the last rig_open */
};

void rig_begin(struct rig *r, int major);
/* session_open with the rig's file and socket and these options on top. live: as if attached to a
 * running VM. */
int rig_open(struct rig *r, const char *options, bool live);
/* The whole reply to one request, or "" where nobody answers. */
void rig_request(const struct rig *r, const char *request, char *reply, size_t room);
/* As above; expects the reply's first line. */
void rig_expect(const struct rig *r, const char *request, const char *first_line);
/* The number in the status, or -1. */
long rig_status(const struct rig *r, const char *name);
/* Waits until the session is in that state (writer gone: STATE_OFF and no thread left). */
void rig_await(struct rig *r, enum state state);
/* Stops by request and waits until all is gone. */
void rig_stop(struct rig *r);
/* After the VM's death: what the agent leaves to the process's end is freed. */
void rig_bury(struct rig *r);
/* Expects the session off, everything given back, the trace whole if complete; removes the folder.
 */
struct agent_totals rig_end(struct rig *r, bool complete);

/* A program for some time: objects of all classes, most of which die, and collections. */
void rig_run(int objects);

#endif
