#include "classfile/code_write.h"

#include "base/error.h"
#include "classfile/step.h"
#include "classfile/turn_frames.h"
#include "classfile/type_notes.h"

/* What an attribute is written with. */
struct writer {
	const struct rewrite *w;
	struct layout layout;
	struct buf *out;
};

static void patch16(struct buf *out, size_t at, uint32_t v)
{
	if (out->failed)
		return;
	out->at[at] = (uint8_t)(v >> 8);
	out->at[at + 1] = (uint8_t)v;
}

/* The place, or the place and the length, that stands at `at` in out, is moved. */
static int move(struct writer *w, size_t at, bool range)
{
	if (w->out->failed)
		return ERR_NOMEM;
	uint32_t end = (uint32_t)w->w->code->bytes.len, pc = code_u16(w->out->at + at);
	if (pc > end || (!range && pc == end))
		return ERR_FORMAT;
	patch16(w->out, at, w->layout.at[pc]);
	if (!range)
		return ERR_NONE;
	uint32_t behind = pc + code_u16(w->out->at + at + 2);
	if (behind > end)
		return ERR_FORMAT;
	patch16(w->out, at + 2, w->layout.at[behind] - w->layout.at[pc]);
	return ERR_NONE;
}

/* Rows of `size` bytes behind their number, which begin with a place, or with a place and length.
 */
static int put_rows(struct writer *w, struct slice content, size_t size, bool range)
{
	size_t at = w->out->len + 2;
	int err = content.len < 2 || content.len != 2 + code_u16(content.at) * size ? ERR_FORMAT
										    : ERR_NONE;
	buf_put(w->out, content.at, content.len);
	for (size_t n = err ? 0 : code_u16(content.at); n > 0 && !err; n--, at += size)
		err = move(w, at, range);
	return err;
}

static int put_lines(struct writer *w, struct slice content)
{
	return put_rows(w, content, 4, false);
}

static int put_variables(struct writer *w, struct slice content)
{
	return put_rows(w, content, 10, true);
}

struct note_mover {
	struct writer *w;
	size_t start; /* of the attribute's content in out */
};

static int see_place(void *arg, size_t at, bool range)
{
	struct note_mover *m = arg;
	return move(m->w, m->start + at, range);
}

static int put_notes(struct writer *w, struct slice content)
{
	struct note_mover mover = {.w = w, .start = w->out->len};
	struct place_eye eye = {.see = see_place, .arg = &mover};
	buf_put(w->out, content.at, content.len);
	return type_notes_walk(content, &eye);
}

/* Frames as they are written, one by one. */
struct frame_put {
	struct writer *w;
	int64_t last; /* the new place of the frame before; -1: none */
	uint32_t count;
};

static bool is_insn(const struct writer *w, uint32_t bci)
{
	return bci < w->w->code->bytes.len && (w->w->marks->at[bci] & MARK_INSN);
}

static bool uninits_are_insns(const struct writer *w, const struct value *v, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (value_tag(v[i]) == VALUE_UNINIT && !is_insn(w, value_payload(v[i])))
			return false;
	return true;
}

static int put_frame(struct frame_put *p, const struct frame *f)
{
	const struct writer *w = p->w;
	if (!is_insn(w, f->bci) || !uninits_are_insns(w, f->locals.at, f->locals.count) ||
		!uninits_are_insns(w, f->stack.at, f->stack.count))
		return ERR_FORMAT;
	int64_t at = w->layout.at[f->bci], distance = at - p->last - 1;
	if (distance < 0)
		return ERR_FORMAT;
	frame_put(f, (uint32_t)distance, w->layout.at, w->out);
	p->last = at;
	p->count++;
	return ERR_NONE;
}

/* A frame that came from the table. Behind one that did not, it can't say just how it differs. */
static int put_old_frame(struct frame_put *p, struct frame *f, bool after_new)
{
	if (after_new)
		f->type = FRAME_FULL;
	return put_frame(p, f);
}

static int put_all_frames(struct frame_put *p, struct frames *old, const struct turn_frames *turned)
{
	size_t next = 0;
	int err;
	while ((err = stackmap_next(old)) == ERR_NONE) {
		bool after_new = false;
		for (; next < turned->all.count && turned->all.at[next].bci < old->now.bci;
			next++) {
			after_new = true;
			if ((err = put_frame(p, &turned->all.at[next])))
				return err;
		}
		if ((err = put_old_frame(p, &old->now, after_new)))
			return err;
	}
	for (; err == ERR_NOT_FOUND && next < turned->all.count; next++)
		if (put_frame(p, &turned->all.at[next]))
			return ERR_FORMAT;
	return err == ERR_NOT_FOUND && !cursor_left(&old->c) ? ERR_NONE
	       : err == ERR_NOT_FOUND                        ? ERR_FORMAT
							     : err;
}

/* The state at the method's start. Its classes matter only where a frame is written out whole. */
static int enter(const struct writer *w, struct state *s)
{
	const struct rewrite *r = w->w;
	struct stepper step = {.pool = &r->file->pool,
		.code = r->code->bytes,
		.this_class = r->file->this_class,
		.named = w->layout.turned};
	int err = state_init(s, r->code->max_locals, r->code->max_stack);
	return err ? err : step_enter(&step, r->method, s);
}

