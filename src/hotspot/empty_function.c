#include "hotspot/empty_function.h"

#include <string.h>

#include "base/compiler.h"
#include "hotspot/endbr64.h"

/* As compilers write them: with a frame and without one, in both orders. */
static const struct {
	uint8_t len, bytes[8];
} bodies[] = {
	{3, {0x31, 0xc0, 0xc3}},       /* xor %eax,%eax; ret */
	{6, {0xb8, 0, 0, 0, 0, 0xc3}}, /* mov $0,%eax; ret */
	{8, {0x55, 0x31, 0xc0, 0x48, 0x89, 0xe5, 0x5d,
		    0xc3}}, /* push; xor; mov %rsp,%rbp; pop; ret */
	{8, {0x55, 0x48, 0x89, 0xe5, 0x31, 0xc0, 0x5d, 0xc3}},
};

static bool starts(struct slice code, const void *with, size_t len)
{
	return code.len >= len && memcmp(code.at, with, len) == 0;
}

static struct slice skip(struct slice code, size_t count)
{
	return count < code.len ? slice(code.at + count, code.len - count) : slice(NULL, 0);
}

static bool is_body(struct slice code)
{
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++)
		if (code.len == bodies[i].len && starts(code, bodies[i].bytes, code.len))
			return true;
	return false;
}

/* Of a `nop` with an operand, by the byte that says which: it may have one more and a displacement.
 * 0: it is another instruction. */
static size_t operand_len(uint8_t modrm)
{
	static const uint8_t displacements[] = {0, 1, 4};
	if (modrm >> 6 > 2 || modrm & 0x38)
		return 0;
	return (modrm & 7) == 4 ? 2U + displacements[modrm >> 6] : 1U + displacements[modrm >> 6];
}

/* Of the filling that the code begins with; 0: it is none. */
static size_t filling_len(struct slice code)
{
	size_t at = 0;
	while (at < code.len && (code.at[at] == 0x66 || code.at[at] == 0x2e))
		at++;
	if (at == code.len)
		return at; /* prefixes to the end of what is asked for */
	if (code.at[at] == 0x90 || (at == 0 && code.at[at] == 0xcc))
		return at + 1;
	if (code.at[at] != 0x0f || (at + 1 < code.len && code.at[at + 1] != 0x1f))
		return 0;
	size_t operand = at + 2 < code.len ? operand_len(code.at[at + 2]) : 1;
	return operand ? at + 2 + operand : 0;
}

bool empty_function_is(struct slice code, size_t size)
{
	size_t mark = endbr64_len(code);
	if (size > code.len || size < mark || !is_body(slice(code.at + mark, size - mark)))
		return false;
	size_t len = 1;
	for (code = skip(code, size); code.len && len; code = skip(code, len))
		len = filling_len(code);
	return len > 0;
}
