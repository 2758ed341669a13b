#include "report/short.h"

#include "base/jdk_name.h"
#include "model/names.h"

enum { PACKAGE_WIDTH = 120 }; /* on narrower screens packages are left out: a line says more */

/* The length of the first character, so that initials are whole ones. */
static size_t first_character(struct slice s)
{
	size_t n = s.len > 0;
	while (n < s.len && (s.at[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static void put_initials(struct buf *out, struct slice package, bool last_whole)
{
	while (package.len) {
		const uint8_t *dot = memchr(package.at, '.', package.len);
		size_t len = dot ? (size_t)(dot - package.at) : package.len;
		bool whole = !dot && last_whole;
		text_clean(out,
			slice(package.at, whole ? len : first_character(slice(package.at, len))));
		buf_put_u8(out, '.');
		package = slice(package.at + len + !!dot, package.len - len - !!dot);
	}
}

void short_simple(struct buf *out, struct slice class_name)
{
	if (class_name.len)
		text_clean(out, name_simple(class_name));
	else
		buf_put_str(out, "(unknown)");
}

void short_class(struct buf *out, struct slice class_name)
{
	put_initials(out, name_package(class_name), !name_is_jdk(class_name));
	short_simple(out, class_name);
}

void short_method(struct buf *out, struct slice name)
{
	size_t dot = name.len;
	while (dot && name.at[dot - 1] != '.')
		dot--;
	if (dot)
		short_class(out, slice(name.at, dot - 1));
	buf_put_str(out, dot ? "." : "");
	text_clean(out, slice(name.at + dot, name.len - dot));
}

static void put_frame(
	struct buf *out, const struct model *m, uint32_t frame, bool with_line, bool with_package)
{
	const struct method_def *method = defs_frame_method(&m->defs, frame);
	struct slice name = texts_get(&m->defs.texts, method->name);
	if (!frame) {
		buf_put_str(out, "(no stack)");
		return;
	}
	if (with_package)
		short_class(out, texts_get(&m->defs.texts, method->class_name));
	else
		short_simple(out, texts_get(&m->defs.texts, method->class_name));
	buf_put_u8(out, '.');
	text_clean(out, name.len ? name : slice_str("(unknown)"));
	if (with_line && m->defs.frames.at[frame].line)
		buf_printf(out, ":%u", m->defs.frames.at[frame].line);
}

void short_frame(struct buf *out, const struct model *m, uint32_t frame, bool with_line)
{
	put_frame(out, m, frame, with_line, true);
}

void short_place(
	struct buf *out, const struct model *m, const struct row *r, const struct look *look)
{
	const char *arrow = text_mark(look, " ← ", " <- ");
	bool lines = r->by != BY_METHOD;
	bool packages = !look->width || look->width >= PACKAGE_WIDTH;
	uint32_t frame = row_frame(r, m, 0);
	put_frame(out, m, frame, lines, packages);
	for (uint32_t i = 1; frame && (frame = row_frame(r, m, i)); i++) {
		buf_put_str(out, arrow);
		put_frame(out, m, frame, lines, packages);
	}
	if (r->caller) {
		buf_put_str(out, arrow);
		put_frame(out, m, r->caller, lines, packages);
	}
	if (r->context.callers)
		buf_printf(out, "%s%u callers", arrow, r->context.callers);
}
