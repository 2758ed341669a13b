#include "trace/event_columns.h"

#include <endian.h>

#include "base/buf.h"
#include "base/mem.h"
#include "trace/events.h"
#include "trace/format.h"

enum {
	WORD = 4,
	NUMBER = 8,
	ROW = WORD + NUMBER, /* an event without an escape */
	ROWS_MAX = BLOCK_RAW_MAX / ROW,
	COUNT = 4, /* bytes of how many there are */
	EXPECTED_BITS = 12,
	EXPECTED = 1 << EXPECTED_BITS,
};

/* -- What is expected of an event, by those before it -- */

struct expected_sites {
	uint32_t first, second;
};

struct expected {
	uint64_t distance, value;
};

/* Addresses are in units of 8 bytes here, as they stand in the chunk. */
struct row {
	uint64_t address, to;
	uint32_t site;
};

struct past {
	struct expected_sites sites[EXPECTED];
	struct expected numbers[EXPECTED];
	uint64_t address, away; /* of the last event; away: of its `to` from its address */
	uint32_t site, before;  /* of the last event, and of the one before that */
	bool relative;          /* `to` is an address too */
};

static void past_begin(struct past *p, const struct event_chunk *chunk)
{
	memset(p, 0, sizeof(*p));
	p->address = chunk->base >> 3;
	p->relative = event_to_is_address(chunk->kind);
}

static MF_INLINE uint32_t mix(uint32_t x, uint32_t y)
{
	return (x * 0x9e3779b1u ^ y * 0x85ebca6bu) >> (32 - EXPECTED_BITS);
}

static MF_INLINE struct expected_sites *past_sites(struct past *p)
{
	return &p->sites[mix(p->site, p->before)];
}

static MF_INLINE struct expected *past_numbers(struct past *p, uint32_t site)
{
	return &p->numbers[mix(p->site, site)];
}

static MF_INLINE void expect_site(struct expected_sites *e, uint32_t site)
{
	if (e->first != site)
		*e = (struct expected_sites){site, e->first};
}

static MF_INLINE void past_add(struct past *p, const struct row *r)
{
	p->address = r->address;
	p->away = r->to - r->address;
	p->before = p->site;
	p->site = r->site;
}

/* -- The columns, as they are made -- */

/* Numbers are written whole, and count for as many bytes as they need. */
struct column {
	uint8_t *end;
	uint8_t bytes[ROWS_MAX * NUMBER + NUMBER];
};

/* As they stand one behind the other. */
enum { CODES, SITES, DISTANCES, TOS, COLUMNS };

struct event_columns {
	struct past past;
	struct column columns[COLUMNS];
};

/* Bytes by code, of 2 bits each. */
static const uint8_t site_bytes[] = {0, 0, 2, 3};
static const uint8_t distance_bytes[] = {0, 1, 2, 8};
static const uint8_t to_bytes[] = {0, 2, 4, 8};
enum { DISTANCE_SHIFT = 2, TO_SHIFT = 4, CODE_MASK = 3, CODE_END = 64 };

struct event_columns *event_columns_new(void)
{
	return mem_alloc(sizeof(struct event_columns));
}

void event_columns_free(struct event_columns *c)
{
	mem_free(c);
}

static MF_INLINE void column_put(struct column *c, uint64_t number, unsigned bytes)
{
	number = htole64(number);
	memcpy(c->end, &number, sizeof(number));
	c->end += bytes;
}

static size_t column_len(const struct column *c)
{
	return (size_t)(c->end - c->bytes);
}

static MF_INLINE unsigned put_site(struct column *c, const struct expected_sites *e, uint32_t site)
{
	if (site == e->first || site == e->second)
		return site != e->first;
	unsigned code = site > UINT16_MAX ? 3 : 2;
	column_put(c, site, site_bytes[code]);
	return code;
}

static MF_INLINE unsigned put_distance(struct column *c, uint64_t difference)
{
	uint64_t number = zigzag_encode((int64_t)difference);
	unsigned code = number > UINT16_MAX ? 3 : number > UINT8_MAX ? 2 : number > 0;
	column_put(c, number, distance_bytes[code]);
	return code;
}

