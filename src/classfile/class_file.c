#include "classfile/class_file.h"

#include "base/error.h"

enum { MAGIC = (int)0xcafebabe, OLDEST_MAJOR = 45, OLDEST_MINOR = 3 };

static int fail(
	const struct class_file *f, const struct cursor *c, const char *what, struct diag *d)
{
	int err = c->err ? c->err : ERR_FORMAT;
	return diag_set(
		d, err, "%s at byte %zu: %s", what, (size_t)(c->at - f->bytes.at), err_text(err));
}

static int read_head(struct class_file *f, struct cursor *c, struct diag *d)
{
	if (cursor_be32(c) != (uint32_t)MAGIC)
		return diag_set(d, c->err ? c->err : ERR_FORMAT, "not a class file");
	f->minor = cursor_be16(c);
	f->major = cursor_be16(c);
	if (c->err)
		return fail(f, c, "the version", d);
	if (f->major < OLDEST_MAJOR || (f->major == OLDEST_MAJOR && f->minor < OLDEST_MINOR))
		return diag_set(
			d, ERR_UNSUPPORTED, "a class file of version %u.%u", f->major, f->minor);
	f->pool_at = (uint32_t)(c->at - f->bytes.at);
	int err = pool_read(&f->pool, f->bytes, c, d);
	f->pool_end = (uint32_t)(c->at - f->bytes.at);
	return err;
}

static int read_names(struct class_file *f, struct cursor *c, struct diag *d)
{
	f->access = cursor_be16(c);
	f->this_class = cursor_be16(c);
	f->name = pool_class(&f->pool, f->this_class);
	f->super = pool_class(&f->pool, cursor_be16(c));
	cursor_bytes(c, (size_t)cursor_be16(c) * 2); /* interfaces */
	return c->err || !f->name.len ? fail(f, c, "the names of the class", d) : ERR_NONE;
}

/* One attribute: its content, and whether it has that name. */
static bool read_attribute(
	const struct class_file *f, struct cursor *c, const char *name, struct slice *content)
{
	uint16_t n = cursor_be16(c);
	*content = cursor_bytes(c, cursor_be32(c));
	return !c->err && slice_equal(pool_utf8(&f->pool, n), slice_str(name));
}

static int skip_attributes(const struct class_file *f, struct cursor *c, struct diag *d)
{
	struct slice content;
	for (uint32_t n = cursor_be16(c); n > 0 && !c->err; n--)
		read_attribute(f, c, "", &content);
	return c->err ? fail(f, c, "an attribute", d) : ERR_NONE;
}

static int read_fields(const struct class_file *f, struct cursor *c, struct diag *d)
{
	int err = ERR_NONE;
	for (uint32_t n = cursor_be16(c); n > 0 && !err; n--) {
		cursor_bytes(c, 6);
		err = skip_attributes(f, c, d);
	}
	return c->err ? fail(f, c, "a field", d) : err;
}

static int read_code(struct class_file *f, struct class_method *m, struct cursor *c, struct diag *d)
{
	struct slice content;
	for (uint32_t n = cursor_be16(c); n > 0 && !c->err; n--) {
		if (!read_attribute(f, c, "Code", &content))
			continue;
		if (m->code.at)
			return fail(f, c, "a second Code attribute", d);
		m->code = content;
		m->code_len_at = (uint32_t)(content.at - f->bytes.at) - 4;
	}
	return c->err ? fail(f, c, "an attribute of a method", d) : ERR_NONE;
}

static int read_method(struct class_file *f, struct cursor *c, struct diag *d)
{
	struct class_method m = {.access = cursor_be16(c)};
	m.name = pool_utf8(&f->pool, cursor_be16(c));
	m.descriptor = pool_utf8(&f->pool, cursor_be16(c));
	if (c->err || !m.name.len || !m.descriptor.len)
		return fail(f, c, "a method", d);
	int err = read_code(f, &m, c, d);
	return err ? err : vec_push(&f->methods, m);
}

static int read_methods(struct class_file *f, struct cursor *c, struct diag *d)
{
	int err = ERR_NONE;
	for (uint32_t n = cursor_be16(c); n > 0 && !err; n--)
		err = read_method(f, c, d);
	return !err && c->err ? fail(f, c, "the methods", d) : err;
}

int class_file_read(struct class_file *f, struct slice bytes, struct diag *d)
{
	*f = (struct class_file){.bytes = bytes};
	if (bytes.len > CLASS_FILE_MAX)
		return diag_set(d, ERR_LIMIT, "a class file of %zu bytes", bytes.len);
	struct cursor c = cursor_init(bytes);
	int err = read_head(f, &c, d);
	if (err || (err = read_names(f, &c, d)) || (err = read_fields(f, &c, d)) ||
		(err = read_methods(f, &c, d)) || (err = skip_attributes(f, &c, d)))
		return err;
	return cursor_left(&c) ? fail(f, &c, "more than a class file", d) : ERR_NONE;
}

void class_file_release(struct class_file *f)
{
	pool_release(&f->pool);
	vec_release(&f->methods);
}

size_t class_file_method(const struct class_file *f, struct slice name, struct slice descriptor)
{
	size_t n = 0;
	while (n < f->methods.count &&
		!(slice_equal(f->methods.at[n].name, name) &&
			slice_equal(f->methods.at[n].descriptor, descriptor)))
		n++;
	return n;
}
