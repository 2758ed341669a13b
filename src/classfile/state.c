#include "classfile/state.h"

#include "base/error.h"
#include "base/mem.h"

int state_init(struct state *s, uint32_t locals, uint32_t room)
{
	*s = (struct state){.locals = locals, .room = room};
	s->local = mem_zalloc((size_t)locals + room, sizeof(*s->local));
	s->stack = s->local ? s->local + locals : NULL;
	return s->local ? ERR_NONE : ERR_NOMEM;
}

void state_release(struct state *s)
{
	mem_free(s->local);
	*s = (struct state){.err = 0};
}

static struct value fail(struct state *s)
{
	if (!s->err)
		s->err = ERR_FORMAT;
	return value(VALUE_TOP, 0);
}

void state_push(struct state *s, struct value v)
{
	if (s->depth >= s->room)
		fail(s);
	else
		s->stack[s->depth++] = v;
}

struct value state_pop(struct state *s)
{
	return s->depth ? s->stack[--s->depth] : fail(s);
}

struct value state_peek(const struct state *s, uint32_t n)
{
	return n < s->depth ? s->stack[s->depth - 1 - n] : value(VALUE_TOP, 0);
}

struct value state_load(struct state *s, uint32_t local)
{
	return local < s->locals ? s->local[local] : fail(s);
}

void state_push_wide(struct state *s, struct value v)
{
	state_push(s, v);
	if (value_slots(value_tag(v)) == 2)
		state_push(s, value(VALUE_TOP, 0));
}

void state_store(struct state *s, uint32_t local, struct value v)
{
	uint32_t slots = value_slots(value_tag(v));
	if (local + slots > s->locals) {
		fail(s);
		return;
	}
	/* The first half of what it overwrites the second half of. */
	if (local > 0 && value_slots(value_tag(s->local[local - 1])) == 2)
		s->local[local - 1] = value(VALUE_TOP, 0);
	s->local[local] = v;
	if (slots == 2)
		s->local[local + 1] = value(VALUE_TOP, 0);
}

void state_replace(struct state *s, struct value from, struct value to)
{
	for (uint32_t i = 0; i < s->locals; i++)
		if (value_equal(s->local[i], from))
			s->local[i] = to;
	for (uint32_t i = 0; i < s->depth; i++)
		if (value_equal(s->stack[i], from))
			s->stack[i] = to;
}
