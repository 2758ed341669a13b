#include "classfile/class_edit.h"

#include "base/error.h"
#include "classfile/code_write.h"
#include "classfile/descriptor.h"

int class_edit_begin(struct class_edit *e, struct slice bytes, struct diag *d)
{
	*e = (struct class_edit){.reach = BRANCH_REACH};
	int err = class_file_read(&e->file, bytes, d);
	if (err)
		return err;
	e->methods = mem_zalloc(e->file.methods.count, sizeof(*e->methods));
	return e->methods ? ERR_NONE : ERR_NOMEM;
}

static void method_release(struct method_edit *m)
{
	marks_release(&m->marks);
	sites_release(&m->sites);
	insertions_release(&m->insertions);
	mem_free(m->why);
}

void class_edit_release(struct class_edit *e)
{
	for (size_t i = 0; e->methods && i < e->file.methods.count; i++)
		method_release(&e->methods[i]);
	mem_free(e->methods);
	class_file_release(&e->file);
}

uint64_t class_edit_hash(const struct class_edit *e)
{
	return hash_bytes(e->file.bytes.at, e->file.bytes.len);
}

static int open_method(struct class_edit *e, size_t method, struct diag *d)
{
	struct method_edit *m = &e->methods[method];
	const struct class_method *in = &e->file.methods.at[method];
	if (m->opened || !in->code.at)
		return ERR_NONE;
	marks_release(&m->marks);
	sites_release(&m->sites);
	int err = code_read(&m->code, in->code, d);
	if (err || (err = marks_make(&m->marks, &m->code, d)) ||
		(err = sites_find(&m->sites, &e->file, in, &m->code, &m->marks, d)))
		return err;
	m->opened = true;
	return ERR_NONE;
}

int class_edit_sites(struct class_edit *e, size_t method, const struct sites **out, struct diag *d)
{
	*out = &e->methods[method].sites;
	return open_method(e, method, d);
}

/* The snippet as it goes in behind `f`: as it is, or between a load and a pop. */
static void wrap(const struct finish *f, struct slice code, struct buf *out)
{
	if (f->on_top) {
		buf_put(out, code.at, code.len);
		return;
	}
	if (f->local > UINT8_MAX) {
		buf_put_u8(out, OP_wide);
		buf_put_u8(out, OP_aload);
		buf_put_be16(out, f->local);
	} else {
		buf_put_u8(out, OP_aload);
		buf_put_u8(out, (uint8_t)f->local);
	}
	buf_put(out, code.at, code.len);
	buf_put_u8(out, OP_pop);
}

static int insert(struct method_edit *m, const struct finish *f, struct slice code, uint16_t stack)
{
	struct insn i;
	struct buf b = {0};
	uint16_t need = (uint16_t)(stack + !f->on_top);
	insn_decode(m->code.bytes, f->pc, &i);
	wrap(f, code, &b);
	int err = b.failed;
	if (!err)
		err = insertions_add(&m->insertions, f->pc, f->pc + i.len, buf_slice(&b));
	m->stack = need > m->stack ? need : m->stack;
	buf_release(&b);
	return err;
}

/* The only place of an instruction that is no allocation: behind a call that returns a reference,
 * or behind a cast. */
static int behind_call(
	const struct class_edit *e, const struct method_edit *m, struct finish *f, struct diag *d)
{
	struct insn i;
	struct slice arguments, result;
	insn_decode(m->code.bytes, f->bci, &i);
	if (i.op == OP_checkcast)
		return ERR_NONE;
	if (i.kind->act == ACT_INVOKE &&
		descriptor_split(
			pool_member(&e->file.pool, i.index).descriptor, &arguments, &result) &&
		(result.at[0] == 'L' || result.at[0] == '['))
		return ERR_NONE;
	return diag_set(d, ERR_UNSUPPORTED, "%s at byte %u of the code leaves no reference",
		i.kind->name, f->bci);
}

static int insert_all(struct class_edit *e, struct method_edit *m, uint32_t bci, struct slice code,
	uint16_t stack, struct diag *d)
{
	const struct site *site = sites_at(&m->sites, bci);
	struct finish behind = {.bci = bci, .pc = bci, .on_top = true};
	int err = ERR_NONE;
	if (!site) {
		err = behind_call(e, m, &behind, d);
		return err ? err : insert(m, &behind, code, stack);
	}
	if (site->refusal)
		return diag_set(d, ERR_UNSUPPORTED, "%s", site_refusal_text(site->refusal));
	for (size_t i = 0; i < m->sites.finishes.count && !err; i++)
		if (m->sites.finishes.at[i].bci == bci)
			err = insert(m, &m->sites.finishes.at[i], code, stack);
	return err;
}

static int check_place(const struct method_edit *m, uint32_t bci, uint8_t op, struct diag *d)
{
	struct slice code = m->code.bytes;
	if (bci >= code.len || !(m->marks.at[bci] & MARK_INSN))
		return diag_set(d, ERR_NOT_FOUND, "no instruction at byte %u of the code", bci);
	if (code.at[bci] == op)
		return ERR_NONE;
	return diag_set(d, ERR_NOT_FOUND, "byte %u of the code has %s where %s was expected", bci,
		opcode_of(code.at[bci])->name, opcode_of(op) ? opcode_of(op)->name : "nothing");
}

