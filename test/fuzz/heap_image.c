/*
 * Bytes as a row of chunks of events, each with its length before it: whatever they tell, objects
 * (or from its first whole checkpoint on, where the first byte says so) are neither made up nor
 * lost, stand at one address each, and a checkpoint of what stands agrees.
 */
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "fuzz/fuzz.h"
#include "trace/heap_image.h"

enum { SITES = 1000, CHUNK_MAX = 4096, AWAITS = 0xff };

struct seen {
	uint64_t count, last;
	struct buf out;
	struct event_writer w;
};

static int see(void *arg, uint64_t address, const struct image_object *o)
{
	struct seen *s = arg;
	FUZZ_CHECK(!s->count || address > s->last);
	FUZZ_CHECK(o->site <= SITES && o->thread <= SITES);
	event_writer_put(
		&s->w, &(const struct event){o->site, address, (uint64_t)o->survived << 3});
	s->last = address;
	s->count++;
	return 0;
}

static void compare(struct heap_image *h)
{
	uint64_t standing = heap_image_standing(h), odd = h->odds[IMAGE_ODD_CHECKPOINT];
	const struct event_chunk head = {.thread = standing,
		.interval = h->interval,
		.young = h->young,
		.flags = EVENTS_CLOSED | EVENTS_OF_GC,
		.kind = EVENT_STANDS};
	struct seen s = {0};
	s.w = event_writer_begin(&s.out, &head);
	FUZZ_CHECK(!heap_image_each(h, see, &s));
	FUZZ_CHECK(s.count == standing);
	FUZZ_CHECK(!heap_image_compare(h, buf_slice(&s.out)));
	FUZZ_CHECK(h->odds[IMAGE_ODD_CHECKPOINT] == odd);

	struct heap_image again = {.site_ids = SITES, .thread_ids = SITES};
	if (standing)
		FUZZ_CHECK(!heap_image_begin(&again, buf_slice(&s.out)));
	FUZZ_CHECK(heap_image_standing(&again) == standing && !again.odds[IMAGE_ODD_BROKEN]);
	heap_image_release(&again);
	buf_release(&s.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct heap_image h = {.site_ids = SITES, .thread_ids = SITES};
	struct cursor c = cursor_init(slice(data, size));
	if (size && data[0] == AWAITS) {
		cursor_u8(&c);
		heap_image_await(&h);
	}
	while (cursor_left(&c)) {
		struct slice chunk = cursor_sized(&c, CHUNK_MAX);
		if (c.err)
			break;
		/* What begins so is taken for a checkpoint. */
		if (chunk.len && chunk.at[0] == 0xff)
			FUZZ_CHECK(!heap_image_compare(&h, chunk));
		else
			FUZZ_CHECK(!heap_image_chunk(&h, chunk));
	}
	FUZZ_CHECK(!heap_image_end(&h));
	if (h.waits)
		FUZZ_CHECK(!h.totals.chunks && !h.totals.births && !h.totals.deaths);
	else
		compare(&h);
	heap_image_release(&h);
	return 0;
}
