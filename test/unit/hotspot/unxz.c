#include "hotspot/unxz.h"

#include <dlfcn.h>
#include <lzma.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/xz_of.h"

static bool hidden; /* liblzma is not there */

/* Before libc's own. */
void *dlopen(const char *file, int mode)
{
	void *(*next)(const char *, int);
	void *symbol = dlsym(RTLD_NEXT, "dlopen");
	memcpy(&next, &symbol, sizeof(next));
	return hidden && file && strstr(file, "lzma") ? NULL : next(file, mode);
}

/* A text that packs well, but not to nothing. */
static struct buf made(size_t len)
{
	struct buf b = {0};
	for (size_t i = 0; i < len; i++)
		buf_put_u8(&b, (uint8_t)(i * i / 1000));
	return b;
}

static int unpack(struct slice packed, struct diag *d)
{
	struct buf out = {0};
	int err = unxz(&out, packed, d);
	buf_release(&out);
	return err;
}

TEST(what_was_packed)
{
	static const size_t sizes[] = {0, 1, 16 << 10, (16 << 10) + 1, 1000000};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct buf all = made(sizes[i]), packed = {0}, out = {0};
		xz_of(&packed, buf_slice(&all));
		buf_put_str(&out, "before");
		EXPECT_INT(0, unxz(&out, buf_slice(&packed), NULL));
		EXPECT_INT(6 + sizes[i], out.len);
		EXPECT(slice_equal(buf_slice(&all), slice(out.at + 6, out.len - 6)));
		buf_release(&all);
		buf_release(&packed);
		buf_release(&out);
	}
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_anywhere_it_ends_too_early)
{
	struct buf all = made(3000), packed = {0};
	xz_of(&packed, buf_slice(&all));
	for (size_t len = 0; len < packed.len; len++) {
		struct diag d = {""};
		uint8_t *cut = malloc(len + 1);
		memcpy(cut, packed.at, len);
		EXPECT_INT(ERR_TRUNCATED, unpack(slice(cut, len), &d));
		EXPECT_STR("they end too early", d.text);
		free(cut);
	}
	buf_release(&all);
	buf_release(&packed);
}

TEST(damaged_anywhere_it_is_refused)
{
	struct buf all = made(3000), packed = {0};
	xz_of(&packed, buf_slice(&all));
	for (size_t at = 0; at < packed.len; at++) {
		packed.at[at] ^= 0x20;
		EXPECT(unpack(buf_slice(&packed), NULL) < 0);
		packed.at[at] ^= 0x20;
	}
	packed.at[packed.len / 2] ^= 1;
	EXPECT_INT(ERR_CORRUPT, unpack(buf_slice(&packed), NULL));
	buf_release(&all);
	buf_release(&packed);
}

TEST(more_than_the_most)
{
	struct diag d = {""};
	struct buf all = {0}, packed = {0};
	EXPECT_INT(0, buf_reserve(&all, UNXZ_OUTPUT_MAX + 1));
	memset(all.at, 'a', UNXZ_OUTPUT_MAX + 1);
	all.len = UNXZ_OUTPUT_MAX;
	xz_of(&packed, buf_slice(&all));
	EXPECT_INT(0, unpack(buf_slice(&packed), &d));
	all.len++;
	buf_clear(&packed);
	xz_of(&packed, buf_slice(&all));
	EXPECT_INT(ERR_LIMIT, unpack(buf_slice(&packed), &d));
	EXPECT_STR("they are too large", d.text);
	buf_release(&all);
	buf_release(&packed);
}

/* The header of the first block, behind 12 bytes: its size / 4, …, LZMA2, 1, the dictionary's size,
 * …, a checksum. */
TEST(more_memory_than_the_most)
{
	enum { BLOCK = 12, MB_128 = 30 };
	struct diag d = {""};
	struct buf all = made(3000), packed = {0};
	xz_of(&packed, buf_slice(&all));
	size_t len = (size_t)packed.at[BLOCK] * 4;
	uint8_t *filter = memmem(packed.at + BLOCK, len, "\x21\x01", 2);
	EXPECT(filter != NULL);
	filter[2] = MB_128;
	uint32_t crc = lzma_crc32(packed.at + BLOCK, len, 0);
	for (int i = 0; i < 4; i++)
		packed.at[BLOCK + len + (size_t)i] = (uint8_t)(crc >> (8 * i));
	EXPECT_INT(ERR_LIMIT, unpack(buf_slice(&packed), &d));
	EXPECT_STR("unpacking them would take too much memory", d.text);
	buf_release(&all);
	buf_release(&packed);
}

TEST(no_memory)
{
	struct buf all = made(100000), packed = {0};
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	xz_of(&packed, buf_slice(&all));
	uint64_t before = mem_held();
	for (uint64_t n = 1; err && n < 100; n++) {
		mem_fail_at(n);
		err = unpack(buf_slice(&packed), NULL);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT_INT(before, mem_held());
	}
	EXPECT_INT(0, err);
	buf_release(&packed);
	EXPECT_INT(held, mem_held());
	buf_release(&all);
}

TEST(without_liblzma)
{
	struct diag d = {""};
	hidden = true;
	EXPECT_INT(ERR_UNSUPPORTED, unpack(slice_str("x"), &d));
	hidden = false;
	EXPECT_STR("liblzma.so.5 is not there to unpack them", d.text);
	EXPECT_INT(ERR_CORRUPT, unpack(slice_str("no xz at all, this"), NULL));
}
