#include "exact/chunk_seal.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "trace/format.h"

enum {
	LONG_SITE_WORDS = 3,               /* a varint of 10 bytes */
	WORST_WORDS = 1 + LONG_SITE_WORDS, /* of one in memory */
	/* zstd takes 30 % less time for an event in blocks of 128 KiB than of 32. */
	JOINED_BYTES = 96 << 10,
};

static_assert((int)CHUNK_SEALED_MAX <= (int)BLOCK_RAW_MAX, "a chunk fits a block");

static bool has_site(const struct chunk *c)
{
	return c->kind != EVENT_SWEPT && c->kind != EVENT_FORGOTTEN;
}

static size_t worst_bytes(const struct chunk *c)
{
	return (size_t)c->used * WORST_WORDS * sizeof(*c->words);
}

/* In memory as in the file. */
static uint8_t *put_words(uint8_t *to, const uint32_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++, to += sizeof(*from)) {
		uint32_t word = htole32(from[i]);
		memcpy(to, &word, sizeof(word));
	}
	return to;
}

/* The site behind the word, where it has no room in it: a varint, filled up to whole words. */
static uint8_t *put_long_site(uint8_t *to, uint64_t site)
{
	const size_t word = sizeof(uint32_t);
	uint8_t *at = to;
	memset(to, 0, LONG_SITE_WORDS * word);
	for (; site >= 0x80; site >>= 7)
		*at++ = (uint8_t)site | 0x80;
	*at++ = (uint8_t)site;
	return to + ((size_t)(at - to) + word - 1) / word * word;
}

/* Returns the end of what was written, of which there is room for the longest. site_of: NULL: it
 * has none. */
static uint8_t *put_event(
	uint8_t *to, const uint32_t **from, chunk_site *site_of, void *arg, bool has_to)
{
	const uint32_t *at = *from;
	uint32_t own = *at >> EVENT_DISTANCE_BITS, distance = *at & EVENT_DISTANCE_MAX;
	uint64_t site = site_of ? site_of(arg, own) : own;
	bool far = site >= EVENT_SITE_ESCAPE;
	const uint32_t word =
		(far ? EVENT_SITE_ESCAPE : (uint32_t)site) << EVENT_DISTANCE_BITS | distance;
	to = put_words(to, &word, 1);
	at++;
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

/*
 * As many as have a known site and no escape, which are nearly all: their words with another site.
 * width: words of an event. Returns the first one that is left.
 */
static inline const uint32_t *put_run(
	uint8_t **out, const uint32_t *at, const uint32_t *end, const uint32_t *known, size_t width)
{
	uint8_t *to = *out;
	for (; at < end; at += width, to += width * sizeof(*at)) {
		uint32_t site = known[*at >> EVENT_DISTANCE_BITS],
			 distance = *at & EVENT_DISTANCE_MAX;
		if (!distance || site - 1 >= EVENT_SITE_ESCAPE - 1)
			break;
		uint32_t words[3] = {htole32(site << EVENT_DISTANCE_BITS | distance)};
		for (size_t i = 1; i < width; i++)
			words[i] = htole32(at[i]);
		memcpy(to, words, width * sizeof(*at));
	}
	*out = to;
	return at;
}

static uint8_t *put_events(
	uint8_t *to, const struct chunk *c, const uint32_t *at, const struct chunk_sites *sites)
{
	const uint32_t *end = c->words + c->used, *known = has_site(c) ? sites->known : NULL;
	chunk_site *ask = has_site(c) ? sites->ask : NULL;
	bool has_to = event_has_to((enum event_kind)c->kind);
	while (at < end) {
		if (known)
			at = has_to ? put_run(&to, at, end, known, 3)
				    : put_run(&to, at, end, known, 1);
		if (at < end)
			to = put_event(to, &at, ask, sites->arg, has_to);
	}
	return to;
}

/* The first event, counted from `last` instead of from the chunk's base. */
static uint8_t *put_first(uint8_t *to, const struct chunk *c, const uint32_t **at, uint64_t last,
	const struct chunk_sites *sites)
{
	const uint32_t *from = *at, *word;
	uint32_t first[EVENT_WORDS_MAX] = {*from}, distance = *from & EVENT_DISTANCE_MAX,
		 *end = first + 1;
	bool has_to = event_has_to((enum event_kind)c->kind);
	uint64_t address = c->base + distance;
	from++;
	if (distance && address - last - 1 < EVENT_DISTANCE_MAX) {
		first[0] += (uint32_t)(address - last) - distance;
	} else if (distance) {
		first[0] -= distance;
		*end++ = (uint32_t)address;
		*end++ = (uint32_t)(address >> 32);
	}
	for (int i = (distance ? 0 : 2) + (has_to ? 2 : 0); i > 0; i--)
		*end++ = *from++;
	*at = from;
	word = first;
	return put_event(to, &word, has_site(c) ? sites->ask : NULL, sites->arg, has_to);
}

void chunk_seal(const struct chunk *chunk, const struct chunk_sites *sites, struct buf *out)
{
	const struct event_chunk head = {.thread = chunk->thread,
		.interval = chunk->interval,
		.young = chunk->young,
		.flags = chunk->flags,
		.base = chunk->base << 3,
		.kind = (enum event_kind)chunk->kind};
	event_writer_begin(out, &head);
	if (!buf_reserve(out, worst_bytes(chunk)))
		out->len = (size_t)(put_events(out->at + out->len, chunk, chunk->words, sites) -
				    out->at);
}

bool chunk_joins(const struct chunk *before, const struct chunk *chunk, size_t bytes)
{
	return chunk->kind == before->kind && chunk->thread == before->thread &&
	       chunk->interval == before->interval && chunk->flags == before->flags &&
	       bytes + worst_bytes(chunk) <= BLOCK_RAW_MAX && bytes < JOINED_BYTES;
}

void chunk_seal_behind(const struct chunk *before, const struct chunk *chunk,
	const struct chunk_sites *sites, struct buf *out)
{
	const uint32_t *at = chunk->words;
	if (!chunk->used || buf_reserve(out, worst_bytes(chunk)))
		return;
	uint8_t *to = put_first(out->at + out->len, chunk, &at, before->last, sites);
	out->len = (size_t)(put_events(to, chunk, at, sites) - out->at);
}
