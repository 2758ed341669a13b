#include "support/elf_file.h"

#include <string.h>

enum { HEAD = 64, SECTION = 64, FUNCTION = 2, OBJECT = 1, TABLE = 2, TEXTS = 3, NO_BITS = 8 };

static const char section_names[] = "\0.shstrtab\0.symtab\0.strtab\0.bss";
static const char names[] = "\0alloc\0alloc_more\0twice\0missing\0flag";

static const struct {
	const char *name;
	uint8_t type;
	uint16_t section;
	uint64_t address, size;
} symbols[] = {{"", 0, 0, 0, 0}, {"alloc", FUNCTION, 1, 0x1000, 64},
	{"alloc_more", FUNCTION, 1, 0x2000, 8}, {"twice", FUNCTION, 1, 0x2100, 8},
	{"twice", FUNCTION, 1, 0x2200, 8}, {"missing", FUNCTION, 0, 0, 0},
	{"flag", OBJECT, ELF_FILE_BSS, 0x4000, 1}};

/* Where the text begins in a table of texts that has it. */
static uint32_t place(const char *table, size_t len, const char *text)
{
	for (size_t at = 0; at < len; at += strlen(table + at) + 1)
		if (strcmp(table + at, text) == 0)
			return (uint32_t)at;
	return 0;
}

static void put_symbols(struct buf *out)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		buf_put_le32(out, place(names, sizeof(names), symbols[i].name));
		buf_put_u8(out, symbols[i].type);
		buf_put_u8(out, 0);
		buf_put_le16(out, symbols[i].section);
		buf_put_le64(out, symbols[i].address);
		buf_put_le64(out, symbols[i].size);
	}
}

static void put_section(struct buf *out, const char *name, uint32_t type, uint64_t address,
	uint64_t offset, uint64_t size, uint32_t link)
{
	buf_put_le32(out, place(section_names, sizeof(section_names), name));
	buf_put_le32(out, type);
	buf_put_le64(out, 0);
	buf_put_le64(out, address);
	buf_put_le64(out, offset);
	buf_put_le64(out, size);
	buf_put_le32(out, link);
	for (int i = 0; i < 5; i++)
		buf_put_le32(out, 0);
}

static void put_head(struct buf *out, uint64_t sections)
{
	static const uint8_t magic[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	buf_put(out, magic, sizeof(magic));
	for (int i = 0; i < 6; i++)
		buf_put_le32(out, 0);
	buf_put_le64(out, sections);
	for (int i = 0; i < 5; i++)
		buf_put_le16(out, 0);
	buf_put_le16(out, SECTION);
	buf_put_le16(out, ELF_FILE_SECTIONS);
	buf_put_le16(out, ELF_FILE_NAMES);
}

void elf_file_make(struct buf *out)
{
	struct buf body = {0};
	uint64_t at_names = HEAD, at_symbols = at_names + sizeof(section_names);
	put_symbols(&body);
	uint64_t at_texts = at_symbols + body.len, end = at_texts + sizeof(names);
	put_head(out, end);
	buf_put(out, section_names, sizeof(section_names));
	buf_put(out, body.at, body.len);
	buf_put(out, names, sizeof(names));
	put_section(out, "", 0, 0, 0, 0, 0);
	put_section(out, ".shstrtab", TEXTS, 0, at_names, sizeof(section_names), 0);
	put_section(out, ".symtab", TABLE, 0, at_symbols, body.len, ELF_FILE_STRTAB);
	put_section(out, ".strtab", TEXTS, 0, at_texts, sizeof(names), 0);
	put_section(out, ".bss", NO_BITS, 0x4000, end, 1 << 20, 0);
	buf_release(&body);
}
