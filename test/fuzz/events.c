/* Bytes as a chunk of events: what is read and written again reads the same. */
#include <stdint.h>
#include <stdlib.h>

#include "trace/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void copy(struct event_reader *r, struct buf *out)
{
	struct event_writer w = event_writer_begin(out, &r->chunk);
	struct event e;
	while (event_reader_next(r, &e, NULL) > 0)
		event_writer_put(&w, &e);
}

static void compare(struct event_reader a, struct slice again)
{
	struct event_reader b;
	struct event x, y;
	if (event_reader_begin(&b, again, NULL))
		abort();
	while (event_reader_next(&a, &x, NULL) > 0)
		if (event_reader_next(&b, &y, NULL) != 1 || x.site != y.site ||
			x.address != y.address || x.to != y.to)
			abort();
	if (event_reader_next(&b, &y, NULL) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event_reader r;
	struct buf out = {0};
	if (event_reader_begin(&r, slice(data, size), NULL))
		return 0;
	struct event_reader start = r;
	copy(&r, &out);
	if (!out.failed)
		compare(start, buf_slice(&out));
	buf_release(&out);
	return 0;
}
