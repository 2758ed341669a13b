#include "page/squeeze.h"

#include <limits.h>

#include "base/error.h"
#include "base/mem.h"

static void *take(void *arg, unsigned count, unsigned size)
{
	(void)arg;
	return mem_zalloc(count, size);
}

static void give_back(void *arg, void *at)
{
	(void)arg;
	mem_free(at);
}

int squeeze_init(struct squeeze *q, const struct sink *out, int level)
{
	q->out = out;
	q->stream = (z_stream){.zalloc = take, .zfree = give_back};
	return deflateInit(&q->stream, level) == Z_OK ? ERR_NONE : ERR_NOMEM;
}

/* Hands on what comes out for the input so far. */
static int run(struct squeeze *q, int flush)
{
	int more;
	do {
		q->stream.next_out = q->room;
		q->stream.avail_out = sizeof(q->room);
		more = deflate(&q->stream, flush);
		size_t len = sizeof(q->room) - q->stream.avail_out;
		int err = len ? q->out->write(q->out->arg, q->room, len) : ERR_NONE;
		if (err || more == Z_STREAM_ERROR)
			return err ? err : ERR_INTERNAL;
	} while (q->stream.avail_out == 0);
	return ERR_NONE;
}

static int put(void *arg, const void *bytes, size_t len)
{
	struct squeeze *q = arg;
	/* zlib does not write there; without ZLIB_CONST its pointer is not const. */
	union {
		const void *given;
		Bytef *wanted;
	} at = {.given = bytes};
	if (len > UINT_MAX)
		return ERR_LIMIT;
	q->stream.next_in = at.wanted;
	q->stream.avail_in = (unsigned)len;
	return run(q, Z_NO_FLUSH);
}

struct sink squeeze_sink(struct squeeze *q)
{
	return (struct sink){.write = put, .arg = q};
}

int squeeze_end(struct squeeze *q)
{
	q->stream.avail_in = 0;
	return run(q, Z_FINISH);
}

void squeeze_release(struct squeeze *q)
{
	deflateEnd(&q->stream);
}
