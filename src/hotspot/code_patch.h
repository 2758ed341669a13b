/*
 * A patch of the VM's code that remembers what stood there.
 *
 * When it may be put on: code_write is not atomic over several bytes, so that nobody may execute
 * them meanwhile. That holds for the functions of allocation events as long as DTraceAllocProbes is
 * off: at OnLoad nobody runs at all, and at a late attach nothing calls them yet. So the patch
 * comes first and the flag after it.
 *
 * When it may be taken off: not while the program runs. Once the flag was on, compiled code calls
 * the function whatever the flag says, and a thread may stand between the two instructions of the
 * jump. So an agent that ends its recording leaves the jump where it is; it leads to a function of
 * the agent, whose library is never unloaded, and which does nothing from then on (it asks one
 * atomic flag). code_patch_undo is for moments when the program stands: in a GC pause, or at a
 * failure of OnLoad. One-byte patches (displacements, 0xCC) are atomic, and may be undone any time.
 */
#ifndef HOTSPOT_CODE_PATCH_H
#define HOTSPOT_CODE_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/code_write.h"

enum { CODE_PATCH_JUMP = 12 };

struct code_patch {
	uint8_t *at;
	uint8_t old[CODE_WRITE_MAX], ours[CODE_WRITE_MAX];
	uint8_t len;
	bool on;
	int protection; /* of the page, before */
};

/*
 * From the function's entry (behind an endbr64, which stays) to the target: `mov $target, %rax; jmp
 * *%rax`. rax holds nothing at a C function's entry. 0 or an error of code_write; the patch is off
 * then, and what it had written so far is taken back.
 */
int code_patch_jump(struct code_patch *p, void *function, const void *target, struct diag *d);
/* Where such a jump leads that is there; NULL: none is. */
const void *code_patch_leads(const void *function);
/* These bytes instead, at most CODE_WRITE_MAX. */
int code_patch_bytes(
	struct code_patch *p, void *at, const void *bytes, size_t count, struct diag *d);
/*
 * What stood there before. Nothing where it is off. ERR_BUSY: someone has written over it since; it
 * is left as it is, and stays on.
 */
int code_patch_undo(struct code_patch *p, struct diag *d);

#endif
