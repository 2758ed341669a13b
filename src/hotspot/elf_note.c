#include "hotspot/elf_note.h"

#include "base/error.h"

enum { ALIGN = 4, BUILD_ID = 3 /* NT_GNU_BUILD_ID */, ID_LEAST = 8, ID_MOST = 64 };

/* The last one of a section may lack its padding. */
static void skip_padding(struct cursor *c, uint32_t len)
{
	size_t more = -(size_t)len % ALIGN;
	cursor_bytes(c, more < cursor_left(c) ? more : cursor_left(c));
}

bool elf_note_next(struct cursor *c, struct elf_note *out)
{
	uint32_t name = cursor_le32(c), bytes = cursor_le32(c);
	out->type = cursor_le32(c);
	out->name = cursor_bytes(c, name);
	skip_padding(c, name);
	out->bytes = cursor_bytes(c, bytes);
	skip_padding(c, bytes);
	if (out->name.len && !out->name.at[out->name.len - 1])
		out->name.len--;
	return !c->err;
}

struct slice elf_build_id(const struct elf *e)
{
	struct elf_section s;
	struct elf_note n;
	if (elf_section(e, ".note.gnu.build-id", &s) != ERR_NONE || !s.bytes.len)
		return slice(NULL, 0);
	struct cursor c = cursor_init(s.bytes);
	while (cursor_left(&c) && elf_note_next(&c, &n))
		if (n.type == BUILD_ID && slice_equal(n.name, slice_str("GNU")) &&
			n.bytes.len >= ID_LEAST && n.bytes.len <= ID_MOST)
			return n.bytes;
	return slice(NULL, 0);
}
