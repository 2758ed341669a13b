#include "hotspot/unwind_table.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include "base/error.h"
#include "hotspot/library.h"
#include "support/library_file.h"
#include "support/tap.h"

static int find_in(struct library_file *f, uint64_t address, struct unwind_range *out)
{
	struct buf file = {0};
	struct elf e;
	library_file_put(f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	int err = unwind_table_find(&e, address, out);
	buf_release(&file);
	return err;
}

TEST(ranges)
{
	struct library_file f = {.stripped = true};
	struct unwind_range r;
	EXPECT_INT(ERR_UNSUPPORTED, find_in(&f, 0x1000, &r));
	library_file_range(&f, 0x1000, 0x40);
	library_file_range(&f, 0x1040, 0x10);
	EXPECT_INT(0, find_in(&f, 0x1000, &r));
	EXPECT_INT(0x1000, r.address);
	EXPECT_INT(0x40, r.size);
	EXPECT_INT(0, find_in(&f, 0x103f, &r));
	EXPECT_INT(0x1000, r.address);
	EXPECT_INT(0, find_in(&f, 0x1040, &r));
	EXPECT_INT(0x1040, r.address);
	EXPECT_INT(ERR_NOT_FOUND, find_in(&f, 0x1050, &r));
	EXPECT_INT(ERR_NOT_FOUND, find_in(&f, 0xfff, &r));
	library_file_range(&f, 0x1020, 0x40); /* two that say otherwise */
	EXPECT_INT(ERR_NOT_FOUND, find_in(&f, 0x1020, &r));
	EXPECT_INT(0, find_in(&f, 0x101f, &r));
	library_file_release(&f);
}

/* Each further one would be read for nothing, with what it says of its form. */
TEST(two_are_enough)
{
	enum { ID = 4 };
	struct library_file f = {.stripped = true};
	struct unwind_range r;
	library_file_range(&f, 0x1000, 0x40);
	library_file_range(&f, 0x1000, 0x40);
	size_t third = library_file_section(&f, ".eh_frame", 0)->len;
	library_file_range(&f, 0x1000, 0x40);
	library_file_section(&f, ".eh_frame", 0)->at[third + ID] = ID; /* no such form */
	EXPECT_INT(ERR_NOT_FOUND, find_in(&f, 0x1000, &r));
	library_file_release(&f);
}

TEST(tables_of_another_form)
{
	enum { VERSION = 8, LETTERS = 9, ENCODING = 16 };
	struct unwind_range r;
	static const struct {
		size_t at;
		uint8_t byte;
	} changes[] = {{VERSION, 4}, {LETTERS, 'e'}, {ENCODING, 0x00}, {ENCODING, 0x9b},
		{LETTERS + 1, 'P'}};
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		struct library_file f = {.stripped = true};
		library_file_range(&f, 0x1000, 0x40);
		library_file_section(&f, ".eh_frame", 0)->at[changes[i].at] = changes[i].byte;
		EXPECT_INT(ERR_UNSUPPORTED, find_in(&f, 0x1000, &r));
		library_file_release(&f);
	}
}

/* Cut or damaged, it is found as it was or not at all, and nothing outside is read. */
TEST(damaged_tables)
{
	struct unwind_range r;
	struct library_file f = {.stripped = true};
	library_file_range(&f, 0x1000, 0x40);
	struct buf *b = library_file_section(&f, ".eh_frame", 0);
	size_t whole = b->len;
	for (b->len = whole - 1; b->len; b->len--)
		EXPECT(find_in(&f, 0x1000, &r) < 0);
	b->len = whole;
	for (size_t i = 0; i < whole; i++)
		for (int bit = 0; bit < 8; bit++) {
			b->at[i] ^= (uint8_t)(1 << bit);
			if (find_in(&f, 0x1000, &r) == 0)
				EXPECT(0x1000 >= r.address && 0x1000 - r.address < r.size);
			b->at[i] ^= (uint8_t)(1 << bit);
		}
	library_file_release(&f);
}

/* Against the symbols, on the library that every program has. */
TEST(as_the_symbols_have_it)
{
	struct vm_library l;
	struct symbol s;
	struct unwind_range r;
	EXPECT_INT(0, vm_library_open(&l, dlsym(RTLD_DEFAULT, "strfry"), NULL));
	EXPECT_INT(1, symbols_find(&l.symbols, "strfry", false, &s));
	EXPECT_INT(0, unwind_table_find(&l.elf, s.address + s.size / 2, &r));
	EXPECT_INT(s.address, r.address);
	EXPECT_INT(s.size, r.size);
	vm_library_release(&l);
}
