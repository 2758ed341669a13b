#include "trace/events.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { EVENTS = 500, HEAD_MAX = 50 };

static const uint64_t sites[] = {0, 1, 0xffffe, 0xfffff, 0x100000, UINT32_MAX, UINT64_MAX};

/* Mostly the next object, at times one far away or the same again. */
static uint64_t step(struct rng *rng, uint64_t address)
{
	switch (rng_below(rng, 8)) {
	case 0:
		return rng_u64(rng) & ~7ull;
	case 1:
		return address;
	case 2:
		return address + 8 * rng_below(rng, 8192);
	default:
		return address + 8 * (1 + rng_below(rng, 60));
	}
}

static void make(struct rng *rng, struct event_chunk *chunk, struct event *events)
{
	uint64_t address = rng_u64(rng) & ~7ull;
	chunk->thread = rng_u64(rng) >> rng_below(rng, 64);
	chunk->interval = rng_u64(rng) >> rng_below(rng, 64);
	chunk->young = rng_u64(rng) >> rng_below(rng, 64);
	chunk->flags = rng_below(rng, 4);
	chunk->kind = chunk->flags & EVENTS_OF_GC
			      ? (enum event_kind)(1 + rng_below(rng, EVENT_KINDS - 1))
			      : EVENT_BIRTHS;
	chunk->base = event_base(address);
	for (int i = 0; i < EVENTS; i++) {
		events[i] = (struct event){
			.site = rng_below(rng, 4) ? rng_below(rng, 1000)
						  : sites[rng_below(rng, ARRAY_SIZE(sites))],
			.address = address,
			.to = event_has_to(chunk->kind) ? rng_u64(rng) & ~7ull : 0};
		address = step(rng, address);
	}
}

static void write_all(struct buf *out, const struct event_chunk *chunk, const struct event *events)
{
	struct event_writer w = event_writer_begin(out, chunk);
	for (int i = 0; i < EVENTS; i++)
		event_writer_put(&w, &events[i]);
	EXPECT_INT(0, out->failed);
}

TEST(what_is_written_is_read)
{
	struct rng rng = rng_init(tap_seed());
	static struct event events[EVENTS];
	for (int round = 0; round < 100; round++) {
		struct buf out = {0};
		struct event_chunk chunk;
		struct event_reader r;
		struct event e;
		make(&rng, &chunk, events);
		write_all(&out, &chunk, events);
		EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), NULL));
		EXPECT(r.chunk.thread == chunk.thread && r.chunk.interval == chunk.interval &&
			r.chunk.young == chunk.young && r.chunk.flags == chunk.flags &&
			r.chunk.kind == chunk.kind);
		for (int i = 0; i < EVENTS; i++) {
			EXPECT_INT(1, event_reader_next(&r, &e, NULL));
			EXPECT(e.site == events[i].site && e.address == events[i].address &&
				e.to == events[i].to);
		}
		EXPECT_INT(0, event_reader_next(&r, &e, NULL));
		buf_release(&out);
	}
}

TEST(four_bytes_an_event)
{
	struct buf out = {0};
	struct event_chunk chunk = {.base = event_base(0x7f0000001000)};
	struct event_writer w = event_writer_begin(&out, &chunk);
	size_t head = out.len;
	for (uint64_t i = 0; i < 1000; i++)
		event_writer_put(
			&w, &(struct event){.site = i, .address = 0x7f0000001000 + i * 24});
	EXPECT_INT(4000, out.len - head);
	event_writer_put(&w, &(struct event){.address = w.last * 8 + 4095 * 8});
	EXPECT_INT(4004, out.len - head);
	event_writer_put(&w, &(struct event){.address = w.last * 8 + 4096 * 8});
	EXPECT_INT(4016, out.len - head);
	event_writer_put(&w, &(struct event){.address = w.last * 8 - 8});
	EXPECT_INT(4028, out.len - head);
	event_writer_put(&w, &(struct event){.site = 0xfffff, .address = w.last * 8 + 8});
	EXPECT_INT(4036, out.len - head);
	buf_release(&out);
}

/* Each cut in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_anywhere)
{
	struct rng rng = rng_init(tap_seed());
	static struct event events[EVENTS];
	struct buf out = {0};
	struct event_chunk chunk;
	make(&rng, &chunk, events);
	write_all(&out, &chunk, events);
	for (size_t len = 0; len < out.len; len++) {
		uint8_t *cut = malloc(len + 1);
		struct event_reader r;
		struct event e;
		int i = 0, more;
		memcpy(cut, out.at, len);
		int err = event_reader_begin(&r, slice(cut, len), NULL);
		EXPECT(err == 0 || (err == ERR_TRUNCATED && len < HEAD_MAX));
		while (!err && (more = event_reader_next(&r, &e, NULL)) != 0) {
			if (more < 0)
				EXPECT_INT(ERR_TRUNCATED, more);
			if (more < 0)
				break;
			EXPECT(e.address == events[i++].address);
		}
		free(cut);
	}
	buf_release(&out);
}

TEST(what_can_not_be_is_refused)
{
	struct buf out = {0};
	struct event_reader r;
	struct event e;
	struct diag d = {""};
	struct event_chunk chunk = {.flags = EVENTS_OF_GC, .kind = EVENT_KINDS};
	event_writer_begin(&out, &chunk);
	EXPECT_INT(ERR_UNSUPPORTED, event_reader_begin(&r, buf_slice(&out), &d));
	EXPECT(d.text[0] != '\0');
	buf_clear(&out);
	chunk = (struct event_chunk){.base = 8};
	event_writer_begin(&out, &chunk);
	buf_put_le32(&out, 5u << 12); /* an escape … */
	buf_put_le64(&out, UINT64_MAX);
	EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), &d));
	EXPECT_INT(ERR_FORMAT, event_reader_next(&r, &e, &d));
	buf_clear(&out);
	event_writer_begin(&out, &chunk);
	buf_put_le32(&out, 0xfffffu << 12 | 1);
	buf_put_le32(&out, 0x01000005); /* … a site not padded with zeros */
	EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), &d));
	EXPECT_INT(ERR_FORMAT, event_reader_next(&r, &e, &d));
	buf_release(&out);
}
