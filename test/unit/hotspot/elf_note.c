#include "hotspot/elf_note.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

static const uint8_t id[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static void put(struct buf *b, const char *name, uint32_t type, const char *bytes)
{
	static const char zeros[4];
	size_t name_len = strlen(name) + 1, len = strlen(bytes);
	buf_put_le32(b, (uint32_t)name_len);
	buf_put_le32(b, (uint32_t)len);
	buf_put_le32(b, type);
	buf_put(b, name, name_len);
	buf_put(b, zeros, -name_len % 4);
	buf_put(b, bytes, len);
	buf_put(b, zeros, -len % 4);
}

TEST(one_after_the_other)
{
	struct buf b = {0};
	struct elf_note n;
	put(&b, "GNU", 3, "twelve bytes");
	put(&b, "stapsdt", 4, "odd");
	put(&b, "odd", 5, "and");
	put(&b, "even", 6, "ends");
	put(&b, "stapsdt", 4, "odd");
	struct cursor c = cursor_init(slice(b.at, b.len - 1)); /* without the last padding */
	EXPECT(elf_note_next(&c, &n));
	EXPECT(slice_equal(slice_str("GNU"), n.name));
	EXPECT_INT(3, n.type);
	EXPECT(slice_equal(slice_str("twelve bytes"), n.bytes));
	EXPECT(elf_note_next(&c, &n));
	EXPECT(slice_equal(slice_str("stapsdt"), n.name));
	EXPECT(slice_equal(slice_str("odd"), n.bytes));
	EXPECT(elf_note_next(&c, &n));
	EXPECT(slice_equal(slice_str("odd"), n.name));
	EXPECT(elf_note_next(&c, &n));
	EXPECT(slice_equal(slice_str("even"), n.name));
	EXPECT(slice_equal(slice_str("ends"), n.bytes));
	EXPECT(elf_note_next(&c, &n));
	EXPECT(slice_equal(slice_str("odd"), n.bytes));
	EXPECT_INT(0, cursor_left(&c));
	EXPECT(!elf_note_next(&c, &n));
	buf_release(&b);
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_anywhere_it_is_no_note)
{
	struct buf b = {0};
	put(&b, "GNU", 3, "twelve bytes");
	for (size_t len = 0; len < b.len; len++) {
		struct elf_note n;
		uint8_t *cut = malloc(len + 1);
		memcpy(cut, b.at, len);
		struct cursor c = cursor_init(slice(cut, len));
		EXPECT(!elf_note_next(&c, &n));
		free(cut);
	}
	memset(b.at, 0xff, 8); /* lengths of 4 GB */
	struct elf_note n;
	struct cursor c = cursor_init(buf_slice(&b));
	EXPECT(!elf_note_next(&c, &n));
	buf_release(&b);
}

/* The build id of a library whose id has so many bytes. */
static size_t id_len(size_t len, bool again)
{
	static const uint8_t bytes[80];
	struct library_file f = {.stripped = true};
	struct buf file = {0};
	struct elf e;
	library_file_build_id(&f, bytes, len);
	if (again)
		library_file_build_id(&f, id, sizeof(id));
	library_file_put(&f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	size_t found = elf_build_id(&e).len;
	buf_release(&file);
	library_file_release(&f);
	return found;
}

TEST(build_ids)
{
	struct library_file f = {.stripped = true};
	struct buf file = {0};
	struct elf e;
	library_file_put(&f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT_INT(0, elf_build_id(&e).len);
	buf_clear(&file);
	library_file_build_id(&f, id, sizeof(id));
	library_file_put(&f, &file);
	EXPECT_INT(0, elf_open(&e, buf_slice(&file), NULL));
	EXPECT(slice_equal(slice(id, sizeof(id)), elf_build_id(&e)));
	buf_release(&file);
	library_file_release(&f);
	EXPECT_INT(8, id_len(8, false));
	EXPECT_INT(0, id_len(7, false));
	EXPECT_INT(64, id_len(64, false));
	EXPECT_INT(0, id_len(65, false));
	EXPECT_INT(sizeof(id), id_len(65, true));
}