static MF_INLINE unsigned put_to(struct column *c, uint64_t difference)
{
	uint64_t number = zigzag_encode((int64_t)difference);
	unsigned code = number > UINT32_MAX ? 3 : number > UINT16_MAX ? 2 : number > 0;
	column_put(c, number, to_bytes[code]);
	return code;
}

static MF_INLINE void put_row(struct event_columns *c, const struct row *r)
{
	struct past *p = &c->past;
	struct expected_sites *sites = past_sites(p);
	struct expected *e = past_numbers(p, r->site);
	const struct expected is = {
		r->address - p->address, p->relative ? r->to - r->address - p->away : r->to};
	unsigned code = put_site(&c->columns[SITES], sites, r->site);
	code |= put_distance(&c->columns[DISTANCES], is.distance - e->distance) << DISTANCE_SHIFT;
	code |= put_to(&c->columns[TOS], is.value - e->value) << TO_SHIFT;
	*c->columns[CODES].end++ = (uint8_t)code;
	expect_site(sites, r->site);
	*e = is;
	past_add(p, r);
}

/* -- Rows to columns -- */

static MF_INLINE uint32_t le32(const uint8_t *at)
{
	uint32_t v;
	memcpy(&v, at, sizeof(v));
	return le32toh(v);
}

static MF_INLINE uint64_t le64(const uint8_t *at)
{
	uint64_t v;
	memcpy(&v, at, sizeof(v));
	return le64toh(v);
}

/* Whether a distance needs no escape. */
static MF_INLINE bool is_near(uint64_t distance)
{
	return distance - 1 < EVENT_DISTANCE_MAX;
}

/* An event as columns can tell it. Returns its end; NULL: there is none. */
static MF_INLINE const uint8_t *read_row(
	const uint8_t *at, const uint8_t *end, uint64_t last, struct row *r)
{
	if (end - at < ROW)
		return NULL;
	uint32_t word = le32(at), distance = word & EVENT_DISTANCE_MAX;
	*r = (struct row){.address = last + distance, .site = word >> EVENT_DISTANCE_BITS};
	at += WORD;
	if (!distance) {
		r->address = le64(at);
		at += NUMBER;
		if (is_near(r->address - last) || end - at < NUMBER)
			return NULL;
	}
	r->to = le64(at);
	return r->site < EVENT_SITE_ESCAPE ? at + NUMBER : NULL;
}

static bool split_rows(struct event_columns *c, const uint8_t *at, const uint8_t *end)
{
	struct row r;
	while (at && at < end) {
		at = read_row(at, end, c->past.address, &r);
		if (at)
			put_row(c, &r);
	}
	return at;
}

/* Behind the head, one after the other. Returns all bytes; 0: they are more than `room`. */
static size_t join_columns(const struct event_columns *c, uint8_t *out, size_t head, size_t room)
{
	uint32_t count = htole32((uint32_t)column_len(&c->columns[CODES]));
	size_t len = head + COUNT;
	for (size_t i = 0; i < COLUMNS; i++)
		len += column_len(&c->columns[i]);
	if (len > room)
		return 0;
	out += head;
	memcpy(out, &count, sizeof(count));
	out += COUNT;
	for (size_t i = 0; i < COLUMNS; i++) {
		memcpy(out, c->columns[i].bytes, column_len(&c->columns[i]));
		out += column_len(&c->columns[i]);
	}
	return len;
}

size_t event_columns_split(struct event_columns *c, uint8_t *out, struct slice raw)
{
	struct event_reader r;
	if (raw.len > BLOCK_RAW_MAX || event_reader_begin(&r, raw, NULL) || !r.has_to)
		return 0;
	size_t head = raw.len - cursor_left(&r.c);
	past_begin(&c->past, &r.chunk);
	for (size_t i = 0; i < COLUMNS; i++)
		c->columns[i].end = c->columns[i].bytes;
	if (!split_rows(c, r.c.at, r.c.end))
		return 0;
	memcpy(out, raw.at, head);
	return join_columns(c, out, head, raw.len);
}

