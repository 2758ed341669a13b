#include "classfile/code.h"

#include "base/error.h"

static void skip_attribute(struct cursor *c)
{
	cursor_be16(c);
	cursor_bytes(c, cursor_be32(c));
}

int code_read(struct code *k, struct slice content, struct diag *d)
{
	struct cursor c = cursor_init(content);
	*k = (struct code){.max_stack = cursor_be16(&c)};
	k->max_locals = cursor_be16(&c);
	uint32_t len = cursor_be32(&c);
	if (!c.err && (len == 0 || len > CODE_MAX))
		c.err = ERR_FORMAT;
	k->bytes = cursor_bytes(&c, len);
	k->handler_count = cursor_be16(&c);
	k->handlers = cursor_bytes(&c, (size_t)k->handler_count * HANDLER_SIZE);
	k->attribute_count = cursor_be16(&c);
	const uint8_t *at = c.at;
	for (uint32_t n = k->attribute_count; n > 0 && !c.err; n--)
		skip_attribute(&c);
	k->attributes = slice(at, (size_t)(c.at - at));
	if (!c.err && cursor_left(&c))
		c.err = ERR_FORMAT;
	return c.err ? diag_set(d, c.err, "a Code attribute at its byte %zu: %s",
			       (size_t)(c.at - content.at), err_text(c.err))
		     : ERR_NONE;
}

struct handler code_handler(const struct code *k, uint32_t n)
{
	const uint8_t *at = k->handlers.at + (size_t)n * HANDLER_SIZE;
	return (struct handler){.start = code_u16(at),
		.end = code_u16(at + 2),
		.target = code_u16(at + 4),
		.type = code_u16(at + 6)};
}

int code_attribute(
	const struct code *k, const struct pool *p, const char *name, struct slice *content)
{
	struct cursor c = cursor_init(k->attributes);
	for (uint32_t n = k->attribute_count; n > 0 && !c.err; n--) {
		uint16_t name_at = cursor_be16(&c);
		*content = cursor_bytes(&c, cursor_be32(&c));
		if (!c.err && slice_equal(pool_utf8(p, name_at), slice_str(name)))
			return ERR_NONE;
	}
	return ERR_NOT_FOUND;
}
