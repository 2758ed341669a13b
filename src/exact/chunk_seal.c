#include "exact/chunk_seal.h"

#include <assert.h>

#include "exact/chunk_cursor.h"
#include "trace/format.h"

static_assert((int)CHUNK_SEALED_MAX <= (int)BLOCK_RAW_MAX, "a chunk fits a block");

static bool has_site(const struct chunk *c)
{
	return c->kind != EVENT_SWEPT && c->kind != EVENT_FORGOTTEN;
}

void chunk_seal(const struct chunk *chunk, chunk_site *site, void *arg, struct buf *out)
{
	const struct event_chunk head = {.thread = chunk->thread,
		.interval = chunk->interval,
		.young = chunk->young,
		.flags = chunk->flags,
		.base = chunk->base << 3,
		.kind = (enum event_kind)chunk->kind};
	struct event_writer w = event_writer_begin(out, &head);
	struct chunk_cursor c = chunk_cursor(chunk);
	struct event e;
	while (chunk_cursor_next(&c, &e)) {
		if (has_site(chunk))
			e.site = site(arg, (uint32_t)e.site);
		event_writer_put(&w, &e);
	}
}
