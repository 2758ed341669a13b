#include "trace/record.h"

#include <assert.h>
#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/cursor.h"
#include "base/error.h"

enum {
	VARINT_ROOM = 10,
	HEAD_ROOM = 1 + 3, /* kind, and a length of at most RECORD_ROOM */
	SIZE_u = VARINT_ROOM,
	SIZE_z = VARINT_ROOM,
	SIZE_t = VARINT_ROOM,
	SIZE_a = VARINT_ROOM,
	SIZE_o = VARINT_ROOM,
	SIZE_s = VARINT_ROOM + TEXT_MAX,
	SIZE_l = VARINT_ROOM + VARINT_ROOM * LIST_MAX,
};

#define SIZE(type, field) +SIZE_##type
#define RECORD(kind, name)                                                                         \
	static_assert(HEAD_ROOM FIELDS_##name(SIZE) <= RECORD_ROOM, #name " exceeds RECORD_ROOM");
#include "trace/record.def"
#undef RECORD
#undef SIZE

static_assert((int)RECORD_ROOM <= (int)RECORD_MAX, "the format's own maximum");

/* -- Encoding: measure (refuses what is too long), reserve once, then write unchecked. -- */

static inline int measure_u(const record_u *v MF_UNUSED, size_t *room)
{
	*room += SIZE_u;
	return ERR_NONE;
}

static inline int measure_z(const record_z *v MF_UNUSED, size_t *room)
{
	*room += SIZE_z;
	return ERR_NONE;
}

#define measure_t measure_u
#define measure_a measure_u
#define measure_o measure_u

static inline int measure_s(const record_s *v, size_t *room)
{
	*room += VARINT_ROOM + v->len;
	return v->len > TEXT_MAX ? ERR_LIMIT : ERR_NONE;
}

static inline int measure_l(const record_l *v, size_t *room)
{
	*room += VARINT_ROOM + VARINT_ROOM * (size_t)v->count;
	return v->count > LIST_MAX ? ERR_LIMIT : ERR_NONE;
}

static inline uint8_t *put_varint(uint8_t *at, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*at++ = (uint8_t)(v | 0x80);
	*at++ = (uint8_t)v;
	return at;
}

/* The difference modulo 2^64, so that any two numbers have one. */
static inline uint8_t *put_delta(uint8_t *at, uint64_t *last, uint64_t v)
{
	uint64_t difference = v - *last;
	*last = v;
	return put_varint(at, zigzag_encode((int64_t)difference));
}

static inline uint8_t *put_u(uint8_t *at, struct record_deltas *d MF_UNUSED, const record_u *v)
{
	return put_varint(at, *v);
}

static inline uint8_t *put_z(uint8_t *at, struct record_deltas *d MF_UNUSED, const record_z *v)
{
	return put_varint(at, zigzag_encode(*v));
}

static inline uint8_t *put_t(uint8_t *at, struct record_deltas *d, const record_t *v)
{
	if (*v > d->top)
		d->top = *v;
	return put_delta(at, &d->t, *v);
}

static inline uint8_t *put_a(uint8_t *at, struct record_deltas *d, const record_a *v)
{
	return put_delta(at, &d->a, *v);
}

static inline uint8_t *put_o(uint8_t *at, struct record_deltas *d, const record_o *v)
{
	return put_delta(at, &d->o, *v);
}

static inline uint8_t *put_s(uint8_t *at, struct record_deltas *d MF_UNUSED, const record_s *v)
{
	at = put_varint(at, v->len);
	if (v->len)
		memcpy(at, v->at, v->len);
	return at + v->len;
}

static inline uint8_t *put_l(uint8_t *at, struct record_deltas *d MF_UNUSED, const record_l *v)
{
	at = put_varint(at, v->count);
	for (uint32_t i = 0; i < v->count; i++)
		at = put_varint(at, v->at[i]);
	return at;
}

#define MEASURE(type, field) err = err ? err : measure_##type(&r->field, room);
#define PUT(type, field)     at = put_##type(at, d, &r->field);
#define RECORD(kind, name)                                                                         \
	static int measure_##name(const struct record_##name *r, size_t *room)                     \
	{                                                                                          \
		int err = ERR_NONE;                                                                \
		FIELDS_##name(MEASURE) return err;                                                 \
	}                                                                                          \
	static uint8_t *put_##name(                                                                \
		uint8_t *at, struct record_deltas *d, const struct record_##name *r)               \
	{                                                                                          \
		FIELDS_##name(PUT) return at;                                                      \
	}
#include "trace/record.def"
#undef RECORD
#undef PUT
#undef MEASURE

static int measure(const struct record *r, size_t *room)
{
	switch (r->kind) {
#define RECORD(kind, name)                                                                         \
	case RECORD_##name:                                                                        \
		return measure_##name(&r->name, room);
#include "trace/record.def"
#undef RECORD
	default:
		return ERR_USAGE;
	}
}

static uint8_t *put_fields(uint8_t *at, struct record_deltas *d, const struct record *r)
{
	switch (r->kind) {
#define RECORD(kind, name)                                                                         \
	case RECORD_##name:                                                                        \
		return put_##name(at, d, &r->name);
#include "trace/record.def"
#undef RECORD
	default:
		return at;
	}
}

int record_encode(struct buf *out, struct record_deltas *d, const struct record *r)
{
	size_t room = HEAD_ROOM;
	int err = measure(r, &room);
	if (err || (err = buf_reserve(out, room)))
		return err;
	uint8_t *head = out->at + out->len, *fields = head + 2;
	uint8_t *end = put_fields(fields, d, r);
	size_t len = (size_t)(end - fields);
	/* One byte was left for the length; a longer one moves the fields. */
	size_t more = (len >= 0x80 ? 1u : 0u) + (len >= 0x4000 ? 1u : 0u);
	if (more)
		memmove(fields + more, fields, len);
	head[0] = r->kind;
	put_varint(head + 1, len);
	out->len += 2 + more + len;
	return ERR_NONE;
}

/*
 * -- Decoding. A body is a cursor over the fields of one record. A field that is missing at
 * its end reads as 0; trouble makes the end of the rest, so that all further fields do too. --
 */

static MF_COLD uint64_t fail(struct cursor *body, int err)
{
	body->err = err;
	body->end = body->at;
	return 0;
}

static uint64_t long_varint(struct cursor *body)
{
	const uint8_t *at = body->at;
	if (body->end - at > 2 && at[2] < 0x80) {
		body->at = at + 3;
		return (at[0] & 0x7fu) | (at[1] & 0x7fu) << 7 | (uint64_t)at[2] << 14;
	}
	uint64_t v = cursor_varint(body);
	return body->err ? fail(body, body->err) : v;
}

/* In line for the one and two bytes of most numbers: the processor then learns the width of each
 * field by itself. */
static MF_INLINE uint64_t get_varint(struct cursor *body)
{
	const uint8_t *at = body->at;
	ptrdiff_t left = body->end - at;
	if (left > 0 && at[0] < 0x80) {
		body->at = at + 1;
		return at[0];
	}
	if (left > 1 && at[1] < 0x80) {
		body->at = at + 2;
		return (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
	}
	return left > 0 ? long_varint(body) : 0;
}

static MF_INLINE uint64_t get_delta(struct cursor *body, uint64_t *last)
{
	if (body->at == body->end)
		return 0;
	return *last += (uint64_t)zigzag_decode(get_varint(body));
}

static MF_INLINE void get_u(struct cursor *body, struct record_deltas *d MF_UNUSED, record_u *v)
{
	*v = get_varint(body);
}

static MF_INLINE void get_z(struct cursor *body, struct record_deltas *d MF_UNUSED, record_z *v)
{
	*v = zigzag_decode(get_varint(body));
}

static MF_INLINE void get_t(struct cursor *body, struct record_deltas *d, record_t *v)
{
	*v = get_delta(body, &d->t);
	if (*v > d->top)
		d->top = *v;
}

static MF_INLINE void get_a(struct cursor *body, struct record_deltas *d, record_a *v)
{
	*v = get_delta(body, &d->a);
}

static MF_INLINE void get_o(struct cursor *body, struct record_deltas *d, record_o *v)
{
	*v = get_delta(body, &d->o);
}

static inline void get_s(struct cursor *body, struct record_deltas *d MF_UNUSED, record_s *v)
{
	uint64_t len = get_varint(body);
	*v = slice(body->at, 0);
	if (len > TEXT_MAX)
		fail(body, ERR_LIMIT);
	else if (len > cursor_left(body))
		fail(body, ERR_TRUNCATED);
	else
		*v = cursor_bytes(body, (size_t)len);
}

static inline void get_l(struct cursor *body, struct record_deltas *d MF_UNUSED, record_l *v)
{
	uint64_t count = get_varint(body);
	v->count = 0;
	if (count > LIST_MAX)
		fail(body, ERR_LIMIT);
	else if (count > cursor_left(body))
		fail(body, ERR_TRUNCATED);
	else
		for (; v->count < count && !body->err; v->count++)
			v->at[v->count] =
				body->at < body->end ? get_varint(body) : fail(body, ERR_TRUNCATED);
}

#define GET(type, field) get_##type(body, d, &r->field);
#define RECORD(kind, name)                                                                         \
	static void get_##name(                                                                    \
		struct cursor *body, struct record_deltas *d, struct record_##name *r)             \
	{                                                                                          \
		FIELDS_##name(GET)                                                                 \
	}
#include "trace/record.def"
#undef RECORD
#undef GET

static void get_fields(struct cursor *body, struct record_deltas *d, struct record *r)
{
	switch (r->kind) {
#define RECORD(kind, name)                                                                         \
	case RECORD_##name:                                                                        \
		get_##name(body, d, &r->name);                                                     \
		break;
#include "trace/record.def"
#undef RECORD
	default:
		break;
	}
}

/* Reads kind and length: both are one byte in nearly all records. */
static inline uint64_t get_head(struct cursor *c, uint8_t *kind)
{
	const uint8_t *at = c->at;
	if (c->end - at > 1 && at[1] < 0x80) {
		c->at = at + 2;
		*kind = at[0];
		return at[1];
	}
	*kind = cursor_u8(c);
	return cursor_varint(c);
}

static int decode_slowly(struct cursor *c, struct record_deltas *d, struct record *r)
{
	uint64_t len = get_head(c, &r->kind);
	if (!c->err && len > RECORD_MAX)
		c->err = ERR_LIMIT;
	if (!c->err && len > cursor_left(c))
		c->err = ERR_TRUNCATED;
	if (c->err)
		return c->err;
	/* The cursor itself becomes the body, and whole again afterwards. */
	const uint8_t *body_end = c->at + len, *end = c->end;
	c->end = body_end;
	get_fields(c, d, r);
	c->end = end;
	if (!c->err)
		c->at = body_end;
	return c->err;
}

/*
 * -- The quick way, for the kinds that nearly all records are of. Where enough bytes follow, no
 * number is held against the record's end: one comparison after the last tells whether all were
 * inside. Where they were not, or a number is too long, nothing has been changed, and the way above
 * is taken. --
 */

enum { QUICK_BYTES = 4, QUICK_ROOM = 9 * QUICK_BYTES };

struct quick {
	const uint8_t *at;
	struct record_deltas d;
	bool too_long;
};

/* A number of up to four bytes, all at once: those after its last are cleared, then the gaps
 * between the sevens of bits are closed, pair by pair. */
static MF_INLINE uint32_t quick_long(struct quick *q)
{
	uint32_t v;
	memcpy(&v, q->at, sizeof(v));
	v = le32toh(v);
	uint32_t last = ~v & 0x80808080;
	q->too_long |= !last;
	q->at += (__builtin_ctz(last | 1u << 31) >> 3) + 1;
	v &= (last ^ (last - 1)) & 0x7f7f7f7f;
	v = (v & 0x007f007f) | (v & 0x7f007f00) >> 1;
	return (v & 0x3fff) | (v & 0x3fff0000) >> 2;
}

/* One and two bytes without a branch: which it is can't be foretold of sites and sizes. */
static MF_INLINE void quick_u(struct quick *q, record_u *v)
{
	uint32_t first = q->at[0], second = q->at[1], two = first >> 7;
	if (first & second & 0x80) {
		*v = quick_long(q);
		return;
	}
	q->at += 1 + two;
	*v = (first & 0x7f) | (second << 7 & -two);
}

/* Clocks stand still, or move by much. */
static MF_INLINE uint64_t quick_delta(struct quick *q, uint64_t *last)
{
	uint32_t difference = *q->at < 0x80 ? *q->at++ : quick_long(q);
	return *last += (uint64_t)zigzag_decode(difference);
}

static MF_INLINE void quick_t(struct quick *q, record_t *v)
{
	*v = quick_delta(q, &q->d.t);
	q->d.top = *v > q->d.top ? *v : q->d.top;
}

static MF_INLINE void quick_a(struct quick *q, record_a *v)
{
	*v = quick_delta(q, &q->d.a);
}

static MF_INLINE void quick_o(struct quick *q, record_o *v)
{
	*v = quick_delta(q, &q->d.o);
}

#define QUICK_ONE(type, field) +1
#define QUICK_GET(type, field) quick_##type(&q, &r->field);
#define QUICK(name)                                                                                \
	static_assert((0 FIELDS_##name(QUICK_ONE)) * QUICK_BYTES <= QUICK_ROOM, #name);            \
	static MF_INLINE bool quick_##name(const uint8_t *at, const uint8_t *end,                  \
		struct record_deltas *d, struct record_##name *r)                                  \
	{                                                                                          \
		struct quick q = {.at = at, .d = *d};                                              \
		FIELDS_##name(QUICK_GET) if (q.too_long || q.at > end) return false;               \
		*d = q.d;                                                                          \
		return true;                                                                       \
	}
QUICK(alloc)
QUICK(birth)
QUICK(death)

static MF_INLINE bool quick_fields(
	const uint8_t *at, const uint8_t *end, struct record_deltas *d, struct record *r)
{
	switch (r->kind) {
	case RECORD_alloc:
		return quick_alloc(at, end, d, &r->alloc);
	case RECORD_birth:
		return quick_birth(at, end, d, &r->birth);
	case RECORD_death:
		return quick_death(at, end, d, &r->death);
	default:
		return false;
	}
}

/* False where this is not the way. */
static MF_INLINE bool decode_quickly(struct cursor *c, struct record_deltas *d, struct record *r)
{
	const uint8_t *head = c->at;
	size_t left = cursor_left(c);
	if (left < 2 + QUICK_ROOM || head[1] >= 0x80 || head[1] > left - 2)
		return false;
	const uint8_t *end = head + 2 + head[1];
	r->kind = head[0];
	if (!quick_fields(head + 2, end, d, r))
		return false;
	c->at = end;
	return true;
}

int record_decode(struct cursor *c, struct record_deltas *d, struct record *r)
{
	if (c->err)
		return c->err;
	return decode_quickly(c, d, r) ? ERR_NONE : decode_slowly(c, d, r);
}

static const char *const names[256] = {
#define RECORD(kind, name) [kind] = #name,
#include "trace/record.def"
#undef RECORD
};

const char *record_name(uint8_t kind)
{
	return names[kind];
}

/* -- From another begin -- */

static MF_INLINE void less(uint64_t *v, uint64_t by)
{
	*v = *v > by ? *v - by : 0;
}

#define LESS_u(field)
#define LESS_z(field)
#define LESS_o(field)
#define LESS_s(field)
#define LESS_l(field)
#define LESS_t(field)     less(&r->field, time);
#define LESS_a(field)     less(&r->field, alloc);
#define LESS(type, field) LESS_##type(field)
#define RECORD(kind, name)                                                                         \
	static void rebase_##name(struct record_##name *r MF_UNUSED, uint64_t time MF_UNUSED,      \
		uint64_t alloc MF_UNUSED)                                                          \
	{                                                                                          \
		FIELDS_##name(LESS)                                                                \
	}
#include "trace/record.def"
#undef RECORD
#undef LESS

void record_rebase(struct record *r, uint64_t time, uint64_t alloc)
{
	switch (r->kind) {
#define RECORD(kind, name)                                                                         \
	case kind:                                                                                 \
		rebase_##name(&r->name, time, alloc);                                              \
		break;
#include "trace/record.def"
#undef RECORD
	default:
		break;
	}
}
