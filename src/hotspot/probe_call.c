#include "hotspot/probe_call.h"

#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "hotspot/code_write.h"

/* Where in the two instructions the constant stands; before and behind it is what they are. */
enum { CONSTANT_AT = 2, CALL_AT = CONSTANT_AT + sizeof(uint64_t) };
static const uint8_t mov_r10[] = {0x49, 0xba}, call_r10[] = {0x41, 0xff, 0xd2};
_Static_assert(CALL_AT + sizeof(call_r10) == PROBE_CALL_BYTES, "all of it");

uintptr_t probe_call_target(uintptr_t return_address)
{
	const uint8_t *at = (const uint8_t *)return_address - PROBE_CALL_BYTES;
	uint64_t target;
	if (memcmp(at, mov_r10, sizeof(mov_r10)) != 0 ||
		memcmp(at + CALL_AT, call_r10, sizeof(call_r10)) != 0)
		return 0;
	memcpy(&target, at + CONSTANT_AT, sizeof(target));
	return (uintptr_t)target;
}

/* Bytes that one of two pages has could be written and the others not. */
static bool in_one_page(const uint8_t *at, size_t count)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	return (uintptr_t)at / page == ((uintptr_t)at + count - 1) / page;
}

/* The VM maps compiled code writable; a VM that does not would need the file. */
static int write_constant(uint8_t *at, const uint64_t *constant, struct diag *d)
{
	int err = code_write_in(CODE_WAY_MEMORY, at, constant, sizeof(*constant), d);
	return err == ERR_DENIED ? code_write_in(CODE_WAY_FILE, at, constant, sizeof(*constant), d)
				 : err;
}

int probe_call_lead(uintptr_t return_address, uintptr_t target, struct diag *d)
{
	uint8_t *at = (uint8_t *)return_address - PROBE_CALL_BYTES;
	uint64_t constant = target;
	if (!probe_call_target(return_address))
		return diag_set(d, ERR_CORRUPT, "no call of the VM's ends there");
	if (!in_one_page(at + CONSTANT_AT, sizeof(constant)))
		return diag_set(d, ERR_UNSUPPORTED, "the call's constant lies in two pages");
	return write_constant(at + CONSTANT_AT, &constant, d);
}

static bool membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool code_fence_can(void)
{
	long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	return commands > 0 && commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE;
}

bool code_fence_open(void)
{
	return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);
}

bool code_fence(void)
{
	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}