int class_edit_insert_after(struct class_edit *e, size_t method, uint32_t bci, uint8_t op,
	const struct snippet *s, struct diag *d)
{
	struct method_edit *m = &e->methods[method];
	struct buf code = {0};
	uint16_t stack = 0;
	int err = open_method(e, method, d);
	if (!err && !m->opened)
		err = diag_set(d, ERR_NOT_FOUND, "the method has no code");
	if (!err)
		err = check_place(m, bci, op, d);
	if (!err)
		err = snippet_put(s, &e->file.pool, &code, &stack, d);
	if (!err)
		err = insert_all(e, m, bci, buf_slice(&code), stack, d);
	buf_release(&code);
	return err;
}

/* The content of a Code attribute begins with max_stack, max_locals and the code's length. */
static int check_len(const struct class_edit *e, const struct method_edit *m, const struct buf *b,
	size_t from, struct diag *d)
{
	uint32_t len = code_u32(b->at + from + 4);
	if (m->code.bytes.len > e->keep_below || len <= e->keep_below)
		return ERR_NONE;
	return diag_set(d, ERR_LIMIT, "the method would grow from %zu to %u bytes, beyond %u",
		m->code.bytes.len, len, e->keep_below);
}

static int write_code(struct class_edit *e, size_t method, struct buf *out, struct diag *d)
{
	struct method_edit *m = &e->methods[method];
	uint32_t stack = (uint32_t)m->code.max_stack + m->stack;
	if (stack > UINT16_MAX)
		return diag_set(
			d, ERR_LIMIT, "the method's stack would be deeper than %d", UINT16_MAX);
	struct rewrite w = {.file = &e->file,
		.method = &e->file.methods.at[method],
		.code = &m->code,
		.marks = &m->marks,
		.insertions = &m->insertions,
		.max_stack = (uint16_t)stack,
		.reach = e->reach};
	size_t from = out->len;
	int err = code_rewrite(&w, out, d);
	if (!err)
		err = out->failed;
	return err ? err : check_len(e, m, out, from, d);
}

/* Writes one method's new code; where that fails the method stays as it was, and says why. */
static int try_method(struct class_edit *e, size_t method, struct buf *out)
{
	struct method_edit *m = &e->methods[method];
	struct diag d = {""};
	size_t from = out->len;
	m->err = write_code(e, method, out, &d);
	if (!m->err || m->err == ERR_NOMEM)
		return m->err;
	out->len = from;
	m->why = m->why ? m->why : mem_alloc(sizeof(*m->why));
	if (!m->why)
		return ERR_NOMEM;
	*m->why = d;
	return ERR_NONE;
}

struct new_code {
	size_t method, at, len; /* bytes of it in the buffer */
};

struct new_codes {
	VEC(struct new_code) all;
	struct buf bytes;
};

static int write_codes(struct class_edit *e, struct new_codes *n)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < e->file.methods.count && !err; i++) {
		struct new_code c = {.method = i, .at = n->bytes.len};
		if (!e->methods[i].insertions.all.count)
			continue;
		err = try_method(e, i, &n->bytes);
		c.len = n->bytes.len - c.at;
		if (!err && c.len)
			err = vec_push(&n->all, c);
	}
	return err;
}

/* The file with its pool and those codes in place of the old. */
static int splice(const struct class_edit *e, const struct new_codes *n, struct buf *out)
{
	const struct class_file *f = &e->file;
	const struct slice in = f->bytes;
	size_t from = f->pool_end;
	buf_put(out, in.at, f->pool_at);
	buf_put_be16(out, (uint16_t)pool_count(&f->pool));
	buf_put(out, in.at + f->pool_at + 2, f->pool_end - f->pool_at - 2);
	buf_put(out, f->pool.added.at, f->pool.added.len);
	for (size_t i = 0; i < n->all.count; i++) {
		const struct new_code *c = &n->all.at[i];
		const struct class_method *m = &f->methods.at[c->method];
		buf_put(out, in.at + from, m->code_len_at - from);
		buf_put_be32(out, (uint32_t)c->len);
		buf_put(out, n->bytes.at + c->at, c->len);
		from = m->code_len_at + 4 + m->code.len;
	}
	buf_put(out, in.at + from, in.len - from);
	return out->failed;
}

int class_edit_write(struct class_edit *e, struct buf *out)
{
	struct new_codes n = {.all = {0}};
	int err = write_codes(e, &n);
	if (!err && n.all.count)
		err = splice(e, &n, out);
	else if (!err)
		buf_put(out, e->file.bytes.at, e->file.bytes.len);
	vec_release(&n.all);
	buf_release(&n.bytes);
	return err ? err : out->failed;
}

int class_edit_outcome(const struct class_edit *e, size_t method, const char **why)
{
	const struct method_edit *m = &e->methods[method];
	*why = m->why ? m->why->text : "";
	return m->err;
}
