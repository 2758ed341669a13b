/*
 * The answer of a VM to one attach command: a decimal status and a newline, then text to the end
 * of the connection. Bytes from another process.
 */
#ifndef ATTACH_ATTACH_REPLY_H
#define ATTACH_ATTACH_REPLY_H

#include "base/diag.h"
#include "base/slice.h"

enum { ATTACH_REPLY_MAX = 16 << 20 };

/* Splits a reply. text points into it. ERR_FORMAT: no status line; ERR_TRUNCATED: nothing came. */
int attach_reply_parse(struct slice reply, int *status, struct slice *text, struct diag *d);

/*
 * What a `load` came to: 0 and the agent's own return code in *agent_result ("return code: N"), or
 * ERR_LIBRARY with the VM's words (no such file, no Agent_OnAttach, loading switched off, not
 * allowed), or ERR_JVM for any other refusal.
 */
int attach_reply_load(struct slice reply, int *agent_result, struct diag *d);

#endif
