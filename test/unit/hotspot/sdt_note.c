#include "hotspot/sdt_note.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

TEST(notes_of_a_library)
{
	struct library_file f = {.stripped = true};
	struct buf file = {0};
	struct elf e;
	struct sdt_notes all;
	struct sdt_note n;
	library_file_put(&f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(ERR_NOT_FOUND, sdt_notes_open(&all, &e));
	buf_clear(&file);
	library_file_probe(&f, "object__alloc", 0x1234, "-8@%rax 8@%rdx");
	library_file_probe(&f, "gc__begin", 0x2345, "");
	library_file_put(&f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(0, sdt_notes_open(&all, &e));
	EXPECT(sdt_notes_next(&all, &n));
	EXPECT_INT(0x1234, n.address);
	EXPECT(slice_equal(slice_str("hotspot"), n.provider));
	EXPECT(slice_equal(slice_str("object__alloc"), n.name));
	EXPECT(slice_equal(slice_str("-8@%rax 8@%rdx"), n.arguments));
	EXPECT(sdt_notes_next(&all, &n));
	EXPECT_INT(0x2345, n.address);
	EXPECT_INT(0, n.arguments.len);
	EXPECT(!sdt_notes_next(&all, &n));
	buf_release(&file);
	library_file_release(&f);
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_notes)
{
	struct library_file f = {.stripped = true};
	library_file_probe(&f, "object__alloc", 0x1234, "-8@%rax");
	const struct buf *notes = library_file_section(&f, ".note.stapsdt", 0);
	for (size_t len = 0; len < notes->len; len++) {
		struct sdt_note n;
		uint8_t *cut = malloc(len + 1);
		memcpy(cut, notes->at, len);
		struct sdt_notes all = {.left = cursor_init(slice(cut, len))};
		bool found = sdt_notes_next(&all, &n); /* its padding is all that may be cut */
		EXPECT(found == (len + 4 > notes->len && n.arguments.len == 7));
		free(cut);
	}
	library_file_release(&f);
}

static const struct {
	const char *text;
	unsigned number, size, reg;
	bool is_signed;
} arguments[] = {{"-8@%rax 8@%rdx -4@%ecx", 0, 8, 0, true},
	{"-8@%rax 8@%rdx -4@%ecx", 1, 8, 2, false}, {"-8@%rax 8@%rdx -4@%ecx", 2, 4, 1, true},
	{"8@%r14", 0, 8, 14, false}, {"4@%r9d", 0, 4, 9, false}, {"8@%rdi", 0, 8, 7, false}};

TEST(arguments_in_registers)
{
	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++) {
		struct sdt_argument a =
			sdt_argument(slice_str(arguments[i].text), arguments[i].number);
		EXPECT_INT(arguments[i].size, a.size);
		EXPECT_INT(arguments[i].reg, a.reg);
		EXPECT_INT(arguments[i].is_signed, a.is_signed);
	}
}

TEST(arguments_elsewhere)
{
	static const char *const none[] = {"", "-", "8", "8@", "8@%", "8@%rzx", "8@%eax", "4@%rax",
		"2@%ax", "8@-40(%rbp)", "8@$5", "16@%rax", "-8@%raxx", "x@%rax", " 8@%rax"};
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		EXPECT_INT(0, sdt_argument(slice_str(none[i]), 0).size);
	EXPECT_INT(0, sdt_argument(slice_str("8@%rax 8@%rbx"), 2).size);
	EXPECT_INT(0, sdt_argument(slice_str("8@%rax"), UINT32_MAX).size);
}
