#include "classfile/frames.h"

#include "base/error.h"

enum { NEAR_MAX = 63 }; /* what fits into the type itself */

void frame_release(struct frame *f)
{
	vec_release(&f->locals);
	vec_release(&f->stack);
}

/* The values of slots: the second half of a long or double is left out. */
#define PUT_SLOTS(list, slots, slot_count, err)                                                    \
	for (uint32_t i_ = 0; !(err) && i_ < (slot_count);                                         \
		i_ += value_slots(value_tag((slots)[i_])))                                         \
	(err) = vec_push(list, value_stain((slots)[i_], false))

static int set_from(struct frame *f, const struct state *s)
{
	int err = ERR_NONE;
	uint32_t locals = s->locals;
	while (locals > 0 && value_equal(s->local[locals - 1], value(VALUE_TOP, 0)) &&
		!(locals > 1 && value_slots(value_tag(s->local[locals - 2])) == 2))
		locals--;
	PUT_SLOTS(&f->locals, s->local, locals, err);
	PUT_SLOTS(&f->stack, s->stack, s->depth, err);
	return err;
}

static bool has_ref(const struct value *v, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (value_tag(v[i]) == VALUE_REF)
			return true;
	return false;
}

int frame_of_state(struct frame *f, uint32_t bci, const struct state *s)
{
	*f = (struct frame){.bci = bci, .type = FRAME_FULL};
	int err = set_from(f, s);
	if (!err &&
		(has_ref(f->locals.at, f->locals.count) || has_ref(f->stack.at, f->stack.count)))
		err = ERR_UNSUPPORTED;
	return err;
}

int frame_to_state(const struct frame *f, struct state *s)
{
	uint32_t at = 0;
	s->depth = 0;
	s->err = ERR_NONE;
	for (uint32_t i = 0; i < s->locals; i++)
		s->local[i] = value(VALUE_TOP, 0);
	for (size_t i = 0; i < f->locals.count; i++) {
		state_store(s, at, f->locals.at[i]);
		at += value_slots(value_tag(f->locals.at[i]));
	}
	for (size_t i = 0; i < f->stack.count; i++)
		state_push_wide(s, f->stack.at[i]);
	return s->err;
}

int stackmap_open(struct frames *f, struct slice content, const struct state *entry)
{
	*f = (struct frames){.c = cursor_init(content)};
	f->left = cursor_be16(&f->c);
	int err = set_from(&f->now, entry);
	f->now.stack.count = 0;
	return f->c.err ? f->c.err : err;
}

void stackmap_release(struct frames *f)
{
	frame_release(&f->now);
}

#define READ_VALUES(list, number, f, err)                                                          \
	for (uint32_t i_ = (number); i_ > 0 && !(err) && !(f)->c.err; i_--)                        \
	(err) = vec_push(list, read_value(&(f)->c))

static struct value read_value(struct cursor *c)
{
	uint8_t tag = cursor_u8(c);
	if (!c->err && tag >= VALUE_TAGS)
		c->err = ERR_FORMAT;
	uint16_t payload = tag == VALUE_OBJECT || tag == VALUE_UNINIT ? cursor_be16(c) : 0;
	return value((enum value_tag)tag, payload);
}

static int read_full(struct frames *f)
{
	int err = ERR_NONE;
	f->now.locals.count = 0;
	READ_VALUES(&f->now.locals, cursor_be16(&f->c), f, err);
	READ_VALUES(&f->now.stack, cursor_be16(&f->c), f, err);
	return err;
}

static int read_body(struct frames *f)
{
	uint8_t type = f->now.type;
	int err = ERR_NONE;
	f->now.stack.count = 0;
	if (type == FRAME_FULL)
		return read_full(f);
	if (type >= FRAME_APPEND)
		READ_VALUES(&f->now.locals, type - FRAME_SAME_FAR, f, err);
	else if (type >= FRAME_CHOP && type < FRAME_SAME_FAR)
		f->now.locals.count -= (size_t)(FRAME_SAME_FAR - type);
	else if ((type >= FRAME_SAME_1 && type < FRAME_RESERVED) || type == FRAME_SAME_1_FAR)
		READ_VALUES(&f->now.stack, 1, f, err);
	return err;
}

static uint32_t read_distance(struct frames *f)
{
	uint8_t type = f->now.type;
	if (type < FRAME_RESERVED)
		return type % FRAME_SAME_1;
	return cursor_be16(&f->c);
}

int stackmap_next(struct frames *f)
{
	if (f->left == 0)
		return ERR_NOT_FOUND;
	f->left--;
	f->now.type = cursor_u8(&f->c);
	if (f->c.err)
		return f->c.err;
	if (f->now.type >= FRAME_RESERVED && f->now.type < FRAME_SAME_1_FAR)
		return ERR_FORMAT;
	if (f->now.type >= FRAME_CHOP && f->now.type < FRAME_SAME_FAR &&
		f->now.locals.count < (size_t)(FRAME_SAME_FAR - f->now.type))
		return ERR_FORMAT;
	uint32_t distance = read_distance(f);
	f->now.bci = f->started ? f->now.bci + distance + 1 : distance;
	f->started = true;
	int err = read_body(f);
	return f->c.err ? f->c.err : err;
}

static void put_values(const struct value *v, size_t count, const uint32_t *at, struct buf *out)
{
	for (size_t i = 0; i < count; i++) {
		enum value_tag tag = value_tag(v[i]);
		uint16_t payload = value_payload(v[i]);
		buf_put_u8(out, (uint8_t)tag);
		if (tag == VALUE_UNINIT)
			buf_put_be16(out, (uint16_t)at[payload]);
		else if (tag == VALUE_OBJECT)
			buf_put_be16(out, payload);
	}
}

/* The type, with the distance in it where that has room. */
static void put_type(uint8_t type, uint32_t distance, struct buf *out)
{
	bool is_near = type < FRAME_RESERVED;
	uint8_t base = type < FRAME_SAME_1 ? FRAME_SAME : FRAME_SAME_1;
	if (is_near && distance <= NEAR_MAX) {
		buf_put_u8(out, (uint8_t)(base + distance));
		return;
	}
	if (is_near)
		type = base == FRAME_SAME ? FRAME_SAME_FAR : FRAME_SAME_1_FAR;
	buf_put_u8(out, type);
	buf_put_be16(out, (uint16_t)distance);
}

void frame_put(const struct frame *f, uint32_t distance, const uint32_t *at, struct buf *out)
{
	size_t locals = f->locals.count;
	put_type(f->type, distance, out);
	if (f->type == FRAME_FULL) {
		buf_put_be16(out, (uint16_t)locals);
		put_values(f->locals.at, locals, at, out);
		buf_put_be16(out, (uint16_t)f->stack.count);
	} else if (f->type >= FRAME_APPEND) {
		size_t fresh = (size_t)(f->type - FRAME_SAME_FAR);
		put_values(f->locals.at + locals - fresh, fresh, at, out);
	}
	put_values(f->stack.at, f->stack.count, at, out);
}
