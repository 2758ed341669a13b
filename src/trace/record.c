#include "trace/record.h"

#include <assert.h>
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
		for (; v->count < count; v->count++)
			v->at[v->count] = get_varint(body);
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

int record_decode(struct cursor *c, struct record_deltas *d, struct record *r)
{
	if (c->err)
		return c->err;
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

static const char *const names[256] = {
#define RECORD(kind, name) [kind] = #name,
#include "trace/record.def"
#undef RECORD
};

const char *record_name(uint8_t kind)
{
	return names[kind];
}
