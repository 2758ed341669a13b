#include "hotspot/elf.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/elf_file.h"
#include "support/tap.h"

TEST(sections_by_number_and_by_name)
{
	struct buf file = {0};
	struct elf e;
	struct elf_section s;
	elf_file_make(&file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(ELF_FILE_SECTIONS, e.count);
	EXPECT_INT(0, elf_section(&e, ".symtab", &s));
	EXPECT_INT(ELF_FILE_STRTAB, s.link);
	EXPECT_INT(0, s.bytes.len % 24);
	EXPECT_INT(0, elf_section(&e, ".bss", &s));
	EXPECT_INT(0, s.bytes.len);
	EXPECT_INT(0x4000, s.address);
	EXPECT_INT(ERR_NOT_FOUND, elf_section(&e, ".debug", &s));
	EXPECT_INT(ERR_NOT_FOUND, elf_section_at(&e, e.count, &s));
	EXPECT_INT(0, s.bytes.len);
	buf_release(&file);
}

TEST(texts)
{
	char table[ELF_TEXT_MAX + 2] = "";
	memset(table, 'x', sizeof(table) - 1);
	struct slice all = slice(table, sizeof(table));
	EXPECT_INT(0, elf_text(all, 0).len);
	EXPECT_INT(0, elf_text(all, 1).len);
	EXPECT_INT(ELF_TEXT_MAX - 1, elf_text(all, 2).len);
	EXPECT_INT(0, elf_text(slice(table, 4), 0).len);
	EXPECT_INT(0, elf_text(all, sizeof(table)).len);
}

TEST(what_is_no_library_is_refused)
{
	struct elf e;
	struct buf file = {0};
	struct diag d = {""};
	EXPECT_INT(ERR_TRUNCATED, elf_open(&e,
					  slice_str("\x7f"
						    "ELF"),
					  &d));
	elf_file_make(&file);
	file.at[4] = 1;
	EXPECT_INT(ERR_UNSUPPORTED, elf_open(&e, buf_slice(&file), &d));
	file.at[0] = 'M';
	EXPECT_INT(ERR_FORMAT, elf_open(&e, buf_slice(&file), &d));
	EXPECT(d.text[0] != '\0');
	buf_release(&file);
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_anywhere_it_ends_well)
{
	struct buf file = {0};
	elf_file_make(&file);
	for (size_t len = 0; len < file.len; len++) {
		uint8_t *cut = malloc(len + 1);
		struct elf e;
		struct elf_section s;
		memcpy(cut, file.at, len);
		int err = elf_open(&e, slice(cut, len), NULL);
		EXPECT(err == ERR_TRUNCATED || err == 0);
		for (uint32_t i = 0; !err && i < e.count; i++)
			if (elf_section_at(&e, i, &s) == 0 && s.bytes.len)
				EXPECT(s.bytes.at >= cut && s.bytes.at + s.bytes.len <= cut + len);
		free(cut);
	}
	buf_release(&file);
}

TEST(texts_end_inside_their_table)
{
	struct slice table = slice("one\0two\0thr", 11);
	EXPECT(slice_equal(slice_str("two"), elf_text(table, 4)));
	EXPECT(slice_equal(slice_str("wo"), elf_text(table, 5)));
	EXPECT_INT(0, elf_text(table, 8).len); /* without an end */
	EXPECT_INT(0, elf_text(table, 11).len);
	EXPECT_INT(0, elf_text(table, UINT64_MAX).len);
}