static int put_frames_of(struct writer *w, struct slice content, const struct turn_frames *turned)
{
	struct frame_put p = {.w = w, .last = -1};
	struct frames old = {.left = 0};
	struct state s;
	size_t at = w->out->len;
	buf_put_be16(w->out, 0);
	int err = enter(w, &s);
	if (!err)
		err = stackmap_open(&old, content, &s);
	if (!err)
		err = put_all_frames(&p, &old, turned);
	if (!err && p.count > UINT16_MAX)
		err = ERR_LIMIT;
	patch16(w->out, at, p.count);
	state_release(&s);
	stackmap_release(&old);
	return err;
}

static int put_frames(struct writer *w, struct slice content)
{
	struct turn_frames turned = {.all = {0}};
	int err = ERR_NONE;
	if (w->layout.turned)
		err = turn_frames_find(&turned, w->w, &w->layout, content);
	if (!err)
		err = put_frames_of(w, content, &turned);
	turn_frames_release(&turned);
	return err;
}

static const struct {
	const char *name;
	int (*put)(struct writer *w, struct slice content);
} attributes[] = {
	{"StackMapTable", put_frames},
	{"LineNumberTable", put_lines},
	{"LocalVariableTable", put_variables},
	{"LocalVariableTypeTable", put_variables},
	{"RuntimeVisibleTypeAnnotations", put_notes},
	{"RuntimeInvisibleTypeAnnotations", put_notes},
};

static void patch32(struct buf *out, size_t at, size_t v)
{
	patch16(out, at, (uint32_t)v >> 16);
	patch16(out, at + 2, (uint32_t)v & 0xffff);
}

static int put_attribute(
	struct writer *w, size_t row, uint16_t name, struct slice content, struct diag *d)
{
	buf_put_be16(w->out, name);
	size_t at = w->out->len;
	buf_put_be32(w->out, 0);
	int err = attributes[row].put(w, content);
	patch32(w->out, at, w->out->len - at - 4);
	return err && err != ERR_NOMEM
		       ? diag_set(d, err, "its %s: %s", attributes[row].name, err_text(err))
		       : err;
}

static size_t row_of(struct slice name)
{
	size_t row = 0;
	while (row < ARRAY_SIZE(attributes) && !slice_equal(name, slice_str(attributes[row].name)))
		row++;
	return row;
}

static int put_attributes(struct writer *w, struct diag *d)
{
	const struct code *k = w->w->code;
	struct cursor c = cursor_init(k->attributes);
	size_t at = w->out->len;
	uint32_t kept = 0;
	int err = ERR_NONE;
	buf_put_be16(w->out, 0);
	for (uint32_t n = k->attribute_count; n > 0 && !err; n--) {
		uint16_t name = cursor_be16(&c);
		struct slice content = cursor_bytes(&c, cursor_be32(&c));
		size_t row = row_of(pool_utf8(&w->w->file->pool, name));
		if (row == ARRAY_SIZE(attributes))
			continue;
		err = put_attribute(w, row, name, content, d);
		kept++;
	}
	patch16(w->out, at, kept);
	return err;
}

static void put_handlers(struct writer *w)
{
	const struct code *k = w->w->code;
	const uint32_t *at = w->layout.at;
	buf_put_be16(w->out, k->handler_count);
	for (uint32_t n = 0; n < k->handler_count; n++) {
		struct handler h = code_handler(k, n);
		buf_put_be16(w->out, (uint16_t)at[h.start]);
		buf_put_be16(w->out, (uint16_t)at[h.end]);
		buf_put_be16(w->out, (uint16_t)at[h.target]);
		buf_put_be16(w->out, h.type);
	}
}

static int put_all(struct writer *w, struct diag *d)
{
	const struct code *k = w->w->code;
	buf_put_be16(w->out, w->w->max_stack);
	buf_put_be16(w->out, k->max_locals);
	buf_put_be32(w->out, w->layout.len);
	layout_put(&w->layout, k->bytes, w->w->insertions, w->out);
	put_handlers(w);
	int err = put_attributes(w, d);
	return err ? err : w->out->failed;
}

/* A turned condition leads behind itself; where it is the last there is nothing. No VM takes code
 * that runs over its end. */
static bool turns_last(const struct layout *l, struct slice code)
{
	enum { BRANCH = 3 };
	size_t last = code.len - BRANCH;
	return code.len >= BRANCH && l->wide[last] && opcode_inverse(code.at[last]);
}

int code_rewrite(const struct rewrite *r, struct buf *out, struct diag *d)
{
	struct writer w = {.w = r, .out = out};
	int err = layout_make(&w.layout, r->code->bytes, r->insertions, r->reach);
	if (err == ERR_LIMIT)
		diag_set(d, err, "the method would be longer than %d bytes", CODE_MAX);
	if (!err && turns_last(&w.layout, r->code->bytes))
		err = diag_set(d, ERR_FORMAT, "the code runs over its end");
	if (!err)
		err = put_all(&w, d);
	layout_release(&w.layout);
	return err;
}
