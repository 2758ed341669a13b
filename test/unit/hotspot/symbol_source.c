#include "hotspot/symbol_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"
#include "support/xz_of.h"

static const uint8_t push[] = {0x55};

struct rig {
	struct library_file library, more; /* more: what .gnu_debugdata has */
	struct buf file;
	struct elf elf;
	struct symbols symbols;
	struct symbol_source source;
};

static struct rig *rig_open(bool stripped)
{
	struct rig *r = calloc(1, sizeof(*r));
	r->library.stripped = stripped;
	library_file_function(&r->library, "alloc", push, sizeof(push), 16);
	library_file_function(&r->more, "alloc", push, sizeof(push), 16);
	return r;
}

static void pack(struct rig *r)
{
	struct buf small = {0};
	library_file_put(&r->more, &small);
	xz_of(library_file_section(&r->library, ".gnu_debugdata", 0), buf_slice(&small));
	buf_release(&small);
}

static int look(struct rig *r, struct diag *d)
{
	buf_clear(&r->file);
	library_file_put(&r->library, &r->file);
	EXPECT_INT(0, elf_open(&r->elf, buf_slice(&r->file), NULL));
	return symbol_source_open(&r->source, &r->symbols, &r->elf, "/tmp/none/lib.so", d);
}

static void rig_close(struct rig *r)
{
	symbol_source_release(&r->source);
	EXPECT_STR("", symbol_source_name(&r->source));
	library_file_release(&r->library);
	library_file_release(&r->more);
	buf_release(&r->file);
	free(r);
}

static void expect_alloc(const struct rig *r)
{
	struct symbol s;
	EXPECT(r->symbols.whole);
	EXPECT_INT(1, symbols_find(&r->symbols, "alloc", false, &s));
	EXPECT_INT(LIBRARY_FILE_CODE, s.address);
	EXPECT_STR("", r->source.lack.text);
}

TEST(its_own)
{
	struct rig *r = rig_open(false);
	pack(r); /* not looked at */
	library_file_section(&r->library, ".gnu_debugdata", 0)->at[20] ^= 1;
	EXPECT_INT(0, look(r, NULL));
	expect_alloc(r);
	EXPECT_INT(SYMBOLS_OWN, r->source.origin);
	EXPECT_STR(".symtab", symbol_source_name(&r->source));
	rig_close(r);
}

TEST(packed)
{
	struct rig *r = rig_open(true);
	pack(r);
	EXPECT_INT(0, look(r, NULL));
	expect_alloc(r);
	EXPECT_INT(SYMBOLS_PACKED, r->source.origin);
	EXPECT(!r->source.packed);
	EXPECT_STR(".gnu_debugdata", symbol_source_name(&r->source));
	symbol_source_forget(&r->source);
	EXPECT(r->source.unpacked.at == NULL);
	EXPECT_STR(".gnu_debugdata", symbol_source_name(&r->source));
	rig_close(r);
}

TEST(packed_but_not_to_be_had)
{
	struct rig *r = rig_open(true);
	pack(r);
	struct buf *b = library_file_section(&r->library, ".gnu_debugdata", 0);
	b->at[b->len / 2] ^= 1;
	EXPECT_INT(0, look(r, NULL));
	EXPECT(!r->symbols.whole && r->source.packed);
	EXPECT_STR("the library is stripped: its symbols are in .gnu_debugdata, but they are "
		   "damaged",
		r->source.lack.text);
	EXPECT(r->source.unpacked.at == NULL);
	symbol_source_release(&r->source);
	buf_clear(b);
	r->more.stripped = true; /* none in there either */
	pack(r);
	EXPECT_INT(0, look(r, NULL));
	EXPECT(!r->symbols.whole && r->source.packed);
	symbol_source_release(&r->source);
	buf_clear(b);
	buf_put(library_file_section(&r->more, ".dynsym", 0), (uint8_t[24]){0}, 24);
	pack(r); /* only what it exports */
	EXPECT_INT(0, look(r, NULL));
	EXPECT(!r->symbols.whole && r->source.packed);
	EXPECT_STR("the library is stripped: its symbols are in .gnu_debugdata, but it holds none",
		r->source.lack.text);
	rig_close(r);
}

TEST(nowhere)
{
	struct rig *r = rig_open(true);
	EXPECT_INT(0, look(r, NULL));
	EXPECT(!r->symbols.whole && !r->source.packed);
	EXPECT_INT(0, r->symbols.count);
	EXPECT_STR("the library is stripped, and its debug symbols are not installed",
		r->source.lack.text);
	rig_close(r);
}

TEST(in_a_debug_file)
{
	char work[] = "/tmp/mayfly-source-XXXXXX", path[128], library[128];
	static const uint8_t id[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct rig *r = rig_open(true);
	struct buf b = {0}, *link = library_file_section(&r->library, ".gnu_debuglink", 0);
	EXPECT(mkdtemp(work) != NULL);
	snprintf(path, sizeof(path), "%s/lib.dbg", work);
	snprintf(library, sizeof(library), "%s/lib.so", work);
	library_file_build_id(&r->library, id, sizeof(id));
	library_file_build_id(&r->more, id, sizeof(id));
	buf_put(link, "lib.dbg\0\0\0\0", 12);
	pack(r); /* the debug file comes first: it has variables too */
	library_file_variable(&r->more, "flag", 0x5000, 1);
	library_file_put(&r->more, &b);
	FILE *f = fopen(path, "wb");
	EXPECT(f && fwrite(b.at, 1, b.len, f) == b.len);
	if (f)
		fclose(f);
	library_file_put(&r->library, &r->file);
	EXPECT_INT(0, elf_open(&r->elf, buf_slice(&r->file), NULL));
	EXPECT_INT(0, symbol_source_open(&r->source, &r->symbols, &r->elf, library, NULL));
	expect_alloc(r);
	EXPECT_STR(path, symbol_source_name(&r->source));
	EXPECT_INT(2, r->symbols.count);
	buf_release(&b);
	rig_close(r);
	unlink(path);
	rmdir(work);
}
