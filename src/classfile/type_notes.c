#include "classfile/type_notes.h"

#include "base/cursor.h"
#include "base/error.h"

enum {
	TARGET_LOCAL = 0x40,
	TARGET_RESOURCE = 0x41,
	TARGET_CATCH = 0x42,
	TARGET_INSTANCEOF = 0x43,
	TARGET_METHOD_REFERENCE = 0x46,
	TARGET_CAST = 0x47,
	TARGET_LAST = 0x4b,
	DEPTH_MAX = 64 /* of annotations and arrays in each other */
};

struct walk {
	struct cursor c;
	const uint8_t *start;
	const struct place_eye *eye;
};

/* What is still to come of an annotation (pairs of a name and a value) or of an array (values). */
struct level {
	uint32_t left;
	bool named;
};

struct levels {
	struct level at[DEPTH_MAX];
	unsigned count;
};

static void open_level(struct levels *l, struct cursor *c, bool named)
{
	if (l->count == DEPTH_MAX) {
		c->err = c->err ? c->err : ERR_LIMIT;
		return;
	}
	l->at[l->count++] = (struct level){.left = cursor_be16(c), .named = named};
}

static void open_annotation(struct levels *l, struct cursor *c)
{
	cursor_be16(c);
	open_level(l, c, true);
}

static void value(struct levels *l, struct cursor *c)
{
	uint8_t tag = cursor_u8(c);
	if (tag == '@')
		open_annotation(l, c);
	else if (tag == '[')
		open_level(l, c, false);
	else if (tag == 'e')
		cursor_bytes(c, 4);
	else if (tag && strchr("BCDFIJSZsc", tag))
		cursor_bytes(c, 2);
	else if (!c->err)
		c->err = ERR_FORMAT;
}

static void annotation(struct cursor *c)
{
	struct levels l = {.count = 0};
	open_annotation(&l, c);
	while (l.count > 0 && !c->err) {
		struct level *top = &l.at[l.count - 1];
		if (top->left == 0) {
			l.count--;
			continue;
		}
		top->left--;
		if (top->named)
			cursor_be16(c);
		value(&l, c);
	}
}

static int see(struct walk *w, bool range)
{
	size_t at = (size_t)(w->c.at - w->start);
	cursor_bytes(&w->c, range ? 4 : 2);
	return w->c.err ? w->c.err : w->eye->see(w->eye->arg, at, range);
}

static int locals(struct walk *w)
{
	int err = ERR_NONE;
	for (uint32_t n = cursor_be16(&w->c); n > 0 && !err; n--) {
		err = see(w, true);
		cursor_be16(&w->c);
	}
	return err;
}

static int target(struct walk *w)
{
	uint8_t type = cursor_u8(&w->c);
	int err = ERR_NONE;
	if (type == TARGET_LOCAL || type == TARGET_RESOURCE)
		return locals(w);
	if (type == TARGET_CATCH) {
		cursor_be16(&w->c); /* a handler's number, which does not change */
	} else if (type >= TARGET_INSTANCEOF && type <= TARGET_LAST) {
		err = see(w, false);
		cursor_bytes(&w->c, type >= TARGET_CAST); /* which type argument */
	} else if (!w->c.err) {
		err = ERR_FORMAT;
	}
	return err;
}

int type_notes_walk(struct slice content, const struct place_eye *eye)
{
	struct walk w = {.c = cursor_init(content), .start = content.at, .eye = eye};
	int err = ERR_NONE;
	for (uint32_t n = cursor_be16(&w.c); n > 0 && !err && !w.c.err; n--) {
		err = target(&w);
		cursor_bytes(&w.c, (size_t)cursor_u8(&w.c) * 2); /* the path into the type */
		annotation(&w.c);
	}
	if (!err && !w.c.err && cursor_left(&w.c))
		err = ERR_FORMAT;
	return err ? err : w.c.err;
}
