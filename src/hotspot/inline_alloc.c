#include "hotspot/inline_alloc.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/vm_fields.h"

struct buffer_fields {
	uint32_t buffer, end;
};

#define TO(field) .to = offsetof(struct buffer_fields, field)

int inline_alloc_open(struct inline_alloc *a, const struct vm_structs *s, struct diag *d)
{
	static const struct vm_field fields[] = {
		{"Thread", "_tlab", TO(buffer)}, {"ThreadLocalAllocBuffer", "_end", TO(end)}};
	struct buffer_fields found = {0};
	int err = vm_fields_read(s, fields, ARRAY_SIZE(fields), &found, d);
	a->buffer_end = found.buffer + found.end;
	return err;
}

static int32_t le32(const uint8_t *at)
{
	int32_t v;
	memcpy(&v, at, sizeof(v));
	return v;
}

enum { REX_W = 0x48, REX_R = 4, REX_B = 1, MOV = 0x8b, CMP = 0x3b };
enum { COMPARE = 3, WITH_MEMORY = 7, SHORT_JUMP = 2, NEAR_JUMP = 6 }; /* bytes */

/* mov or cmp of END(%r15) and a register. */
static bool is_of_end(const struct inline_alloc *a, struct slice code, size_t at, uint8_t what)
{
	enum { FORM = 0xc7, R15_AND_32_BITS = 0x87 };
	const uint8_t *p = code.at + at;
	return code.len - at >= WITH_MEMORY && (p[0] & ~REX_R) == (REX_W | REX_B) && p[1] == what &&
	       (p[2] & FORM) == R15_AND_32_BITS && le32(p + 3) == (int32_t)a->buffer_end;
}

/* cmp end, reg: of two registers. */
static bool is_compare(struct slice code, size_t at, unsigned end)
{
	enum { REGISTERS = 0xc0 };
	const uint8_t *p = code.at + at;
	return code.len - at >= COMPARE && (p[0] & ~(REX_R | REX_B)) == REX_W && p[1] == CMP &&
	       (p[2] & REGISTERS) == REGISTERS && ((p[2] & 7u) | (p[0] & REX_B ? 8u : 0)) == end;
}

/* Behind the comparison with the end that is loaded at `at`; 0: there is none near. */
static size_t behind_compare(struct slice code, size_t at)
{
	enum { FAR = 96 };
	const uint8_t *p = code.at + at;
	unsigned end = (p[2] >> 3 & 7u) | (p[0] & REX_R ? 8u : 0);
	size_t last = code.len - at < FAR ? code.len : at + FAR;
	for (size_t i = at + WITH_MEMORY; i < last; i++)
		if (is_compare(code, i, end))
			return i + COMPARE;
	return 0;
}

/* Behind the comparison with the buffer's end that begins, or is prepared, at `at`; 0: none. */
static size_t behind_check(const struct inline_alloc *a, struct slice code, size_t at)
{
	if (is_of_end(a, code, at, CMP))
		return at + WITH_MEMORY;
	return is_of_end(a, code, at, MOV) ? behind_compare(code, at) : 0;
}

struct branch {
	size_t fast, slow; /* where each begins */
};

/* jae or jb, whose condition is `above`; where it goes may be outside of the code. */
static bool read_branch(struct slice code, size_t at, struct branch *out)
{
	enum { BELOW = 2, ABOVE = 3, SHORT = 0x70, NEAR = 0x80, NEAR_PREFIX = 0x0f };
	const uint8_t *p = code.at + at;
	size_t left = code.len - at, to;
	int condition;
	if (left >= SHORT_JUMP && (p[0] & 0xf0) == SHORT) {
		condition = p[0] & 15;
		at += SHORT_JUMP;
		to = at + (size_t)(int64_t)(int8_t)p[1];
	} else if (left >= NEAR_JUMP && p[0] == NEAR_PREFIX && (p[1] & 0xf0) == NEAR) {
		condition = p[1] & 15;
		at += NEAR_JUMP;
		to = at + (size_t)(int64_t)le32(p + 2);
	} else {
		return false;
	}
	*out = condition == ABOVE ? (struct branch){at, to} : (struct branch){to, at};
	return condition == ABOVE || condition == BELOW;
}

bool inline_alloc_slow(const struct inline_alloc *a, struct slice code, size_t at, size_t *slow)
{
	enum { FAST_MAX = 512 }; /* bytes of a fast path, up to the probe */
	size_t nearest = FAST_MAX;
	bool found = false;
	for (size_t i = 0; i < code.len; i++) {
		struct branch b;
		size_t behind = behind_check(a, code, i);
		if (!behind || !read_branch(code, behind, &b) || b.fast > at ||
			at - b.fast >= nearest || b.slow >= code.len)
			continue;
		nearest = at - b.fast;
		*slow = b.slow;
		found = true;
	}
	return found;
}

bool inline_alloc_call(struct slice code, size_t at, int32_t *distance)
{
	enum { CALL = 0xe8, LENGTH = 5 };
	if (at > code.len || at < LENGTH || code.at[at - LENGTH] != CALL)
		return false;
	*distance = le32(code.at + at - 4);
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);
	return len >= tail && strcmp(text + len - tail, end) == 0;
}

bool inline_alloc_stub(const char *name)
{
	static const struct {
		const char *before, *behind;
	} of_c2[] = {{"_", ""}, {"C2 Runtime ", "" /* from 24 or so on */},
		{"", " (C2 runtime)" /* from 27 on */}};
	static const char *const makers[] = {"new_instance", "new_array", "multianewarray"};
	for (size_t i = 0; i < ARRAY_SIZE(of_c2); i++) {
		size_t skip = strlen(of_c2[i].before);
		if (strncmp(name, of_c2[i].before, skip) != 0 || !ends_with(name, of_c2[i].behind))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(makers); k++)
			if (strncmp(name + skip, makers[k], strlen(makers[k])) == 0)
				return true;
	}
	return false;
}
