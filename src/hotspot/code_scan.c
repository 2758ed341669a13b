#include "hotspot/code_scan.h"

static uint32_t le32(const uint8_t *at)
{
	uint32_t v;
	memcpy(&v, at, sizeof(v));
	return v;
}

/* The displacement of 32 bits that follows `mod=10` of a ModRM byte without SIB. */
static bool is_disp32(uint8_t modrm)
{
	return (modrm & 0xc0) == 0x80 && (modrm & 7) != 4;
}

/* Where in the code at p (left bytes) the displacement of such a read is; 0: no such read. */
static size_t read_at(const uint8_t *p, size_t left, uint32_t offset)
{
	enum { COMPARE = 7, LOAD = 7 };
	if (left >= COMPARE && p[0] == 0x80 && (p[1] & 0x38) == 0x38 && is_disp32(p[1]) &&
		le32(p + 2) == offset && p[6] == 0)
		return 2;
	if (left >= LOAD && p[0] == 0x0f && p[1] == 0xb6 && is_disp32(p[2]) &&
		le32(p + 3) == offset)
		return 3;
	return 0;
}

size_t code_scan_reads(struct slice code, uint32_t offset, size_t *at)
{
	size_t found = 0;
	for (size_t i = 0; i < code.len; i++) {
		size_t skip = read_at(code.at + i, code.len - i, offset);
		if (skip) {
			*at = i + skip;
			found++;
		}
	}
	return found;
}

size_t code_scan_calls(struct slice code, uint64_t address, uint64_t target, size_t *at)
{
	enum { CALL = 5 };
	size_t found = 0;
	for (size_t i = 0; i + CALL <= code.len; i++) {
		uint64_t distance = (uint64_t)(int64_t)(int32_t)le32(code.at + i + 1);
		if (code.at[i] == 0xe8 && address + i + CALL + distance == target) {
			*at = i + 1;
			found++;
		}
	}
	return found;
}

bool code_scan_jump(struct slice code, uint64_t address, uint64_t target, size_t from, size_t *at)
{
	enum { JUMP = 5 };
	for (size_t i = from; i < code.len && code.len - i >= JUMP; i++) {
		uint64_t distance = (uint64_t)(int64_t)(int32_t)le32(code.at + i + 1);
		if (code.at[i] == 0xe9 && address + i + JUMP + distance == target) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* `mov` of a byte or of two into (%rdi): how many bytes, and the offset; 0: no such. */
static unsigned write_at(const uint8_t *p, size_t left, uint32_t *offset)
{
	enum { BYTE = 6, WORD = 7 };
	if (left >= BYTE && p[0] == 0x88 && (p[1] & 0xc7) == 0x87) {
		*offset = le32(p + 2);
		return 1;
	}
	if (left >= WORD && p[0] == 0x66 && p[1] == 0x89 && (p[2] & 0xc7) == 0x87) {
		*offset = le32(p + 3);
		return 2;
	}
	return 0;
}

bool code_scan_writes(struct slice code, uint32_t *least, uint32_t *greatest)
{
	enum { OBJECT_MAX = 1 << 12 };
	*least = UINT32_MAX;
	*greatest = 0;
	for (size_t i = 0; i < code.len; i++) {
		uint32_t offset = 0;
		unsigned bytes = write_at(code.at + i, code.len - i, &offset);
		if (!bytes || offset >= OBJECT_MAX)
			continue;
		*least = offset < *least ? offset : *least;
		*greatest = offset + bytes - 1 > *greatest ? offset + bytes - 1 : *greatest;
	}
	return *least != UINT32_MAX;
}
