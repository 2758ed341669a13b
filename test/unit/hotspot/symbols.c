#include "hotspot/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/error.h"
#include "support/elf_file.h"
#include "support/tap.h"

TEST(names_that_are_there_once)
{
	struct buf file = {0};
	struct elf e;
	struct symbols s;
	struct symbol found;
	elf_file_make(&file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(0, symbols_open(&s, &e, NULL));
	EXPECT(s.whole);
	EXPECT_INT(1, symbols_find(&s, "alloc", false, &found));
	EXPECT_INT(0x1000, found.address);
	EXPECT_INT(64, found.size);
	EXPECT(found.function && slice_equal(slice_str("alloc"), found.name));
	EXPECT_INT(1, symbols_find(&s, "alloc_", true, &found));
	EXPECT_INT(0x2000, found.address);
	EXPECT_INT(1, symbols_find(&s, "flag", false, &found));
	EXPECT(!found.function);
	buf_release(&file);
}

TEST(names_that_are_not_or_twice)
{
	struct buf file = {0};
	struct elf e;
	struct symbols s;
	struct symbol found;
	elf_file_make(&file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(0, symbols_open(&s, &e, NULL));
	EXPECT_INT(2, symbols_find(&s, "twice", false, &found));
	EXPECT_INT(0x2100, found.address);
	EXPECT_INT(2, symbols_find(&s, "alloc", true, &found));
	EXPECT_INT(0, symbols_find(&s, "missing", false, &found));
	EXPECT_INT(0, found.address);
	EXPECT_INT(0, symbols_find(&s, "allo", false, &found));
	EXPECT_INT(0, symbols_find(&s, "flags", false, &found));
	buf_release(&file);
}

/* What is not written takes no memory. */
TEST(more_than_any_library_has)
{
	enum { SYMBOL = 24, TABLE = SYMBOLS_MAX * SYMBOL, AT_SIZE = 32, AT_HEADERS = 40 };
	struct buf file = {0};
	struct elf e;
	struct symbols s;
	struct diag d = {""};
	elf_file_make(&file);
	size_t all = file.len + TABLE + SYMBOL;
	uint8_t *at = mmap(NULL, all, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	EXPECT(at != MAP_FAILED);
	memcpy(at, file.at, file.len);
	uint64_t headers, size = TABLE;
	memcpy(&headers, at + AT_HEADERS, sizeof(headers));
	uint8_t *of = at + headers + ELF_FILE_SYMTAB * 64 + AT_SIZE;
	memcpy(of, &size, sizeof(size));
	EXPECT_INT(0, elf_open(&e, slice(at, all), NULL));
	EXPECT_INT(0, symbols_open(&s, &e, NULL));
	size += SYMBOL;
	memcpy(of, &size, sizeof(size));
	EXPECT_INT(ERR_LIMIT, symbols_open(&s, &e, &d));
	EXPECT_STR("the library's symbols are more than any VM has", d.text);
	EXPECT_INT(0, s.count);
	munmap(at, all);
	buf_release(&file);
}

TEST(a_library_without_symbols)
{
	struct buf file = {0};
	struct elf e;
	struct symbols s;
	struct diag d = {""};
	elf_file_make(&file);
	uint8_t *name = memmem(file.at, file.len, ".symtab", 7);
	name[1] = 'S';
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(ERR_NOT_FOUND, symbols_open(&s, &e, &d));
	EXPECT_STR("the library's symbols are not there", d.text);
	EXPECT_INT(0, s.count);
	buf_release(&file);
}

/* Against the loader, on the library that every program has. */
TEST(as_the_loader_finds_them)
{
	Dl_info info;
	struct elf e;
	struct symbols s;
	struct symbol found;
	struct buf file = {0};
	char chunk[65536];
	size_t got;
	const void *known = dlsym(RTLD_DEFAULT, "strfry");
	EXPECT(known && dladdr(known, &info));
	FILE *f = fopen(info.dli_fname, "rb");
	while (f && (got = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_put(&file, chunk, got);
	if (f)
		fclose(f);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(0, symbols_open(&s, &e, NULL));
	EXPECT_INT(1, symbols_find(&s, "strfry", false, &found));
	EXPECT(found.function);
	EXPECT(known == (const char *)info.dli_fbase + found.address);
	buf_release(&file);
}
