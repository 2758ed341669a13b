#include "export/out.h"

#include "base/error.h"
#include "support/tap.h"

struct full {
	size_t room, calls;
};

static int write_until_full(void *arg, const void *bytes, size_t len)
{
	struct full *f = arg;
	(void)bytes;
	f->calls++;
	if (len > f->room)
		return ERR_IO;
	f->room -= len;
	return ERR_NONE;
}

TEST(all_arrives_in_order)
{
	struct buf got = {0}, want = {0};
	struct out o = {.sink = sink_buf(&got)};
	size_t most = 0;
	for (int i = 0; i < 50000; i++) {
		buf_printf(&o.text, "%d,", i);
		buf_printf(&want, "%d,", i);
		EXPECT_INT(ERR_NONE, out_step(&o));
		most = o.text.len > most ? o.text.len : most;
	}
	EXPECT_INT(ERR_NONE, out_flush(&o));
	EXPECT(slice_equal(buf_slice(&want), buf_slice(&got)));
	EXPECT(most < want.len / 2);
	out_release(&o);
	buf_release(&got);
	buf_release(&want);
}

TEST(the_first_error_stays)
{
	struct full f = {.room = 100000};
	struct out o = {.sink = {write_until_full, &f}};
	int err = ERR_NONE;
	for (int i = 0; i < 50000; i++) {
		buf_put_str(&o.text, "0123456789");
		err = out_step(&o);
	}
	EXPECT_INT(ERR_IO, err);
	EXPECT_INT(ERR_IO, out_flush(&o));
	EXPECT_INT(2, f.calls);
	out_release(&o);
}
