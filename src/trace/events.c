#include "trace/events.h"

#include "base/error.h"

enum { WORD = 4 };
#define ADDRESS_MAX (UINT64_MAX >> 3)

uint64_t event_base(uint64_t address)
{
	return address - 8;
}

struct event_writer event_writer_begin(struct buf *out, const struct event_chunk *chunk)
{
	buf_put_varint(out, chunk->thread);
	buf_put_varint(out, chunk->interval);
	buf_put_varint(out, chunk->young);
	buf_put_varint(out, chunk->flags);
	buf_put_le64(out, chunk->base >> 3);
	if (chunk->flags & EVENTS_OF_GC)
		buf_put_varint(out, chunk->kind);
	return (struct event_writer){
		out, chunk->base >> 3, chunk->flags & EVENTS_OF_GC ? chunk->kind : EVENT_BIRTHS};
}

static void put_site(struct buf *out, uint64_t site)
{
	size_t start = out->len;
	buf_put_varint(out, site);
	while (!out->failed && (out->len - start) % WORD)
		buf_put_u8(out, 0);
}

void event_writer_put(struct event_writer *w, const struct event *event)
{
	uint64_t at = event->address >> 3, distance = at - w->last;
	bool far = distance - 1 >= EVENT_DISTANCE_MAX; /* 0 and what is behind are far too */
	bool high = event->site >= EVENT_SITE_ESCAPE;
	uint32_t site = high ? EVENT_SITE_ESCAPE : (uint32_t)event->site;
	buf_put_le32(w->out, site << EVENT_DISTANCE_BITS | (far ? 0 : (uint32_t)distance));
	if (far)
		buf_put_le64(w->out, at);
	if (high)
		put_site(w->out, event->site);
	if (event_has_to(w->kind))
		buf_put_le64(w->out, event->to >> 3);
	w->last = at;
}

int event_reader_begin(struct event_reader *r, struct slice chunk, struct diag *d)
{
	*r = (struct event_reader){.c = cursor_init(chunk)};
	struct event_chunk *h = &r->chunk;
	h->thread = cursor_varint(&r->c);
	h->interval = cursor_varint(&r->c);
	h->young = cursor_varint(&r->c);
	h->flags = cursor_varint(&r->c);
	r->last = cursor_le64(&r->c);
	uint64_t kind = h->flags & EVENTS_OF_GC ? cursor_varint(&r->c) : EVENT_BIRTHS;
	if (r->c.err)
		return diag_set(d, r->c.err, "a chunk of events ends in its head");
	if (kind >= EVENT_KINDS || h->flags > (EVENTS_CLOSED | EVENTS_OF_GC))
		return diag_set(d, ERR_UNSUPPORTED,
			"a chunk of events of kind %llu with flags %llu", (unsigned long long)kind,
			(unsigned long long)h->flags);
	if (r->last > ADDRESS_MAX || (h->flags & EVENTS_OF_GC && !kind))
		return diag_set(d, ERR_FORMAT, "a chunk of events of kind %llu at %llu",
			(unsigned long long)kind, (unsigned long long)r->last);
	h->kind = (enum event_kind)kind;
	h->base = r->last << 3;
	r->has_to = event_has_to(h->kind);
	return ERR_NONE;
}

static uint64_t site_of(struct cursor *c)
{
	size_t before = cursor_left(c);
	uint64_t site = cursor_varint(c);
	while (!c->err && (before - cursor_left(c)) % WORD)
		if (cursor_u8(c))
			c->err = ERR_FORMAT;
	return site;
}

int event_reader_far(struct event_reader *r, struct event *out, struct diag *d)
{
	struct cursor *c = &r->c;
	*out = (struct event){0};
	if (!cursor_left(c))
		return 0;
	uint32_t word = cursor_le32(c);
	uint32_t distance = word & EVENT_DISTANCE_MAX;
	uint64_t at = distance ? r->last + distance : cursor_le64(c);
	out->site = word >> EVENT_DISTANCE_BITS;
	if (out->site == EVENT_SITE_ESCAPE)
		out->site = site_of(c);
	uint64_t to = r->has_to ? cursor_le64(c) : 0;
	if (c->err)
		return diag_set(d, c->err, "an event is cut or malformed");
	if (at > ADDRESS_MAX || to > ADDRESS_MAX)
		return diag_set(d, ERR_FORMAT, "an event at no address");
	r->last = at;
	out->address = at << 3;
	out->to = to << 3;
	return 1;
}
