#include "hotspot/code_patch.h"

#include <string.h>

#include "base/error.h"
#include "hotspot/endbr64.h"

/* A write that failed may have come halfway: what stands there is ours and what was mixed, or
 * another's, which is left. Whoever asked has been told why it can't be written. */
static void take_back(const struct code_patch *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (p->at[i] != p->old[i] && p->at[i] != p->ours[i])
			return;
	size_t from = 0, to = p->len;
	while (from < to && p->at[from] == p->old[from])
		from++;
	while (to > from && p->at[to - 1] == p->old[to - 1])
		to--;
	if (from < to)
		code_write_back(p->at + from, p->old + from, to - from, p->protection, NULL);
}

int code_patch_bytes(
	struct code_patch *p, void *at, const void *bytes, size_t count, struct diag *d)
{
	*p = (struct code_patch){.at = at};
	if (count == 0 || count > CODE_WRITE_MAX)
		return diag_set(d, ERR_LIMIT, "a patch of %zu bytes", count);
	p->len = (uint8_t)count;
	p->protection = code_protection(at);
	memcpy(p->old, at, count);
	memcpy(p->ours, bytes, count);
	int err = code_write(at, bytes, count, d);
	p->on = !err;
	if (err)
		take_back(p);
	return err;
}

static const uint8_t jump_to[CODE_PATCH_JUMP] = {0x48, 0xb8, [10] = 0xff, 0xe0};
enum { TARGET_AT = 2 };

static size_t entry_skip(const void *function)
{
	return endbr64_len(slice(function, ENDBR64_LEN));
}

const void *code_patch_leads(const void *function)
{
	uint8_t jump[CODE_PATCH_JUMP];
	const void *target;
	memcpy(jump, (const uint8_t *)function + entry_skip(function), sizeof(jump));
	memcpy(&target, jump + TARGET_AT, sizeof(target));
	memcpy(jump + TARGET_AT, jump_to + TARGET_AT, sizeof(target));
	return memcmp(jump, jump_to, sizeof(jump)) == 0 ? target : NULL;
}

int code_patch_jump(struct code_patch *p, void *function, const void *target, struct diag *d)
{
	uint8_t jump[CODE_PATCH_JUMP], *at = (uint8_t *)function + entry_skip(function);
	memcpy(jump, jump_to, sizeof(jump));
	memcpy(jump + TARGET_AT, &target, sizeof(target));
	return code_patch_bytes(p, at, jump, sizeof(jump), d);
}

int code_patch_undo(struct code_patch *p, struct diag *d)
{
	if (!p->on)
		return ERR_NONE;
	if (memcmp(p->at, p->ours, p->len) != 0)
		return diag_set(
			d, ERR_BUSY, "another tool has changed the VM's code over mayfly's patch");
	int err = code_write_back(p->at, p->old, p->len, p->protection, d);
	p->on = err != ERR_NONE;
	return err;
}
