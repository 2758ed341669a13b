#include "hotspot/unwind_table.h"

#include <stdbool.h>

#include "base/cursor.h"
#include "base/error.h"

/* How x86-64's compilers write addresses there: four bytes, signed, from where they stand. */
enum { RELATIVE_4 = 0x1b, OMITTED = 0xff };

/* One entry of the table, without its length: a CIE (id 0), or the FDE of a range. */
struct entry {
	struct cursor body; /* behind the id */
	uint64_t id_at;     /* from the section's start */
	uint32_t id;        /* how far before id_at its CIE begins */
};

/* False at the end. Entries of more than 4 GB are none that can be read. */
static bool next_entry(struct cursor *c, struct slice section, struct entry *out)
{
	uint32_t len = cursor_le32(c);
	if (c->err || len < sizeof(uint32_t))
		return false;
	out->id_at = (uint64_t)(c->at - section.at);
	struct slice body = cursor_bytes(c, len);
	if (c->err)
		return false;
	out->body = cursor_init(body);
	out->id = cursor_le32(&out->body);
	return true;
}

/* A number of LEB128 that is not wanted. */
static void skip_leb(struct cursor *c)
{
	while (!c->err && (cursor_u8(c) & 0x80))
		;
}

/* How the pointers of the CIE's ranges are written, by its augmentation: "zPLR". */
static uint8_t encoding_by(struct slice augmentation, struct cursor *c)
{
	enum { ABSOLUTE = 0, SIZE_MASK = 0x0f, SIZE_4 = 0x03 };
	for (size_t i = 1; i < augmentation.len; i++) {
		uint8_t how = augmentation.at[i];
		if (how == 'R')
			return cursor_u8(c);
		if (how == 'L')
			cursor_u8(c);
		if (how == 'P')
			cursor_bytes(c, (cursor_u8(c) & SIZE_MASK & ~8) == SIZE_4 ? 4 : 8);
	}
	return ABSOLUTE;
}

static uint8_t encoding_of(struct slice section, uint64_t at)
{
	struct entry cie;
	if (at >= section.len)
		return OMITTED;
	struct cursor c = cursor_init(slice(section.at + at, section.len - at));
	if (!next_entry(&c, section, &cie) || cie.id != 0)
		return OMITTED;
	c = cie.body;
	uint8_t version = cursor_u8(&c);
	struct slice augmentation = elf_text(slice(c.at, cursor_left(&c)), 0);
	cursor_bytes(&c, augmentation.len + 1);
	if (!augmentation.len || augmentation.at[0] != 'z' || (version != 1 && version != 3))
		return OMITTED;
	skip_leb(&c); /* how code is aligned, */
	skip_leb(&c); /* and data; */
	skip_leb(&c); /* the register of the return address: in version 1 a byte below 0x80 */
	skip_leb(&c); /* the augmentation's length */
	uint8_t encoding = encoding_by(augmentation, &c);
	return c.err ? OMITTED : encoding;
}

static bool range_of(const struct elf_section *s, const struct entry *e, struct unwind_range *out)
{
	struct cursor c = e->body;
	uint64_t at = s->address + (uint64_t)(c.at - s->bytes.at);
	out->address = at + (uint64_t)(int64_t)(int32_t)cursor_le32(&c);
	out->size = cursor_le32(&c);
	return !c.err;
}

static bool has(const struct unwind_range *r, uint64_t address)
{
	return address >= r->address && address - r->address < r->size;
}

int unwind_table_find(const struct elf *e, uint64_t address, struct unwind_range *out)
{
	struct elf_section s;
	struct entry one;
	struct unwind_range r;
	size_t found = 0;
	*out = (struct unwind_range){.size = 0};
	if (elf_section(e, ".eh_frame", &s) != ERR_NONE || !s.bytes.len)
		return ERR_UNSUPPORTED;
	struct cursor c = cursor_init(s.bytes);
	while (cursor_left(&c) && next_entry(&c, s.bytes, &one)) {
		/* The encoding is looked up only for what would be the range: it is rarely other.
		 */
		if (one.id == 0 || one.id > one.id_at || !range_of(&s, &one, &r) ||
			!has(&r, address))
			continue;
		if (encoding_of(s.bytes, one.id_at - one.id) != RELATIVE_4)
			return ERR_UNSUPPORTED;
		*out = r;
		if (++found > 1)
			break;
	}
	return found == 1 ? ERR_NONE : ERR_NOT_FOUND;
}
