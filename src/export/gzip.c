#include "export/gzip.h"

#define ZLIB_CONST /* it reads what it is given */
#include <zlib.h>

#include "base/error.h"
#include "base/mem.h"

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

static void *take(void *arg, unsigned count, unsigned size)
{
	(void)arg;
	return mem_zalloc(count, size);
}

static void give(void *arg, void *at)
{
	(void)arg;
	mem_free(at);
}

int gzip_put(struct buf *out, struct slice bytes)
{
	z_stream z = {.zalloc = take, .zfree = give};
	if (bytes.len > UINT32_MAX)
		return ERR_LIMIT;
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
		    Z_DEFAULT_STRATEGY) != Z_OK)
		return ERR_NOMEM;
	size_t room = deflateBound(&z, bytes.len);
	uint8_t *to = room > UINT32_MAX ? NULL : mem_alloc(room);
	int err = to ? ERR_NONE : ERR_NOMEM;
	if (!err) {
		z.next_in = bytes.at;
		z.avail_in = (unsigned)bytes.len;
		z.next_out = to;
		z.avail_out = (unsigned)room;
		if (deflate(&z, Z_FINISH) == Z_STREAM_END)
			buf_put(out, to, room - z.avail_out);
		else
			err = ERR_NOMEM;
	}
	deflateEnd(&z);
	mem_free(to);
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}
