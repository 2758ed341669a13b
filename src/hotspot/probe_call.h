/*
 * A call of a function of the VM's by its address, as C2's compiled code makes those that need no
 * safepoint (`Java_To_Runtime` in HotSpot's x86_64.ad, from 11 to 25): `mov $function, %r10; call
 * *%r10`. The place is known by the call's return address. Where the constant is another's, the
 * call goes there.
 *
 * Who writes it: whoever knows that no thread executes compiled code, so in a pause. A thread that
 * has returned from the call, or has not come to it, is at a safepoint elsewhere; one that is
 * inside would not let the pause begin. So it makes no difference that the constant is eight bytes
 * which may lie across two cache lines. What a processor has fetched or decoded ahead of it goes by
 * code_fence.
 *
 * The VM itself neither reads nor changes the constant once the code stands in its place
 * (doc/decisions/0018-doors.md).
 */
#ifndef HOTSPOT_PROBE_CALL_H
#define HOTSPOT_PROBE_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

enum { PROBE_CALL_BYTES = 13 }; /* of both instructions */

/* What is called from before this address, where such a call ends there; 0: none does. At least
 * PROBE_CALL_BYTES before it can be read. */
uintptr_t probe_call_target(uintptr_t return_address);
/* It goes there from now on; with an error it goes where it went. Only after probe_call_target; 0,
 * ERR_UNSUPPORTED (the constant lies in two pages, of which one alone might be written) or an error
 * of code_write, but never by mprotect: that takes too long for a pause. */
int probe_call_lead(uintptr_t return_address, uintptr_t target, struct diag *d);

/* Whether the kernel says that it knows code_fence. */
bool code_fence_can(void);
/* The same, for this process from now on; asked once, outside of a pause: it may take milliseconds.
 */
bool code_fence_open(void);
/* No thread of the process goes on with instructions that its processor had read before.
 * membarrier(2), MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE. */
bool code_fence(void);

#endif
