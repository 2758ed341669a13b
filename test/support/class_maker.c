#include "support/class_maker.h"

#include <stdlib.h>

static uint16_t must(int err, uint16_t n)
{
	if (err)
		abort();
	return n;
}

static uint16_t text(struct class_maker *m, const char *s)
{
	uint16_t n = 0;
	int err = pool_add_utf8(&m->pool, slice_str(s), &n);
	return must(err, n);
}

void class_maker_init(struct class_maker *m, uint16_t major)
{
	*m = (struct class_maker){.major = major, .pool = {.own = 1}};
	must(vec_push(&m->pool.at, 0), 0);
	m->this_class = class_maker_class(m, "T");
	m->super = class_maker_class(m, "java/lang/Object");
}

void class_maker_release(struct class_maker *m)
{
	pool_release(&m->pool);
	buf_release(&m->methods);
	buf_release(&m->handlers);
	buf_release(&m->attributes);
}

uint16_t class_maker_class(struct class_maker *m, const char *name)
{
	uint16_t n = 0;
	int err = pool_add_text(&m->pool, POOL_CLASS, slice_str(name), &n);
	return must(err, n);
}

uint16_t class_maker_ref(struct class_maker *m, enum pool_tag tag, const char *owner,
	const char *name, const char *descriptor)
{
	uint16_t n = 0;
	struct pool_member member = {.owner = slice_str(owner),
		.name = slice_str(name),
		.descriptor = slice_str(descriptor)};
	int err = pool_add_member(&m->pool, tag, &member, &n);
	return must(err, n);
}

void class_maker_handler(struct class_maker *m, uint16_t start, uint16_t end, uint16_t target)
{
	buf_put_be16(&m->handlers, start);
	buf_put_be16(&m->handlers, end);
	buf_put_be16(&m->handlers, target);
	buf_put_be16(&m->handlers, 0);
	m->handler_count++;
}

void class_maker_attribute(struct class_maker *m, const char *name, struct slice content)
{
	buf_put_be16(&m->attributes, text(m, name));
	buf_put_be32(&m->attributes, (uint32_t)content.len);
	buf_put(&m->attributes, content.at, content.len);
	m->attribute_count++;
}

void class_maker_method(
	struct class_maker *m, const char *name, const char *descriptor, struct made_code code)
{
	size_t len = 12 + code.bytes.len + m->handlers.len + m->attributes.len;
	buf_put_be16(&m->methods, code.access);
	buf_put_be16(&m->methods, text(m, name));
	buf_put_be16(&m->methods, text(m, descriptor));
	buf_put_be16(&m->methods, 1);
	buf_put_be16(&m->methods, text(m, "Code"));
	buf_put_be32(&m->methods, (uint32_t)len);
	buf_put_be16(&m->methods, code.max_stack);
	buf_put_be16(&m->methods, code.max_locals);
	buf_put_be32(&m->methods, (uint32_t)code.bytes.len);
	buf_put(&m->methods, code.bytes.at, code.bytes.len);
	buf_put_be16(&m->methods, m->handler_count);
	buf_put(&m->methods, m->handlers.at, m->handlers.len);
	buf_put_be16(&m->methods, m->attribute_count);
	buf_put(&m->methods, m->attributes.at, m->attributes.len);
	buf_clear(&m->handlers);
	buf_clear(&m->attributes);
	m->handler_count = m->attribute_count = 0;
	m->count++;
}

void class_maker_put(struct class_maker *m, struct buf *out)
{
	buf_put_be32(out, 0xcafebabe);
	buf_put_be16(out, 0);
	buf_put_be16(out, m->major);
	buf_put_be16(out, (uint16_t)pool_count(&m->pool));
	buf_put(out, m->pool.added.at, m->pool.added.len);
	buf_put_be16(out, 0x21);
	buf_put_be16(out, m->this_class);
	buf_put_be16(out, m->super);
	buf_put_be16(out, 0);
	buf_put_be16(out, 0);
	buf_put_be16(out, m->count);
	buf_put(out, m->methods.at, m->methods.len);
	buf_put_be16(out, 0);
}
