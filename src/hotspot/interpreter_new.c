#include "hotspot/interpreter_new.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/code_write.h"

enum { NOT_EQUAL = 0x85, NO_CARRY = 0x83, NEW_MOST = 512 };

/* The index of the class, which stands behind the bytecode: movzwl 1(%r13), %edx. */
static const uint8_t begin[] = {0x41, 0x0f, 0xb7, 0x55, 0x01};
/* test $1, %dl and the long jne, in both lengths of the first. */
static const uint8_t with_byte[] = {0xf6, 0xc2, 1, 0x0f, NOT_EQUAL};
static const uint8_t with_word[] = {0xf7, 0xc2, 1, 0, 0, 0, 0x0f, NOT_EQUAL};

/* Bytes of the test at the start, up to behind the jump's two; 0: there is none. */
static size_t test_at(struct slice code, size_t at)
{
	static const struct slice forms[] = {
		{with_byte, sizeof(with_byte)}, {with_word, sizeof(with_word)}};
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (code.len - at >= forms[i].len &&
			memcmp(code.at + at, forms[i].at, forms[i].len) == 0)
			return forms[i].len;
	return 0;
}

/* Whether a jump whose distance stands at `at` goes on, and ends inside. */
static bool goes_on(struct slice code, size_t at)
{
	int32_t distance;
	if (code.len - at < sizeof(distance))
		return false;
	memcpy(&distance, code.at + at, sizeof(distance));
	return distance > 0 && (size_t)distance < code.len - at - sizeof(distance);
}

bool interpreter_new_find(struct slice code, size_t *at)
{
	size_t found = 0, last = 0;
	if (code.len < sizeof(begin) || memcmp(code.at, begin, sizeof(begin)) != 0)
		return false;
	for (size_t i = sizeof(begin); i < code.len; i++) {
		size_t bytes = test_at(code, i);
		if (!bytes)
			continue;
		found++;
		last = i + bytes;
	}
	if (found != 1 || !goes_on(code, last))
		return false;
	*at = last - 1;
	return true;
}

/* The code that the interpreter does `new` by, where nothing is on top of its stack in a register.
 */
static uintptr_t code_of_new(const uint8_t *templates)
{
	enum { CODES = 256, STATE_NONE = 9, NEW = 0xbb };
	uintptr_t at;
	memcpy(&at, templates + (STATE_NONE * CODES + NEW) * sizeof(at), sizeof(at));
	return at;
}

int interpreter_new_open(
	struct interpreter_new *n, const uint8_t *templates, const struct code_blobs *blobs)
{
	struct code_blob blob;
	n->condition = NULL;
	uintptr_t code = templates ? code_of_new(templates) : 0;
	if (!code || code_blob_find(blobs, code, &blob) || strcmp(blob.name, "Interpreter") != 0)
		return ERR_NOT_FOUND;
	size_t at, left = blob.end - code;
	if (!interpreter_new_find(
		    slice((const void *)code, left < NEW_MOST ? left : NEW_MOST), &at))
		return ERR_NOT_FOUND;
	n->condition = (uint8_t *)code + at;
	return ERR_NONE;
}

int interpreter_new_ask(const struct interpreter_new *n, bool each, struct diag *d)
{
	uint8_t condition = each ? NO_CARRY : NOT_EQUAL;
	if (!n->condition || *n->condition == condition)
		return ERR_NONE;
	return code_write(n->condition, &condition, 1, d);
}