/* -- Columns to rows -- */

struct split {
	const uint8_t *codes, *sites, *distances, *tos; /* what is left of them */
	size_t count;
};

/* Where the columns of as many events are. False: there are not so many bytes, or more. */
static bool find_columns(struct split *s, struct slice all)
{
	size_t sites = 0, distances = 0, tos = 0;
	if (all.len < COUNT)
		return false;
	*s = (struct split){.codes = all.at + COUNT, .count = le32(all.at)};
	if (s->count > all.len - COUNT)
		return false;
	for (size_t i = 0; i < s->count; i++) {
		uint8_t code = s->codes[i];
		if (code >= CODE_END)
			return false;
		sites += site_bytes[code & CODE_MASK];
		distances += distance_bytes[code >> DISTANCE_SHIFT & CODE_MASK];
		tos += to_bytes[code >> TO_SHIFT];
	}
	s->sites = s->codes + s->count;
	s->distances = s->sites + sites;
	s->tos = s->distances + distances;
	return COUNT + s->count + sites + distances + tos == all.len;
}

static MF_INLINE uint64_t take(const uint8_t **at, unsigned bytes)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)(*at)[i] << 8 * i;
	*at += bytes;
	return number;
}

static MF_INLINE uint32_t take_site(struct split *s, const struct expected_sites *e, unsigned code)
{
	if (site_bytes[code])
		return (uint32_t)take(&s->sites, site_bytes[code]);
	return code ? e->second : e->first;
}

static MF_INLINE uint64_t take_number(const uint8_t **at, unsigned bytes)
{
	return (uint64_t)zigzag_decode(take(at, bytes));
}

static MF_INLINE void take_row(struct split *s, struct past *p, struct row *r)
{
	unsigned code = *s->codes++;
	struct expected_sites *sites = past_sites(p);
	r->site = take_site(s, sites, code & CODE_MASK);
	struct expected *e = past_numbers(p, r->site);
	e->distance +=
		take_number(&s->distances, distance_bytes[code >> DISTANCE_SHIFT & CODE_MASK]);
	e->value += take_number(&s->tos, to_bytes[code >> TO_SHIFT]);
	r->address = p->address + e->distance;
	r->to = p->relative ? r->address + p->away + e->value : e->value;
	expect_site(sites, r->site);
}

static MF_INLINE uint8_t *put_le64(uint8_t *out, uint64_t number)
{
	number = htole64(number);
	memcpy(out, &number, sizeof(number));
	return out + sizeof(number);
}

/* The event as a chunk has it. Returns its end; NULL: there is no room, or no such site. */
static MF_INLINE uint8_t *write_row(
	uint8_t *out, const uint8_t *end, const struct row *r, uint64_t last)
{
	uint64_t distance = r->address - last;
	bool near = is_near(distance);
	uint32_t word = htole32(r->site << EVENT_DISTANCE_BITS | (near ? (uint32_t)distance : 0));
	if (end - out < (near ? ROW : ROW + NUMBER) || r->site >= EVENT_SITE_ESCAPE)
		return NULL;
	memcpy(out, &word, sizeof(word));
	out += WORD;
	if (!near)
		out = put_le64(out, r->address);
	return put_le64(out, r->to);
}

static bool join_rows(struct past *p, struct split *s, uint8_t *out, const uint8_t *end)
{
	struct row r;
	for (size_t i = 0; i < s->count && out; i++) {
		take_row(s, p, &r);
		out = write_row(out, end, &r, p->address);
		past_add(p, &r);
	}
	return out == end;
}

bool event_columns_join(struct event_columns *c, uint8_t *out, size_t len, struct slice columns)
{
	struct event_reader r;
	struct split s;
	if (event_reader_begin(&r, columns, NULL) || !r.has_to)
		return false;
	size_t head = columns.len - cursor_left(&r.c);
	if (head > len || !find_columns(&s, slice(r.c.at, cursor_left(&r.c))))
		return false;
	past_begin(&c->past, &r.chunk);
	memcpy(out, columns.at, head);
	return join_rows(&c->past, &s, out + head, out + len);
}
