#include "agent/rewrite_class.h"

#include <string.h>

#include "agent/age_class.h"
#include "agent/quiet.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "classfile/class_edit.h"
#include "classfile/descriptor.h"

enum { MAJOR_OF_LDC_CLASS = 49, CALL_STACK = 16 };

const char rewrite_elsewhere[] = "it is made in a call, and its class can't be named there";

static void refuse(struct wish *w, const char *why)
{
	w->state = WISH_REFUSED;
	w->why = why;
	w->plain = false;
}

uint64_t rewrite_hash(struct slice code)
{
	return hash_bytes(code.at, code.len);
}

/* Classes that code of any class may name. */
static bool anyone_names(const char *signature)
{
	static const char *const names[] = {"Ljava/lang/String;", "[Ljava/lang/Object;",
		"[Ljava/lang/String;", "Ljava/lang/Object;"};
	if (signature[0] == '[' && signature[1] != 'L' && signature[1] != '[')
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(signature, names[i]) == 0)
			return true;
	return false;
}

/* What a call has made: dup; ldc_w class; invokestatic result. */
struct result_call {
	struct snippet snippet;
	struct snippet_constant constants[2];
};
static const uint8_t result_code[] = {OP_dup, OP_ldc_w, 0, 0, OP_invokestatic, 0, 0};

/* A class as the pool names it: an array by its signature, another by its name. */
static struct slice pool_name(const char *signature)
{
	size_t len = strlen(signature);
	return signature[0] == 'L' ? slice(signature + 1, len - 2) : slice(signature, len);
}

static void result_call_init(struct result_call *c, const char *allocates)
{
	c->constants[0] =
		(struct snippet_constant){.at = 2, .tag = POOL_CLASS, .text = pool_name(allocates)};
	c->constants[1] = (struct snippet_constant){.at = 5,
		.tag = POOL_METHOD,
		.member = {.owner = slice_str(AGE_CLASS),
			.name = slice_str("result"),
			.descriptor = slice_str("(Ljava/lang/Object;Ljava/lang/Class;)V")}};
	c->snippet = (struct snippet){slice(result_code, sizeof(result_code)), c->constants, 2};
}

/* Whether the instruction makes objects of that class, as it names them. */
static bool makes(const struct site *s, const char *allocates)
{
	struct slice part;
	switch (s->op) {
	case OP_new:
	case OP_multianewarray:
	case OP_newarray:
		return slice_equal(s->named, pool_name(allocates));
	case OP_anewarray:
		part = slice(allocates + 1, strlen(allocates) - (allocates[0] != 0));
		return allocates[0] == '[' &&
		       (slice_equal(s->named, part) ||
			       slice_equal(s->named, pool_name(allocates + 1)));
	default:
		return false;
	}
}

static int insert(struct class_edit *e, size_t method, struct wish *w, uint32_t bci, uint8_t op,
	const struct snippet *snippet)
{
	struct diag d;
	int err = class_edit_insert_after(e, method, bci, op, snippet, &d);
	if (err == ERR_NOMEM)
		return err;
	if (err)
		refuse(w, "the code there can't be changed");
	else
		w->state = WISH_DONE;
	return ERR_NONE;
}

/* Whether each constructor that finishes the object there shows it to nobody. */
static bool is_quiet(
	const struct class_edit *e, size_t method, const struct wish *w, const struct sites *sites)
{
	size_t calls = 0;
	for (size_t i = 0; w->quiet && i < sites->finishes.count; i++) {
		const struct finish *f = &sites->finishes.at[i];
		struct insn call;
		if (f->bci != (uint32_t)w->bci)
			continue;
		if (insn_decode(e->methods[method].code.bytes, f->pc, &call) ||
			!quiet_has(w->quiet, pool_member(&e->file.pool, call.index).descriptor))
			return false;
		calls++;
	}
	return calls > 0;
}

