#include "hotspot/elf.h"

#include <stdbool.h>

#include "base/cursor.h"
#include "base/error.h"

enum {
	HEAD = 64,
	SECTION = 64,
	SECTIONS_MAX = 1 << 16,
	NO_BITS = 8 /* SHT_NOBITS */
};
enum { AT_SECTIONS = 40, AT_SECTION_SIZE = 58 };

/* Empty where it is not inside. */
static struct slice part(struct slice whole, uint64_t offset, uint64_t len)
{
	bool inside = offset <= whole.len && len <= whole.len - offset;
	return inside ? slice(whole.at + offset, len) : slice(NULL, 0);
}

static int check_head(struct slice file, struct diag *d)
{
	static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'}, kind[] = {2, 1, 1};
	if (file.len < HEAD)
		return diag_set(d, ERR_TRUNCATED, "a library of %zu bytes", file.len);
	if (memcmp(file.at, magic, sizeof(magic)) != 0)
		return diag_set(d, ERR_FORMAT, "not an ELF file");
	if (memcmp(file.at + sizeof(magic), kind, sizeof(kind)) != 0)
		return diag_set(d, ERR_UNSUPPORTED, "not an ELF file of 64 bits, little-endian");
	return ERR_NONE;
}

int elf_open(struct elf *e, struct slice file, struct diag *d)
{
	*e = (struct elf){.file = file};
	int err = check_head(file, d);
	if (err)
		return err;
	struct cursor c = cursor_init(part(file, AT_SECTIONS, 8));
	uint64_t offset = cursor_le64(&c);
	c = cursor_init(part(file, AT_SECTION_SIZE, 6));
	uint16_t size = cursor_le16(&c), count = cursor_le16(&c), names = cursor_le16(&c);
	if (count && size != SECTION)
		return diag_set(d, ERR_UNSUPPORTED, "sections of %u bytes", size);
	e->headers = part(file, offset, (uint64_t)count * SECTION);
	if (count && !e->headers.len)
		return diag_set(d, ERR_TRUNCATED, "the library ends before its sections");
	e->count = count;
	struct elf_section s;
	if (elf_section_at(e, names, &s) == ERR_NONE)
		e->names = s.bytes;
	return ERR_NONE;
}

struct slice elf_text(struct slice table, uint64_t offset)
{
	if (offset >= table.len)
		return slice(NULL, 0);
	const uint8_t *at = table.at + offset;
	size_t left = table.len - offset;
	const uint8_t *end = memchr(at, 0, left < ELF_TEXT_MAX ? left : ELF_TEXT_MAX);
	return slice(at, end ? (size_t)(end - at) : 0);
}

int elf_section_at(const struct elf *e, uint32_t index, struct elf_section *out)
{
	*out = (struct elf_section){.link = 0};
	if (index >= e->count)
		return ERR_NOT_FOUND;
	struct cursor c = cursor_init(slice(e->headers.at + (size_t)index * SECTION, SECTION));
	uint32_t name = cursor_le32(&c), type = cursor_le32(&c);
	cursor_le64(&c); /* flags */
	out->address = cursor_le64(&c);
	uint64_t offset = cursor_le64(&c), size = cursor_le64(&c);
	out->link = cursor_le32(&c);
	out->name = elf_text(e->names, name);
	if (type != NO_BITS)
		out->bytes = part(e->file, offset, size);
	return type != NO_BITS && out->bytes.len != size ? ERR_CORRUPT : ERR_NONE;
}

int elf_section(const struct elf *e, const char *name, struct elf_section *out)
{
	for (uint32_t i = 0; i < e->count; i++) {
		int err = elf_section_at(e, i, out);
		if (slice_equal(out->name, slice_str(name)))
			return err;
	}
	*out = (struct elf_section){.link = 0};
	return ERR_NOT_FOUND;
}
