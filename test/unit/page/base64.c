#include "page/base64.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/page_read.h"
#include "support/tap.h"

/* Gives the bytes in pieces of 1 … most. */
static void encode(struct buf *out, struct slice bytes, struct rng *rng, uint64_t most)
{
	struct sink to = sink_buf(out);
	struct base64 b = base64_init(&to);
	struct sink in = base64_sink(&b);
	for (size_t at = 0; at < bytes.len;) {
		size_t len = 1 + (size_t)rng_below(rng, most);
		len = len < bytes.len - at ? len : bytes.len - at;
		EXPECT_INT(0, in.write(in.arg, bytes.at + at, len));
		at += len;
	}
	EXPECT_INT(0, base64_end(&b));
}

/* RFC 4648, section 10. */
TEST(vectors_of_the_rfc)
{
	static const char *const vectors[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="},
		{"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"}};
	struct rng rng = rng_init(tap_seed());
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		struct buf out = {0};
		encode(&out, slice_str(vectors[i][0]), &rng, 3);
		EXPECT_STR(vectors[i][1], buf_text(&out));
		buf_release(&out);
	}
}

TEST(any_bytes_in_any_pieces_come_back)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 50; round++) {
		struct buf bytes = {0}, text = {0}, back = {0};
		for (uint64_t n = rng_below(&rng, 20000); n > 0; n--)
			buf_put_u8(&bytes, (uint8_t)rng_u64(&rng));
		encode(&text, buf_slice(&bytes), &rng, 1 + rng_below(&rng, 9000));
		EXPECT_INT((bytes.len + 2) / 3 * 4, text.len);
		EXPECT_INT(0, page_read_base64(&back, buf_slice(&text)));
		EXPECT(slice_equal(buf_slice(&bytes), buf_slice(&back)));
		buf_release(&bytes);
		buf_release(&text);
		buf_release(&back);
	}
}

static int refuse(void *arg, const void *bytes, size_t len)
{
	(void)bytes;
	size_t *left = arg;
	if (len > *left)
		return ERR_IO;
	*left -= len;
	return ERR_NONE;
}

TEST(what_the_sink_refuses_is_told)
{
	size_t room = 8;
	struct sink full = {.write = refuse, .arg = &room};
	struct base64 b = base64_init(&full);
	struct sink in = base64_sink(&b);
	EXPECT_INT(0, in.write(in.arg, "abcdef", 6));
	EXPECT_INT(0, in.write(in.arg, "g", 1));
	EXPECT_INT(ERR_IO, base64_end(&b));
	b = base64_init(&full);
	EXPECT_INT(ERR_IO, in.write(in.arg, "abc", 3));
}
