#include "page/squeeze.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/page_read.h"
#include "support/tap.h"

static int squeeze(struct buf *out, struct slice bytes, size_t piece)
{
	struct squeeze q;
	struct sink to = sink_buf(out);
	int err = squeeze_init(&q, &to, 6);
	if (err)
		return err;
	struct sink in = squeeze_sink(&q);
	for (size_t at = 0; at < bytes.len && !err; at += piece)
		err = in.write(
			in.arg, bytes.at + at, piece < bytes.len - at ? piece : bytes.len - at);
	err = err ? err : squeeze_end(&q);
	squeeze_release(&q);
	return err;
}

TEST(any_bytes_in_any_pieces_come_back)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 30; round++) {
		struct buf bytes = {0}, stream = {0}, back = {0};
		uint64_t kinds = 1 + rng_below(&rng, 256);
		for (uint64_t n = round ? rng_below(&rng, 200000) : 0; n > 0; n--)
			buf_put_u8(&bytes, (uint8_t)rng_below(&rng, kinds));
		EXPECT_INT(
			0, squeeze(&stream, buf_slice(&bytes), 1 + (size_t)rng_below(&rng, 60000)));
		EXPECT_INT(0, page_read_inflate(&back, buf_slice(&stream)));
		EXPECT(slice_equal(buf_slice(&bytes), buf_slice(&back)));
		buf_release(&bytes);
		buf_release(&stream);
		buf_release(&back);
	}
}

/* Takes so many bytes. */
static int take(void *arg, const void *bytes, size_t len)
{
	size_t *left = arg;
	(void)bytes;
	if (len > *left)
		return ERR_IO;
	*left -= len;
	return ERR_NONE;
}

/* Two bytes come at once, the header; the rest at the end. */
TEST(what_the_sink_refuses_is_told)
{
	for (size_t room = 0; room < 3; room++) {
		struct squeeze q;
		size_t left = room;
		struct sink sink = {.write = take, .arg = &left};
		EXPECT_INT(0, squeeze_init(&q, &sink, 6));
		struct sink in = squeeze_sink(&q);
		EXPECT_INT(room < 2 ? ERR_IO : 0, in.write(in.arg, "abc", 3));
		EXPECT_INT(ERR_IO, squeeze_end(&q));
		squeeze_release(&q);
	}
}

TEST(out_of_memory)
{
	struct buf out = {0};
	uint64_t held = mem_held(), n = 0;
	int err = ERR_NOMEM;
	while (err == ERR_NOMEM) {
		mem_fail_at(++n);
		err = squeeze(&out, slice_str("hello"), 5);
		mem_fail_at(0);
		buf_release(&out);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	EXPECT(n > 2);
}