static int insert_at_site(struct class_edit *e, size_t method, struct wish *w, const struct site *s,
	const struct sites *sites)
{
	struct snippet_call call;
	if (!makes(s, w->allocates)) {
		refuse(w, "the instruction there makes objects of another class");
		return ERR_NONE;
	}
	if (s->refusal) {
		refuse(w, site_refusal_text(s->refusal));
		return ERR_NONE;
	}
	/* Nobody can have seen an array yet; a constructor may have shown its object around. */
	w->plain = s->op == OP_new && is_quiet(e, method, w, sites);
	snippet_call_init(&call, AGE_CLASS,
		s->op != OP_new ? "store"
		: w->plain      ? "fresh"
				: "swap");
	return insert(e, method, w, s->bci, s->op, &call.snippet);
}

/* The cast to the objects' class that follows a call; 0: there is none (a call is not at 0). */
static uint32_t cast_behind(const struct class_edit *e, size_t method, const struct wish *w)
{
	struct insn call, cast;
	struct slice code = e->methods[method].code.bytes;
	if (insn_decode(code, (uint32_t)w->bci, &call) || call.kind->act != ACT_INVOKE ||
		insn_decode(code, call.pc + call.len, &cast) || cast.op != OP_checkcast)
		return 0;
	struct slice name = pool_class(&e->file.pool, cast.index);
	return slice_equal(name, pool_name(w->allocates)) ? cast.pc : 0;
}

/* Whether the call says itself that it gives back such objects, or those of a subclass. */
static bool gives_back(const struct class_edit *e, size_t method, const struct wish *w)
{
	struct insn call;
	struct slice arguments, result;
	return insn_decode(e->methods[method].code.bytes, (uint32_t)w->bci, &call) == ERR_NONE &&
	       call.kind->act == ACT_INVOKE &&
	       descriptor_split(
		       pool_member(&e->file.pool, call.index).descriptor, &arguments, &result) &&
	       slice_equal(result, slice_str(w->allocates));
}

static int insert_at_call(struct class_edit *e, size_t method, struct wish *w, uint8_t op)
{
	struct result_call call;
	struct snippet_call plain;
	uint32_t cast = cast_behind(e, method, w);
	if (cast) {
		snippet_call_init(&plain, AGE_CLASS, "cast");
		return insert(e, method, w, cast, OP_checkcast, &plain.snippet);
	}
	if (gives_back(e, method, w)) {
		snippet_call_init(&plain, AGE_CLASS, "cast");
		return insert(e, method, w, (uint32_t)w->bci, op, &plain.snippet);
	}
	if (!anyone_names(w->allocates) || e->file.major < MAJOR_OF_LDC_CLASS) {
		refuse(w, rewrite_elsewhere);
		return ERR_NONE;
	}
	result_call_init(&call, w->allocates);
	return insert(e, method, w, (uint32_t)w->bci, op, &call.snippet);
}

/* Why the place is not what was decided on; NULL: it is. */
static const char *mismatch(const struct wish *w, const struct method_edit *m)
{
	struct slice code = m->code.bytes;
	if (!m->opened)
		return "the method has no code";
	if (w->has_hash && w->hash != rewrite_hash(code))
		return "the method's code is another than the one that was decided on";
	if (w->bci < 0 || (uint32_t)w->bci >= code.len || !(m->marks.at[w->bci] & MARK_INSN))
		return "no instruction begins there";
	if (w->opcode && strcmp(w->opcode, opcode_of(code.at[w->bci])->name) != 0)
		return "another instruction stands there";
	return NULL;
}

