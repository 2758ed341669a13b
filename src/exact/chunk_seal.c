#include "exact/chunk_seal.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "trace/format.h"

enum {
	SITE_ESCAPE = (1 << EVENT_SITE_BITS) - 1,
	EVENT_SITE_SHIFT = EVENT_DISTANCE_BITS,
	LONG_SITE_WORDS = 3, /* a varint of 10 bytes */
	LONGEST_WORDS = EVENT_WORDS_MAX + LONG_SITE_WORDS,
	PIECE_WORDS = 256,
};

static_assert((int)CHUNK_SEALED_MAX <= (int)BLOCK_RAW_MAX, "a chunk fits a block");

static bool has_site(const struct chunk *c)
{
	return c->kind != EVENT_SWEPT && c->kind != EVENT_FORGOTTEN;
}

/* An event's words but the first and the site: in memory as in the file. */
static uint32_t *put_words(uint32_t *to, const uint32_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		*to++ = htole32(from[i]);
	return to;
}

/* The site behind the word, where it has no room in it: a varint, filled up to whole words. */
static uint32_t *put_long_site(uint32_t *to, uint64_t site)
{
	uint8_t *at = (uint8_t *)to, *start = at;
	memset(to, 0, LONG_SITE_WORDS * sizeof(*to));
	for (; site >= 0x80; site >>= 7)
		*at++ = (uint8_t)site | 0x80;
	*at++ = (uint8_t)site;
	return to + ((size_t)(at - start) + sizeof(*to) - 1) / sizeof(*to);
}

/* Returns the end of what was written, of which there is room for the longest. */
static uint32_t *put_event(uint32_t *to, const uint32_t **from, uint64_t site, bool has_to)
{
	const uint32_t *at = *from;
	uint32_t distance = *at++ & EVENT_DISTANCE_MAX;
	bool far = site >= SITE_ESCAPE;
	*to++ = htole32((far ? SITE_ESCAPE : (uint32_t)site) << EVENT_DISTANCE_BITS | distance);
	if (!distance) {
		to = put_words(to, at, 2);
		at += 2;
	}
	if (far)
		to = put_long_site(to, site);
	if (has_to) {
		to = put_words(to, at, 2);
		at += 2;
	}
	*from = at;
	return to;
}

static void put_events(const struct chunk *c, chunk_site *site, void *arg, struct buf *out)
{
	const uint32_t *at = c->words, *end = c->words + c->used;
	bool has_to = event_has_to((enum event_kind)c->kind), named = has_site(c);
	while (at < end && !buf_reserve(out, PIECE_WORDS * sizeof(uint32_t))) {
		uint32_t piece[PIECE_WORDS], *to = piece;
		while (at < end && to <= piece + PIECE_WORDS - LONGEST_WORDS) {
			uint32_t own = *at >> EVENT_SITE_SHIFT;
			to = put_event(to, &at, named ? site(arg, own) : own, has_to);
		}
		buf_put(out, piece, (size_t)((uint8_t *)to - (uint8_t *)piece));
	}
}

void chunk_seal(const struct chunk *chunk, chunk_site *site, void *arg, struct buf *out)
{
	const struct event_chunk head = {.thread = chunk->thread,
		.interval = chunk->interval,
		.young = chunk->young,
		.flags = chunk->flags,
		.base = chunk->base << 3,
		.kind = (enum event_kind)chunk->kind};
	event_writer_begin(out, &head);
	put_events(chunk, site, arg, out);
}
