#include "hotspot/symbols.h"

#include "base/cursor.h"
#include "base/error.h"

enum { SYMBOL = 24, FUNCTION = 2 /* STT_FUNC */, UNDEFINED = 0 /* SHN_UNDEF */ };

static int open_table(struct symbols *s, const struct elf *e, const char *name)
{
	struct elf_section table, names;
	int err = elf_section(e, name, &table);
	if (!err)
		err = elf_section_at(e, table.link, &names);
	if (err)
		return err;
	*s = (struct symbols){
		.table = table.bytes, .names = names.bytes, .count = table.bytes.len / SYMBOL};
	return s->count > SYMBOLS_MAX ? ERR_LIMIT : s->count ? ERR_NONE : ERR_NOT_FOUND;
}

static const char *lack(int err)
{
	return err == ERR_NOT_FOUND ? "not there"
	       : err == ERR_LIMIT   ? "more than any VM has"
				    : "not inside its file";
}

int symbols_open(struct symbols *s, const struct elf *e, struct diag *d)
{
	*s = (struct symbols){.count = 0};
	int err = open_table(s, e, ".symtab");
	s->whole = !err;
	if (err == ERR_NOT_FOUND)
		err = open_table(s, e, ".dynsym");
	if (err)
		*s = (struct symbols){.count = 0};
	return err ? diag_set(d, err, "the library's symbols are %s", lack(err)) : ERR_NONE;
}

static struct cursor entry(const struct symbols *s, size_t i)
{
	return cursor_init(slice(s->table.at + i * SYMBOL, SYMBOL));
}

struct symbol symbols_at(const struct symbols *s, size_t i)
{
	struct cursor c = entry(s, i);
	uint32_t name = cursor_le32(&c);
	uint8_t info = cursor_u8(&c);
	cursor_u8(&c);   /* visibility */
	cursor_le16(&c); /* section */
	uint64_t address = cursor_le64(&c), size = cursor_le64(&c);
	return (struct symbol){elf_text(s->names, name), address, size, (info & 15) == FUNCTION};
}

static bool is_defined(const struct symbols *s, size_t i)
{
	struct cursor c = entry(s, i);
	cursor_le32(&c);
	cursor_le16(&c);
	return cursor_le16(&c) != UNDEFINED;
}

/* Without making a symbol of each: there are some 60 000. */
static bool is_named(const struct symbols *s, size_t i, struct slice name, bool prefix)
{
	struct cursor c = entry(s, i);
	uint32_t at = cursor_le32(&c);
	if (at >= s->names.len || s->names.len - at <= name.len)
		return false;
	const uint8_t *text = s->names.at + at;
	return memcmp(text, name.at, name.len) == 0 && (prefix || !text[name.len]);
}

size_t symbols_find(const struct symbols *s, const char *name, bool prefix, struct symbol *out)
{
	size_t found = 0;
	struct slice wanted = slice_str(name);
	*out = (struct symbol){.size = 0};
	for (size_t i = 0; i < s->count; i++)
		if (is_named(s, i, wanted, prefix) && is_defined(s, i) && found++ == 0)
			*out = symbols_at(s, i);
	return found;
}