static int grant(struct class_edit *e, struct wish *w)
{
	struct diag d;
	const struct sites *sites;
	size_t method = class_file_method(&e->file, slice_str(w->method), slice_str(w->descriptor));
	if (method == e->file.methods.count)
		return refuse(w, "the class has no such method"), ERR_NONE;
	int err = class_edit_sites(e, method, &sites, &d);
	if (err)
		return err == ERR_NOMEM ? err : (refuse(w, "its code can't be followed"), ERR_NONE);
	const struct method_edit *m = &e->methods[method];
	const char *why = mismatch(w, m);
	w->other_code = why;
	if (why)
		return refuse(w, why), ERR_NONE;
	const struct site *s = sites_at(sites, (uint32_t)w->bci);
	w->found_hash = rewrite_hash(m->code.bytes);
	w->found_opcode = opcode_of(m->code.bytes.at[w->bci])->name;
	return s ? insert_at_site(e, method, w, s, sites)
		 : insert_at_call(e, method, w, m->code.bytes.at[w->bci]);
}

/* Where the method's instructions are now. */
static int find_moved(const struct method_edit *m, struct moved_method *out)
{
	struct layout l;
	size_t count = 0;
	if (layout_make(&l, m->code.bytes, &m->insertions, BRANCH_REACH)) {
		layout_release(&l);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < m->code.bytes.len; i++)
		count += (m->marks.at[i] & MARK_INSN) != 0;
	out->len = l.len;
	out->moved = mem_alloc((count + 1) * sizeof(*out->moved));
	for (size_t i = 0; out->moved && i < m->code.bytes.len; i++)
		if (m->marks.at[i] & MARK_INSN)
			out->moved[out->count++] = (struct moved){l.at[i], (uint32_t)i};
	layout_release(&l);
	return out->moved ? ERR_NONE : ERR_NOMEM;
}

static bool is_of(const struct wish *w, const struct class_method *m)
{
	return slice_equal(m->name, slice_str(w->method)) &&
	       slice_equal(m->descriptor, slice_str(w->descriptor));
}

static void refuse_method(const struct class_method *m, struct wish *wishes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (wishes[i].state == WISH_DONE && is_of(&wishes[i], m))
			refuse(&wishes[i], "the method would become too long");
}

static int gather(struct class_edit *e, struct wish *wishes, size_t count, struct rewriting *out)
{
	const char *why;
	int err = ERR_NONE;
	out->methods = mem_zalloc(e->file.methods.count + 1, sizeof(*out->methods));
	if (!out->methods)
		return ERR_NOMEM;
	for (size_t i = 0; i < e->file.methods.count && !err; i++) {
		const struct class_method *m = &e->file.methods.at[i];
		if (e->methods[i].insertions.all.count == 0)
			continue;
		if (class_edit_outcome(e, i, &why)) {
			refuse_method(m, wishes, count);
			continue;
		}
		struct moved_method *moved = &out->methods[out->method_count++];
		moved->name = m->name;
		moved->descriptor = m->descriptor;
		err = find_moved(&e->methods[i], moved);
	}
	return err;
}

static int rewrite(struct class_edit *e, struct wish *wishes, size_t count, struct rewriting *out)
{
	int err = ERR_NONE;
	e->keep_below = CODE_COMPILED_MAX;
	for (size_t i = 0; i < count && !err; i++)
		if (wishes[i].state != WISH_REFUSED)
			err = grant(e, &wishes[i]);
	if (!err)
		err = class_edit_write(e, &out->bytes);
	if (!err)
		err = gather(e, wishes, count, out);
	if (!err && out->method_count == 0)
		out->bytes.len = 0; /* as it was */
	return err;
}

int rewrite_class(struct slice file, struct wish *wishes, size_t count, struct rewriting *out)
{
	struct class_edit e;
	struct diag d;
	*out = (struct rewriting){.methods = NULL};
	int err = class_edit_begin(&e, file, &d);
	if (!err)
		err = rewrite(&e, wishes, count, out);
	else if (err != ERR_NOMEM)
		for (size_t i = 0; i < count; i++)
			refuse(&wishes[i], "its class file can't be read");
	class_edit_release(&e);
	return err == ERR_NOMEM ? err : ERR_NONE;
}

void rewriting_release(struct rewriting *r)
{
	buf_release(&r->bytes);
	for (size_t i = 0; r->methods && i < r->method_count; i++)
		mem_free(r->methods[i].moved);
	mem_free(r->methods);
}
